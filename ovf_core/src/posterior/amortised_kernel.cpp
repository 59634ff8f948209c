#include "ovf/posterior/amortised_kernel.hpp"

#include "ovf/math/soft_limit.hpp"
#include "ovf/posterior/factor_parameters.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 8;

}  // namespace

AmortisedKernel::AmortisedKernel(int dim, int context_dim, const std::vector<int>& hidden_layers,
                                 Activation activation, CovarianceForm noise_form,
                                 std::uint64_t seed)
    : network_(make_network(context_dim + dim, hidden_layers,
                            dim + factor_parameter_count(dim, noise_form), activation)),
      base_{Eigen::MatrixXd::Zero(dim, dim), Eigen::VectorXd::Zero(dim),
            CovarianceFactor(dim, noise_form)},
      context_(Eigen::VectorXd::Zero(context_dim)),
      centre_(Eigen::VectorXd::Zero(dim)),
      input_scale_(Eigen::VectorXd::Ones(dim)),
      output_scale_(Eigen::VectorXd::Ones(dim)),
      relative_(dim, noise_form),
      noise_(dim, noise_form) {
  RandomStream random(seed, kStream);
  weights_ = initial_parameters(network_, random);
  set_last_layer_zero(network_, weights_);
  refresh();
}

// M and the noise, whenever anything that they depend on has changed.
void AmortisedKernel::refresh() {
  stale_ = true;
  network_inputs_.setZero(context_.size() + dim(), 1);
  network_inputs_.col(0).head(context_.size()) = context_;
  const auto& outputs = forward(network_, weights_, network_inputs_, centre_workspace_);
  factor_numbers_ = outputs.col(0).tail(outputs.rows() - dim());
  soft_limit(kLogScaleLimit, factor_numbers_.head(dim()));
  write_factor(factor_numbers_, relative_);
  base_.noise.multiply(relative_.lower(), noise_.lower());
}

void AmortisedKernel::assign(const AffineGaussian& conditional) {
  base_.matrix = conditional.matrix;
  base_.offset = conditional.offset;
  base_.noise = conditional.noise;
  refresh();
}

void AmortisedKernel::set_scales(const Gaussian& prediction, const Gaussian& previous) {
  centre_ = prediction.mean;
  input_scale_ = prediction.factor.standard_deviations();
  output_scale_ = previous.factor.standard_deviations();
  stale_ = true;
}

void AmortisedKernel::set_context(const Eigen::VectorXd& context) {
  context_ = context;
  refresh();
}

void AmortisedKernel::run_network(const Eigen::MatrixXd& x) const {
  if (!stale_ && inputs_.cols() == x.cols() && inputs_ == x) return;
  inputs_ = x;
  network_inputs_.resize(context_.size() + dim(), x.cols());
  network_inputs_.topRows(context_.size()).colwise() = context_;
  network_inputs_.bottomRows(dim()) =
      (x.colwise() - centre_).array().colwise() / input_scale_.array();
  forward(network_, weights_, network_inputs_, workspace_);
  stale_ = false;
}

void AmortisedKernel::mean(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const {
  run_network(x);
  out.noalias() = base_.matrix * x;
  out.colwise() += base_.offset;
  out.array() += workspace_.layers.back().topRows(dim()).array().colwise() * output_scale_.array();
}

void AmortisedKernel::pull_back(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                                Eigen::MatrixXd& out) const {
  run_network(x);
  scaled_.setZero(network_.sizes.back(), x.cols());
  scaled_.topRows(dim()) = cotangent.array().colwise() * output_scale_.array();
  Eigen::VectorXd none;
  backward(network_, weights_, scaled_, workspace_, none, &back_);
  out.noalias() = base_.matrix.transpose() * cotangent;
  out.array() += back_.bottomRows(dim()).array().colwise() / input_scale_.array();
}

void AmortisedKernel::read_parameters(Eigen::Ref<Eigen::VectorXd> parameters) const {
  parameters = weights_;
}

void AmortisedKernel::write_parameters(const Eigen::Ref<const Eigen::VectorXd>& parameters) {
  weights_ = parameters;
  refresh();
}

void AmortisedKernel::parameter_gradient(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                                         const Eigen::MatrixXd& noise_draws,
                                         Eigen::Ref<Eigen::VectorXd> gradient) const {
  run_network(x);
  scaled_.setZero(network_.sizes.back(), x.cols());
  scaled_.topRows(dim()) =
      cotangent.array().colwise() * (output_scale_.array() / static_cast<double>(x.cols()));
  backward(network_, weights_, scaled_, workspace_, gradient, nullptr);
  // c' L M e as a function of M.
  scaled_.noalias() = base_.noise.lower().transpose() * cotangent;
  factor_gradient_.resize(network_.sizes.back() - dim());
  factor_gradient(relative_, scaled_, noise_draws, factor_gradient_);
  add_noise_gradient(factor_gradient_, gradient);
}

void AmortisedKernel::add_entropy_gradient(Eigen::Ref<Eigen::VectorXd> gradient) const {
  factor_gradient_.setZero(network_.sizes.back() - dim());
  factor_gradient_.head(dim()).setOnes();
  add_noise_gradient(factor_gradient_, gradient);
}

void AmortisedKernel::add_noise_gradient(const Eigen::VectorXd& cotangent,
                                         Eigen::Ref<Eigen::VectorXd> gradient) const {
  scaled_.setZero(network_.sizes.back(), 1);
  auto numbers = scaled_.col(0).tail(cotangent.size());
  numbers = cotangent;
  multiply_by_limit_slope(kLogScaleLimit, factor_numbers_.head(dim()), numbers.head(dim()));
  part_.resize(weights_.size());
  backward(network_, weights_, scaled_, centre_workspace_, part_, nullptr);
  gradient += part_;
}

std::unique_ptr<BackwardKernel> AmortisedKernel::clone() const {
  return std::make_unique<AmortisedKernel>(*this);
}

void AmortisedKernel::archive(Archive& archive) {
  const int d = dim();
  const CovarianceForm form = base_.noise.form();
  base_.archive(archive, d, d);
  archive.require(base_.noise.form() == form, "kernel noise", "a covariance of the same form");
  archive.vector("kernel network weights", weights_, weights_.size());
  archive.require_finite("kernel network weights", weights_);
  archive.vector("kernel context", context_, context_.size());
  archive.require_finite("kernel context", context_);
  archive.vector("kernel centre", centre_, d);
  archive.require_finite("kernel centre", centre_);
  for (Eigen::VectorXd* scale : {&input_scale_, &output_scale_}) {
    archive.vector("kernel scale", *scale, d);
    archive.require_finite("kernel scale", *scale);
    archive.require((scale->array() > 0.0).all(), "kernel scale", "positive numbers");
  }
  refresh();
  archive.require_finite("kernel noise", noise_.lower());
}

}  // namespace ovf
