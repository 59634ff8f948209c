#include "ovf/filter/joint_draws.hpp"

namespace ovf {
namespace {

void normalise(const Eigen::VectorXd& log_weights, Eigen::VectorXd& weights) {
  weights = (log_weights.array() - log_weights.maxCoeff()).exp();
  weights /= weights.sum();
}

}  // namespace

void log_density_of_noise(const CovarianceFactor& factor, const Eigen::MatrixXd& z,
                          Eigen::VectorXd& out) {
  out = -0.5 * z.colwise().squaredNorm().transpose();
  out.array() -= factor.log_determinant() + 0.5 * factor.dim() * kLogTwoPi;
}

void log_density_at(const Gaussian& gaussian, const Eigen::MatrixXd& x, Eigen::MatrixXd& scratch,
                    Eigen::VectorXd& out) {
  scratch = x.colwise() - gaussian.mean;
  gaussian.factor.whiten(scratch);
  log_density_of_noise(gaussian.factor, scratch, out);
}

double JointDraws::efficiency() const {
  return 1.0 / (weights.squaredNorm() * static_cast<double>(weights.size()));
}

double JointDraws::log_variance() const {
  return (log_weights.array() - log_weights.mean()).square().mean();
}

void JointDraws::weigh(const StateSpaceModel& model, const GivenObservation& now,
                       const Gaussian& before, const GivenObservation& last) {
  log_now = -log_marginal;
  if (now.y.size() > 0) {
    model.observation(now.input).log_density(now.y, to, values_);
    log_now += values_;
  }
  if (from.cols() == 0) {
    log_density_at(before, to, residual_, log_past);
  } else {
    model.transition().log_density(now.input, from, to, log_past);
    log_past -= log_kernel;
    log_density_at(before, from, residual_, values_);
    log_past += values_;
    if (last.y.size() > 0) {
      model.observation(last.input).log_density(last.y, from, values_);
      log_past += values_;
    }
  }
  log_weights = log_past + log_now;
  normalise(log_weights, weights);
  further_weights = weights;
}

void JointDraws::weigh_further_back(const StateSpaceModel& model, const Eigen::MatrixXd& earlier,
                                    const Eigen::VectorXd& log_earlier_kernel,
                                    const Gaussian& replaced, const StepInput& input,
                                    const Gaussian& before, const GivenObservation& last) {
  log_further_ = log_weights - log_earlier_kernel;
  log_density_at(replaced, from, residual_, values_);
  log_further_ -= values_;
  model.transition().log_density(input, earlier, from, values_);
  log_further_ += values_;
  log_density_at(before, earlier, residual_, values_);
  log_further_ += values_;
  if (last.y.size() > 0) {
    model.observation(last.input).log_density(last.y, earlier, values_);
    log_further_ += values_;
  }
  normalise(log_further_, further_weights);
}

}  // namespace ovf
