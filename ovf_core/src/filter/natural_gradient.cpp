#include "ovf/filter/natural_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ovf {
namespace {

constexpr int kTrials = 7;
// Of the prediction's precision that q keeps at least, where g is convex somewhere.
constexpr double kMinPrecision = 0.25;
// An error of the observation's line, in units of the noise, that lets one expect several peaks.
constexpr double kManyPeaks = 1.0;
constexpr int kMaxPeaks = 3;
// Nats by which a second peak may be worse and still be a candidate.
constexpr double kAmbiguous = 2.0;
// Evidence far from q, in units of its own, that makes it a doubtful choice.
constexpr double kFarEvidence = 0.2;
// Standard deviations within which two beliefs are the same.
constexpr double kNear = 3.0;

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
  if (derivatives_.line_error > 0.0) {
    precision_ = (1.0 - kMinPrecision) * prior_precision_ + next_curvature_;
    if (!full_.assign_inverse(precision_, scratch_)) return false;
  }
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
  if (restart) ambiguous_ = false;
  if (!record.observed) return 1;  // q_t is the prediction
  const Observation& observation = model.observation(record.input);
  Gaussian& q = record.marginal.gaussian();
  scratch_.setIdentity(q.dim(), q.dim());
  prediction.factor.whiten(scratch_);
  prior_precision_.noalias() = scratch_.transpose() * scratch_;
  if (restart) {
    curvature_.setZero();
    if (warm_) assume_curvature(q);
    next_curvature_ = curvature_;
  } else {
    next_curvature_ = curvature_;
    if (!assign_precision(q)) return 0;
  }
  observation.expected_derivatives(record.y, q, derivatives_);
  const double line_error = restart ? derivatives_.line_error : 0.0;
  Ascent best = ascend(observation, prediction, record);
  if (line_error == 0.0 || best.iterations == 0) return best.iterations;
  peaks_.begin(observation, record.y, prediction);
  if (line_error > kManyPeaks) best = try_other_peaks(observation, prediction, best, record);
  // The objective's constant.
  const double log_evidence = best.elbo - prediction.factor.log_determinant() +
                              (q.factor.is_diagonal() ? 0.5 * q.dim() : 0.0);
  if (peaks_.far_evidence(q) > kFarEvidence * std::exp(log_evidence)) ambiguous_ = true;
  return best.iterations;
}

// The curvature of log g that would give q the covariance that it has.
void NaturalGradient::assume_curvature(const Gaussian& q) {
  scratch_.setIdentity(q.dim(), q.dim());
  q.factor.whiten(scratch_);
  curvature_.noalias() = scratch_.transpose() * scratch_;
  curvature_ -= prior_precision_;
  if (q.factor.is_diagonal()) curvature_ = Eigen::MatrixXd(curvature_.diagonal().asDiagonal());
}

// From q, with the expected derivatives there.
NaturalGradient::Ascent NaturalGradient::ascend(const Observation& observation,
                                                const Gaussian& prediction, StepRecord& record) {
  Gaussian& q = record.marginal.gaussian();
  diagonal_curvature_ = derivatives_.diagonal;
  double elbo = objective(prediction, q, derivatives_.value);
  for (int iteration = 1; iteration <= config_.iterations; ++iteration) {
    start_ = q;
    offset_ = q.mean - prediction.mean;
    direction_ = derivatives_.gradient;
    direction_.noalias() -= prior_precision_ * offset_;
    if (observation.is_conjugate()) {
      if (!move(1.0, derivatives_, q)) return {};
      curvature_ = next_curvature_;
      report(iteration, record);
      return {iteration, elbo};
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
      return {iteration, elbo};
    }
    elbo += gain;
    std::swap(derivatives_, trial_);
    std::swap(curvature_, next_curvature_);
    report(iteration, record);
    if (gain < config_.tolerance || out_of_time()) return {iteration, elbo};
  }
  return {config_.iterations, elbo};
}

NaturalGradient::Ascent NaturalGradient::try_other_peaks(const Observation& observation,
                                                         const Gaussian& prediction, Ascent best,
                                                         StepRecord& record) {
  Gaussian& q = record.marginal.gaussian();
  best_ = q;
  best_curvature_ = curvature_;
  double second = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMaxPeaks && !out_of_time(); ++k) {
    if (k > 0) peaks_.exclude(q);  // the first may be a wide one over several peaks
    if (!peaks_.find(observation, record.y, prediction, q)) break;
    assume_curvature(q);
    next_curvature_ = curvature_;
    observation.expected_derivatives(record.y, q, derivatives_);
    const Ascent other = ascend(observation, prediction, record);
    best.iterations += other.iterations;
    if (other.iterations == 0 || !std::isfinite(other.elbo)) break;
    const bool same = is_near(best_, q);
    if (other.elbo > best.elbo) {
      if (!same) second = best.elbo;
      best.elbo = other.elbo;
      best_ = q;
      best_curvature_ = curvature_;
    } else if (!same) {
      second = std::max(second, other.elbo);
    }
  }
  ambiguous_ = second > best.elbo - kAmbiguous;
  q = best_;
  curvature_ = best_curvature_;
  return best;
}

bool NaturalGradient::is_near(const Gaussian& a, const Gaussian& b) {
  offset_ = a.mean - b.mean;
  b.factor.whiten(offset_);
  return offset_.norm() < kNear;
}

}  // namespace ovf
