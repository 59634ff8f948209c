#include "ovf/posterior/affine_mlp_kernel.hpp"

#include "ovf/posterior/factor_parameters.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 6;

}  // namespace

AffineMlpKernel::AffineMlpKernel(int dim, const std::vector<int>& hidden_layers,
                                 Activation activation, CovarianceForm noise_form,
                                 std::uint64_t seed)
    : network_(make_network(dim, hidden_layers, dim, activation)),
      gaussian_{Eigen::MatrixXd::Zero(dim, dim), Eigen::VectorXd::Zero(dim),
                CovarianceFactor(dim, noise_form)},
      centre_(Eigen::VectorXd::Zero(dim)),
      input_scale_(Eigen::VectorXd::Ones(dim)),
      output_scale_(Eigen::VectorXd::Ones(dim)) {
  RandomStream random(seed, kStream);
  weights_ = initial_parameters(network_, random);
  set_last_layer_zero(network_, weights_);
}

void AffineMlpKernel::assign(const AffineGaussian& conditional) {
  gaussian_.matrix = conditional.matrix;
  gaussian_.offset = conditional.offset;
  gaussian_.noise = conditional.noise;
}

void AffineMlpKernel::set_scales(const Gaussian& prediction, const Gaussian& previous) {
  centre_ = prediction.mean;
  input_scale_ = prediction.factor.standard_deviations();
  output_scale_ = previous.factor.standard_deviations();
  stale_ = true;
}

void AffineMlpKernel::continue_from(const AffineMlpKernel& other) {
  weights_ = other.weights_;
  stale_ = true;
}

void AffineMlpKernel::run_network(const Eigen::MatrixXd& x) const {
  if (!stale_ && inputs_.cols() == x.cols() && inputs_ == x) return;
  inputs_ = x;
  scaled_ = (x.colwise() - centre_).array().colwise() / input_scale_.array();
  forward(network_, weights_, scaled_, workspace_);
  stale_ = false;
}

void AffineMlpKernel::mean(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const {
  run_network(x);
  out.noalias() = gaussian_.matrix * x;
  out.colwise() += gaussian_.offset;
  out.array() += workspace_.layers.back().array().colwise() * output_scale_.array();
}

void AffineMlpKernel::pull_back(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                                Eigen::MatrixXd& out) const {
  run_network(x);
  scaled_ = cotangent.array().colwise() * output_scale_.array();
  Eigen::VectorXd none;
  backward(network_, weights_, scaled_, workspace_, none, &back_);
  out.noalias() = gaussian_.matrix.transpose() * cotangent;
  out.array() += back_.array().colwise() / input_scale_.array();
}

int AffineMlpKernel::parameter_count() const {
  return static_cast<int>(weights_.size()) +
         factor_parameter_count(gaussian_.noise.dim(), gaussian_.noise.form());
}

void AffineMlpKernel::read_parameters(Eigen::Ref<Eigen::VectorXd> parameters) const {
  parameters.head(weights_.size()) = weights_;
  read_factor(gaussian_.noise, parameters.tail(parameters.size() - weights_.size()));
}

void AffineMlpKernel::write_parameters(const Eigen::Ref<const Eigen::VectorXd>& parameters) {
  weights_ = parameters.head(weights_.size());
  write_factor(parameters.tail(parameters.size() - weights_.size()), gaussian_.noise);
  stale_ = true;
}

void AffineMlpKernel::parameter_gradient(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                                         const Eigen::MatrixXd& noise_draws,
                                         Eigen::Ref<Eigen::VectorXd> gradient) const {
  run_network(x);
  scaled_ = cotangent.array().colwise() * (output_scale_.array() / static_cast<double>(x.cols()));
  backward(network_, weights_, scaled_, workspace_, gradient.head(weights_.size()), nullptr);
  factor_gradient(gaussian_.noise, cotangent, noise_draws,
                  gradient.tail(gradient.size() - weights_.size()));
}

void AffineMlpKernel::add_entropy_gradient(Eigen::Ref<Eigen::VectorXd> gradient) const {
  gradient.segment(weights_.size(), gaussian_.noise.dim()).array() += 1.0;
}

std::unique_ptr<BackwardKernel> AffineMlpKernel::clone() const {
  return std::make_unique<AffineMlpKernel>(*this);
}

void AffineMlpKernel::archive(Archive& archive) {
  const int d = static_cast<int>(centre_.size());
  gaussian_.archive(archive, d, d);
  archive.vector("kernel network weights", weights_, weights_.size());
  archive.require_finite("kernel network weights", weights_);
  archive.vector("kernel centre", centre_, d);
  archive.require_finite("kernel centre", centre_);
  for (Eigen::VectorXd* scale : {&input_scale_, &output_scale_}) {
    archive.vector("kernel scale", *scale, d);
    archive.require_finite("kernel scale", *scale);
    archive.require((scale->array() > 0.0).all(), "kernel scale", "positive numbers");
  }
  stale_ = true;
}

}  // namespace ovf
