#include "ovf/filter/natural_gradient.hpp"

#include <cmath>
#include <utility>

namespace ovf {
namespace {

constexpr int kTrials = 7;

}  // namespace

NaturalGradient::NaturalGradient(const NaturalGradientConfig& config, int dim)
    : config_(config), precision_factor_(dim, CovarianceForm::kFull) {}

double NaturalGradient::objective(const Gaussian& prediction, const Gaussian& q,
                                  double expected_log_g) {
  offset_ = q.mean - prediction.mean;
  prediction.factor.whiten(offset_);
  covariance_ = q.factor.lower();
  prediction.factor.whiten(covariance_);
  return expected_log_g - 0.5 * (offset_.squaredNorm() + covariance_.squaredNorm()) +
         q.factor.log_determinant();
}

bool NaturalGradient::assign_precision(Gaussian& q) {
  if (!precision_factor_.assign_covariance(precision_, scratch_)) return false;
  if (q.factor.is_diagonal()) {
    // The mean-field optimum: the inverse of the precision's diagonal.
    q.factor.lower().diagonal() = precision_.diagonal().cwiseSqrt().cwiseInverse();
    return true;
  }
  inverse_.setIdentity(q.dim(), q.dim());
  precision_factor_.whiten(inverse_);
  covariance_.noalias() = inverse_.transpose() * inverse_;
  return q.factor.assign_covariance(covariance_, scratch_);
}

bool NaturalGradient::move(double rate, Gaussian& q) {
  precision_ = (1.0 - rate) * last_precision_ + rate * target_precision_;
  if (!assign_precision(q)) return false;
  offset_ = rate * direction_;
  precision_factor_.whiten(offset_);
  precision_factor_.unwhiten_transposed(offset_);
  q.mean = start_.mean + offset_;
  return true;
}

int NaturalGradient::optimise(const StateSpaceModel& model, const Gaussian& prediction,
                              ValueRecursion& /*value*/, StepRecord& record) {
  const Observation& observation = model.observation();
  Gaussian& q = record.marginal.gaussian();
  inverse_.setIdentity(q.dim(), q.dim());
  prediction.factor.whiten(inverse_);
  prior_precision_.noalias() = inverse_.transpose() * inverse_;
  last_precision_ = prior_precision_;
  observation.expected_derivatives(record.y, q, derivatives_);
  double elbo = objective(prediction, q, derivatives_.value);

  for (int iteration = 1; iteration <= config_.iterations; ++iteration) {
    start_ = q;
    offset_ = q.mean - prediction.mean;
    direction_ = derivatives_.gradient;
    direction_.noalias() -= prior_precision_ * offset_;
    target_precision_ = prior_precision_ + derivatives_.curvature;
    if (observation.is_conjugate()) {
      if (!move(1.0, q)) return 0;
      report(iteration, record);
      return iteration;
    }

    double gain = -1.0;
    for (int halvings = 0; halvings < kTrials && !(gain >= 0.0); ++halvings) {
      if (!move(std::ldexp(1.0, -halvings), q)) continue;
      observation.expected_derivatives(record.y, q, trial_);
      gain = objective(prediction, q, trial_.value) - elbo;
    }
    if (!(gain >= 0.0)) {
      q = start_;
      return iteration;
    }
    elbo += gain;
    std::swap(derivatives_, trial_);
    last_precision_ = precision_;
    report(iteration, record);
    if (gain < config_.tolerance) return iteration;
  }
  return config_.iterations;
}

}  // namespace ovf
