#include "ovf/filter/reward.hpp"

namespace ovf {

void Reward::values(const StateSpaceModel& model, const StepRecord& record,
                    const Eigen::MatrixXd& from, const Eigen::MatrixXd& to, Eigen::VectorXd& out) {
  log_density(record.marginal.gaussian(), to, out);
  out = -out;
  if (record.observed) {
    model.observation(record.input).log_density(record.y, to, term_);
    out += term_;
  }
  if (record.first) {
    log_density(record.previous, to, term_);
    out += term_;
    return;
  }
  model.transition().log_density(record.input, from, to, term_);
  out += term_;
  log_density(record.previous, from, term_);
  out += term_;
  record.kernel->mean(to, residual_);
  residual_ = from - residual_;
  const CovarianceFactor& noise = record.kernel->noise();
  noise.whiten(residual_);
  out += 0.5 * residual_.colwise().squaredNorm().transpose();
  out.array() += noise.log_determinant() + 0.5 * noise.dim() * kLogTwoPi;
}

void Reward::target_gradients(const StateSpaceModel& model, const StepRecord& record,
                              const Eigen::MatrixXd& from, const Eigen::MatrixXd& to,
                              Eigen::MatrixXd& d_from, Eigen::MatrixXd& d_to) {
  if (record.first) {
    d_from.setZero(to.rows(), to.cols());
    log_density_gradient(record.previous, to, d_to);
  } else {
    model.transition().gradients(record.input, from, to, d_from, d_to);
    log_density_gradient(record.previous, from, gradient_);
    d_from += gradient_;
  }
  if (!record.observed) return;
  model.observation(record.input).gradient(record.y, to, gradient_);
  d_to += gradient_;
}

}  // namespace ovf
