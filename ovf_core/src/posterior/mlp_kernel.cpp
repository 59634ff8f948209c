#include "ovf/posterior/mlp_kernel.hpp"

#include "ovf/posterior/factor_parameters.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 14;

}  // namespace

MlpKernel::MlpKernel(int dim, const std::vector<int>& hidden_layers, Activation activation,
                     CovarianceForm noise_form, double deviation, std::uint64_t seed)
    : network_(make_network(dim, hidden_layers, dim, activation)),
      noise_(dim, noise_form, deviation) {
  RandomStream random(seed, kStream);
  weights_ = initial_parameters(network_, random);
}

void MlpKernel::run_network(const Eigen::MatrixXd& x) const {
  if (!stale_ && workspace_.layers.front().cols() == x.cols() && workspace_.layers.front() == x) {
    return;
  }
  forward(network_, weights_, x, workspace_);
  stale_ = false;
}

void MlpKernel::mean(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const {
  run_network(x);
  out = workspace_.layers.back();
}

void MlpKernel::pull_back(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                          Eigen::MatrixXd& out) const {
  run_network(x);
  Eigen::VectorXd none;
  backward(network_, weights_, cotangent, workspace_, none, &out);
}

int MlpKernel::parameter_count() const {
  return static_cast<int>(weights_.size()) + factor_parameter_count(noise_.dim(), noise_.form());
}

void MlpKernel::read_parameters(Eigen::Ref<Eigen::VectorXd> parameters) const {
  parameters.head(weights_.size()) = weights_;
  read_factor(noise_, parameters.tail(parameters.size() - weights_.size()));
}

void MlpKernel::write_parameters(const Eigen::Ref<const Eigen::VectorXd>& parameters) {
  weights_ = parameters.head(weights_.size());
  write_factor(parameters.tail(parameters.size() - weights_.size()), noise_);
  stale_ = true;
}

void MlpKernel::parameter_gradient(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                                   const Eigen::MatrixXd& noise_draws,
                                   Eigen::Ref<Eigen::VectorXd> gradient) const {
  run_network(x);
  scaled_ = cotangent / static_cast<double>(x.cols());
  backward(network_, weights_, scaled_, workspace_, gradient.head(weights_.size()), nullptr);
  factor_gradient(noise_, cotangent, noise_draws, gradient.tail(gradient.size() - weights_.size()));
}

void MlpKernel::add_entropy_gradient(Eigen::Ref<Eigen::VectorXd> gradient) const {
  gradient.segment(weights_.size(), noise_.dim()).array() += 1.0;
}

std::unique_ptr<BackwardKernel> MlpKernel::clone() const {
  return std::make_unique<MlpKernel>(*this);
}

void MlpKernel::archive(Archive& archive) {
  const CovarianceForm form = noise_.form();
  archive.vector("kernel network weights", weights_, weights_.size());
  archive.require_finite("kernel network weights", weights_);
  noise_.archive(archive, noise_.dim());
  archive.require(noise_.form() == form, "kernel noise", "a covariance of the same form");
  stale_ = true;
}

}  // namespace ovf
