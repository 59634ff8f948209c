#include "ovf/filter/predictive_value.hpp"

#include <limits>
#include <utility>

#include "filter/archive_observation.hpp"

namespace ovf {
namespace {

// E[log N(x; mean, L L')] with x - mean = residual + spread * (standard normals); both are whitened
// in place.
double expected_log_normal(const CovarianceFactor& factor, Eigen::VectorXd& residual,
                           Eigen::MatrixXd& spread) {
  factor.whiten(residual);
  factor.whiten(spread);
  return -0.5 * (residual.squaredNorm() + spread.squaredNorm() + factor.dim() * kLogTwoPi) -
         factor.log_determinant();
}

double entropy(const CovarianceFactor& factor) {
  return factor.log_determinant() + 0.5 * factor.dim() * (1.0 + kLogTwoPi);
}

}  // namespace

PredictiveValue::PredictiveValue(int dim, bool recursive)
    : recursive_(recursive),
      smoothed_(standard_gaussian(dim, CovarianceForm::kFull)),
      corrected_(smoothed_) {
  last_.marginal = last_.prediction = smoothed_;
  next_ = last_;
}

double PredictiveValue::expected_log_likelihood(const StateSpaceModel& model, const Term& term,
                                                const Gaussian& x) {
  if (!term.observed) return 0.0;
  model.observation(term.input).expected_derivatives(term.y, x, derivatives_);
  return derivatives_.value;
}

bool PredictiveValue::state_gradient(const StateSpaceModel& model, const Eigen::MatrixXd& x,
                                     Eigen::MatrixXd& out) {
  if (!recursive_) return false;
  log_density_gradient(last_.prediction, x, out);
  log_density_gradient(last_.marginal, x, term_);
  out -= term_;
  if (!last_.observed) return true;
  model.observation(last_.input).gradient(last_.y, x, term_);
  out += term_;
  return true;
}

const Gaussian& PredictiveValue::corrected(const StateSpaceModel& model, const Gaussian& belief,
                                           const Gaussian& around) {
  // Around q_{t-1} itself the site of g is the one that q_{t-1} was fitted with.
  const bool same = &belief == &around && !belief.factor.is_diagonal();
  if (!recursive_ || same) return belief;
  // g as a Gaussian factor by its second-order Hermite expansion around the given distribution.
  const Gaussian& prediction = last_.prediction;
  inverse_.setIdentity(belief.dim(), belief.dim());
  prediction.factor.whiten(inverse_);
  precision_.noalias() = inverse_.transpose() * inverse_;
  information_.noalias() = precision_ * prediction.mean;
  if (last_.observed) {
    model.observation(last_.input).expected_derivatives(last_.y, around, derivatives_);
    precision_ += derivatives_.curvature;
    information_ += derivatives_.gradient;
    information_.noalias() += derivatives_.curvature * around.mean;
  }
  if (!corrected_.factor.assign_inverse(precision_, scratch_)) return belief;
  shift_.noalias() = corrected_.factor.lower().transpose() * information_;
  corrected_.mean.noalias() = corrected_.factor.lower() * shift_;
  return corrected_;
}

double PredictiveValue::expected_past(const StepView& step) {
  const StepRecord& record = step.record;
  const AffineGaussian& f = step.transition;
  joint_.assign(record);
  double sum = entropy(record.kernel->noise());

  // log f
  information_ = joint_.to.constant - f.offset;
  information_.noalias() -= f.matrix * joint_.from.constant;
  const Eigen::Index d = information_.size();
  spread_.resize(d, 2 * d);
  spread_.leftCols(d) = joint_.to.by_z;
  spread_.leftCols(d).noalias() -= f.matrix * joint_.from.by_z;
  spread_.rightCols(d).noalias() = -f.matrix * joint_.from.by_e;
  sum += expected_log_normal(f.noise, information_, spread_);

  // log q_{t-1} (+ V_{t-1} - c_{t-1} = log of its prediction and g instead)
  const Gaussian& before = recursive_ ? last_.prediction : record.previous;
  smoothed_.mean = joint_.from.constant;
  inverse_.noalias() = joint_.from.by_z * joint_.from.by_z.transpose();
  record.kernel->noise().add_to(inverse_);
  if (!smoothed_.factor.assign_covariance(inverse_, scratch_)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (recursive_) sum += expected_log_likelihood(step.model, last_, smoothed_);
  information_ = smoothed_.mean - before.mean;
  inverse_ = smoothed_.factor.lower();
  return sum + expected_log_normal(before.factor, information_, inverse_);
}

double PredictiveValue::update(const StepView& step) {
  const StepRecord& record = step.record;
  const Gaussian& q = record.marginal.gaussian();
  next_.observed = record.observed;
  next_.y = record.y;
  next_.input = record.input;
  next_.prediction.mean = record.prediction.mean;
  next_.prediction.factor.lower() = record.prediction.factor.lower();
  next_.marginal = q;

  const Parts parts = record.tilted() ? sampled(step) : closed_form(step);
  if (!recursive_) {
    next_constant_ = constant_ + parts.past + parts.now;
    return next_constant_;
  }
  // c_t: the expected past less what the prediction says of it.
  next_constant_ = constant_ + parts.past - parts.predicted;
  return next_constant_ + parts.predicted + parts.now;
}

PredictiveValue::Parts PredictiveValue::closed_form(const StepView& step) {
  const StepRecord& record = step.record;
  const Gaussian& q = record.marginal.gaussian();
  information_ = q.mean - record.prediction.mean;
  inverse_ = q.factor.lower();
  Parts parts;
  parts.predicted = expected_log_normal(record.prediction.factor, information_, inverse_);
  parts.past = record.first ? parts.predicted : expected_past(step);
  parts.now = expected_log_likelihood(step.model, next_, q) + entropy(q.factor);
  return parts;
}

// Only with the recursion: a tilted kernel weighs f with all of q_{t-1} exp(V_{t-1}).
PredictiveValue::Parts PredictiveValue::sampled(const StepView& step) {
  const StepRecord& record = step.record;
  const auto& [to, from, log_marginal, log_kernel] = record.draws;
  Eigen::VectorXd term;
  Parts parts;
  parts.now = -log_marginal.mean();
  if (record.observed) {
    step.model.observation(record.input).log_density(record.y, to, term);
    parts.now += term.mean();
  }
  log_density(record.prediction, to, term);
  parts.predicted = term.mean();
  if (record.first) {
    parts.past = parts.predicted;
    return parts;
  }
  parts.past = -log_kernel.mean();
  step.model.transition().log_density(record.input, from, to, term);
  parts.past += term.mean();
  log_density(last_.prediction, from, term);
  parts.past += term.mean();
  if (last_.observed) {
    step.model.observation(last_.input).log_density(last_.y, from, term);
    parts.past += term.mean();
  }
  return parts;
}

void PredictiveValue::commit() {
  std::swap(last_, next_);
  constant_ = next_constant_;
}

void PredictiveValue::Term::archive(Archive& archive, const StateSpaceModel& model) {
  archive_observation(archive, model, observed, input, y);
  prediction.archive(archive, model.state_dim());
  archive.require(!prediction.factor.is_diagonal(), "prediction", "a full covariance");
  marginal.archive(archive, model.state_dim());
}

void PredictiveValue::archive(Archive& archive, const StateSpaceModel& model) {
  archive.number("constant of V", constant_);
  archive.require_finite("constant of V", constant_);
  last_.archive(archive, model);
}

}  // namespace ovf
