#include "ovf/filter/natural_gradient.hpp"

#include <cmath>
#include <limits>
#include <utility>

namespace ovf {
namespace {

constexpr int kTrials = 7;

}  // namespace

NaturalGradient::NaturalGradient(const NaturalGradientConfig& config, int dim, bool warm)
    : config_(config),
      warm_(warm),
      curvature_(Eigen::MatrixXd::Zero(dim, dim)),
      full_(dim, CovarianceForm::kFull) {}

// Up to a constant: E_q[log g] - (|offset|^2 + trace(P^-1 S)) / 2 + log det L.
double NaturalGradient::objective(const Gaussian& prediction, const Gaussian& q,
                                  double expected_log_g) {
  offset_ = q.mean - prediction.mean;
  prediction.factor.whiten(offset_);
  const Eigen::MatrixXd& lower = q.factor.lower();
  double trace = 0.0;
  if (q.factor.is_diagonal()) {
    trace = prior_precision_.diagonal().dot(lower.diagonal().cwiseAbs2());
  } else {
    // (P^-1 + curvature) S = I, so trace(P^-1 S) = d - trace(curvature S).
    if (diagonal_curvature_) {
      trace = -next_curvature_.diagonal().dot(lower.rowwise().squaredNorm());
    } else {
      scratch_.noalias() = next_curvature_ * lower;
      trace = -scratch_.cwiseProduct(lower).sum();
    }
  }
  return expected_log_g - 0.5 * (offset_.squaredNorm() + trace) + q.factor.log_determinant();
}

bool NaturalGradient::assign_precision(Gaussian& q) {
  precision_ = prior_precision_ + next_curvature_;
  if (!full_.assign_inverse(precision_, scratch_)) return false;
  if (q.factor.is_diagonal()) return q.factor.assign_inverse(precision_, scratch_);
  q.factor.lower() = full_.lower();
  return true;
}

bool NaturalGradient::move(double rate, const ExpectedDerivatives& target, Gaussian& q) {
  next_curvature_ = (1.0 - rate) * curvature_ + rate * target.curvature;
  if (!assign_precision(q)) return false;
  shift_.noalias() = full_.lower().transpose() * direction_;
  offset_.noalias() = full_.lower() * shift_;
  q.mean = start_.mean + rate * offset_;
  return true;
}

int NaturalGradient::optimise(const StateSpaceModel& model, const Gaussian& prediction,
                              bool restart, ValueRecursion& /*value*/, StepRecord& record) {
  if (!record.observed) return 1;  // q_t is the prediction
  const Observation& observation = model.observation(record.input);
  Gaussian& q = record.marginal.gaussian();
  scratch_.setIdentity(q.dim(), q.dim());
  prediction.factor.whiten(scratch_);
  prior_precision_.noalias() = scratch_.transpose() * scratch_;
  if (restart) {
    curvature_.setZero();
    if (warm_) {
      // The curvature of log g that would give q the covariance that it has.
      scratch_.setIdentity(q.dim(), q.dim());
      q.factor.whiten(scratch_);
      curvature_.noalias() = scratch_.transpose() * scratch_;
      curvature_ -= prior_precision_;
      if (q.factor.is_diagonal()) curvature_ = Eigen::MatrixXd(curvature_.diagonal().asDiagonal());
    }
    next_curvature_ = curvature_;
  } else {
    next_curvature_ = curvature_;
    if (!assign_precision(q)) return 0;
  }
  observation.expected_derivatives(record.y, q, derivatives_);
  diagonal_curvature_ = derivatives_.diagonal;
  double elbo = objective(prediction, q, derivatives_.value);

  for (int iteration = 1; iteration <= config_.iterations; ++iteration) {
    start_ = q;
    offset_ = q.mean - prediction.mean;
    direction_ = derivatives_.gradient;
    direction_.noalias() -= prior_precision_ * offset_;
    if (observation.is_conjugate()) {
      if (!move(1.0, derivatives_, q)) return 0;
      curvature_ = next_curvature_;
      report(iteration, record);
      return iteration;
    }

    // A curvature that is not quite that of the objective may cost less than the tolerance.
    double gain = -std::numeric_limits<double>::infinity();
    for (int halvings = 0; halvings < kTrials && !(gain >= -config_.tolerance); ++halvings) {
      if (!move(std::ldexp(1.0, -halvings), derivatives_, q)) continue;
      observation.expected_derivatives(record.y, q, trial_);
      gain = objective(prediction, q, trial_.value) - elbo;
    }
    if (!(gain >= -config_.tolerance)) {
      q = start_;
      return iteration;
    }
    elbo += gain;
    std::swap(derivatives_, trial_);
    std::swap(curvature_, next_curvature_);
    report(iteration, record);
    if (gain < config_.tolerance || out_of_time()) return iteration;
  }
  return config_.iterations;
}

}  // namespace ovf
