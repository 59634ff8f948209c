#include "ovf/filter/quadratic_value.hpp"

#include <utility>

namespace ovf {
QuadraticValue::QuadraticValue(int dim, bool recursive)
    : recursive_(recursive),
      value_(dim, 1),
      next_value_(dim, 1),
      marginal_(standard_gaussian(dim, CovarianceForm::kFull)),
      next_marginal_(marginal_),
      variation_(1) {}

bool QuadraticValue::state_gradient(const StateSpaceModel& /*model*/, const Eigen::MatrixXd& x,
                                    Eigen::MatrixXd& out) {
  if (!recursive_) return false;
  scratch_ = x.colwise() - marginal_.mean;
  marginal_.factor.whiten(scratch_);
  out = value_.gradients(0, scratch_);
  marginal_.factor.unwhiten_transposed(out);
  return true;
}

double QuadraticValue::update(const StepView& step) {
  const StepRecord& record = step.record;
  const Gaussian& q = record.marginal.gaussian();
  joint_.assign(record);
  next_value_.set_zero();
  next_total_ = total_;
  if (record.first) {
    log_density_.add(1.0, record.previous, joint_.to, next_value_);
  } else {
    if (recursive_) {
      joint_.whiten_from(record);
      value_.compose(joint_.whitened_from, next_value_, scratch_);
      value_.expected_variation(joint_.whitened_from.constant, joint_.whitened_covariance,
                                variation_);
      next_total_ += variation_[0];
    }
    log_density_.add(1.0, step.transition, joint_.from, joint_.to, next_value_);
    log_density_.add(1.0, record.previous, joint_.from, next_value_);
    log_density_.add(-1.0, *record.kernel->affine(), joint_.to, joint_.from, next_value_);
  }
  log_density_.add(-1.0, q, joint_.to, next_value_);
  if (record.observed) add_observation(step);
  next_total_ += next_value_.constant()[0];
  next_value_.constant().setZero();
  next_marginal_ = q;
  return next_total_;
}

void QuadraticValue::add_observation(const StepView& step) {
  const Gaussian& q = step.record.marginal.gaussian();
  const Eigen::MatrixXd& factor = q.factor.lower();
  step.model.observation(step.record.input).expected_derivatives(step.record.y, q, derivatives_);
  next_value_.constant()[0] += derivatives_.value;
  next_value_.linear().col(0).noalias() += factor.transpose() * derivatives_.gradient;
  scratch_.noalias() = derivatives_.curvature * factor;
  next_value_.quadratic().noalias() -= factor.transpose() * scratch_;
}

void QuadraticValue::commit() {
  std::swap(value_, next_value_);
  std::swap(marginal_, next_marginal_);
  total_ = next_total_;
}

void QuadraticValue::archive(Archive& archive, const StateSpaceModel& model) {
  archive.number("ELBO", total_);
  archive.require_finite("ELBO", total_);
  value_.archive(archive);
  archive.require_finite("V", value_.linear());
  archive.require_finite("V", value_.quadratic());
  marginal_.archive(archive, model.state_dim());
}

}  // namespace ovf
