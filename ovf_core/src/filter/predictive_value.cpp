#include "ovf/filter/predictive_value.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "filter/archive_observation.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 22;
// Draws that weigh a step, in antithetic pairs; and every how many steps, where f is nearly linear.
constexpr int kDraws = 16;
constexpr long kInterval = 4;
constexpr double kMaxSharpening = 4.0;
// Nats, root mean square of log f less that of its line.
constexpr double kNearlyLinear = 0.03;

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

PredictiveValue::PredictiveValue(int dim, bool recursive, int lag, bool draws)
    : recursive_(recursive),
      has_draws_(draws),
      corrects_(recursive && lag > 0),
      random_(kStream),
      committed_random_(random_),
      lagged_(recursive ? lag : 0, dim),
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
  has_site_ = false;
  if (!recursive_ || same) return belief;
  // g as a Gaussian factor by its second-order Hermite expansion around the given distribution.
  const Gaussian& prediction = last_.prediction;
  inverse_.setIdentity(belief.dim(), belief.dim());
  prediction.factor.whiten(inverse_);
  precision_.noalias() = inverse_.transpose() * inverse_;
  information_.noalias() = precision_ * prediction.mean;
  if (last_.observed) {
    ExpectedDerivatives& g = site_.expansion;
    model.observation(last_.input).expected_derivatives(last_.y, around, g);
    site_.centre = around.mean;
    precision_ += g.curvature;
    information_ += g.gradient;
    information_.noalias() += g.curvature * around.mean;
  }
  if (!corrected_.factor.assign_inverse(precision_, scratch_)) return belief;
  if (last_.observed && site_.expansion.line_error > 0.0 && is_sharper(belief)) return belief;
  has_site_ = last_.observed;
  shift_.noalias() = corrected_.factor.lower().transpose() * information_;
  corrected_.mean.noalias() = corrected_.factor.lower() * shift_;
  return corrected_;
}

// Whether some direction of the corrected belief is known much better than in the belief: more than
// an expansion around another place can tell.
bool PredictiveValue::is_sharper(const Gaussian& belief) {
  inverse_ = belief.factor.lower();
  corrected_.factor.whiten(inverse_);
  // The largest ratio of variances is at most the squared norm.
  return inverse_.squaredNorm() > kMaxSharpening * static_cast<double>(belief.dim());
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
  if (recursive_) {
    const double log_g = expected_log_likelihood(step.model, last_, smoothed_);
    if (has_site_) excess_ = site_.excess(smoothed_, log_g);
    sum += log_g;
  }
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

  Parts parts = record.tilted() ? parts_of(record, record.draws) : closed_form(step);
  next_variance_ = variance_;
  next_curvature_ = curvature_;
  curvature_now_ = 0.0;
  if (record.tilted()) {
    weights_ = {record.draws.efficiency(), record.draws.log_variance()};
    next_variance_ += weights_.log_variance / static_cast<double>(record.draws.to.cols());
  } else if (has_draws_ && is_approximate(step)) {
    const double curvature = expected_curvature(step);
    if (corrects_) parts.past += curvature;
  }
  if (!recursive_) {
    next_constant_ = constant_ + parts.past + parts.now;
    return next_constant_;
  }
  // c_t: the expected past less what the prediction says of it.
  next_constant_ = constant_ + parts.past - parts.predicted;
  if (!record.first && !record.tilted()) next_constant_ += lagged_correction(step);
  return next_constant_ + parts.predicted + parts.now;
}

double PredictiveValue::lagged_correction(const StepView& step) {
  LaggedStep& next = lagged_.next();
  next.kernel = *step.record.kernel->affine();
  next.curvature = curvature_now_;
  if (next.curvature != 0.0) {
    next.line = step.transition;
    next.input = step.record.input;
  }
  next.observed = has_site_ && !step.model.observation(last_.input).is_conjugate();
  if (next.observed) {
    next.y = last_.y;
    next.last_input = last_.input;
    next.site = site_;
    next.excess = excess_;
  } else {
    next.y.resize(0);
    next.last_input = {};
  }
  const double correction = lagged_.update(step.model, smoothed_, random_);
  next_variance_ += lagged_.variance();
  return correction;
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

PredictiveValue::Parts PredictiveValue::parts_of(const StepRecord& record,
                                                 const JointDraws& draws) {
  log_density_at(record.prediction, draws.to, residual_, values_);
  return {.past = draws.log_past.mean(), .predicted = values_.mean(), .now = draws.log_now.mean()};
}

bool PredictiveValue::is_approximate(const StepView& step) const {
  if (step.record.first) return step.record.observed && !step.model.observation().is_conjugate();
  return !step.model.transition().is_linear() || !step.model.observation().is_conjugate();
}

void PredictiveValue::draw(const StepView& step) {
  const StepRecord& record = step.record;
  const Gaussian& q = record.marginal.gaussian();
  normals_.resize(q.dim(), kDraws);
  random_.fill_normal_antithetic(normals_);
  record.marginal.sample(normals_, draws_.to);
  log_density_of_noise(q.factor, normals_, draws_.log_marginal);
  if (record.first) {
    draws_.from.resize(0, 0);
  } else {
    draw_previous(record);
  }
  // Without the recursion q_{t-1} stands before f, the last observation in it.
  const GivenObservation last{recursive_ ? last_.y : nothing_, last_.input};
  draws_.weigh(step.model, record.observation(),
               record.first ? record.prediction
               : recursive_ ? last_.prediction
                            : record.previous,
               last);
  weights_ = {draws_.efficiency(), draws_.log_variance()};
}

// x_{t-1} given the draws of x_t.
void PredictiveValue::draw_previous(const StepRecord& record) {
  random_.fill_normal_antithetic(normals_);
  const AffineGaussian& kernel = *record.kernel->affine();
  draws_.from.noalias() = kernel.matrix * draws_.to;
  draws_.from.noalias() += kernel.noise.lower() * normals_;
  draws_.from.colwise() += kernel.offset;
  log_density_of_noise(record.kernel->noise(), normals_, draws_.log_kernel);
}

double PredictiveValue::expected_curvature(const StepView& step) {
  const bool linear = step.record.first || step.model.transition().is_linear();
  if ((linear || curvature_ < kNearlyLinear) && count_ % kInterval != 0) return 0.0;
  draw(step);
  if (linear) return 0.0;
  transition_excess(step.model, step.record.input, step.transition, draws_.from, draws_.to,
                    residual_, values_);
  next_curvature_ = std::sqrt(values_.squaredNorm() / static_cast<double>(values_.size()));
  if (next_curvature_ < kNearlyLinear) return 0.0;
  curvature_now_ = values_.mean();
  return curvature_now_;
}

void PredictiveValue::commit() {
  std::swap(last_, next_);
  constant_ = next_constant_;
  variance_ = next_variance_;
  curvature_ = next_curvature_;
  committed_random_ = random_;
  lagged_.commit();
  ++count_;
}

void PredictiveValue::reject() { random_ = committed_random_; }

void PredictiveValue::Term::archive(Archive& archive, const StateSpaceModel& model) {
  archive_observation(archive, model, observed, input, y);
  prediction.archive(archive, model.state_dim());
  archive.require(!prediction.factor.is_diagonal(), "prediction", "a full covariance");
  marginal.archive(archive, model.state_dim());
}

void PredictiveValue::archive(Archive& archive, const StateSpaceModel& model) {
  archive.number("constant of V", constant_);
  archive.require_finite("constant of V", constant_);
  archive.number("variance of the ELBO", variance_);
  archive.require(variance_ >= 0.0, "variance of the ELBO", "0 or a positive number");
  archive.number("curvature of f", curvature_);
  archive.require(curvature_ >= 0.0, "curvature of f", "0 or a positive number");
  archive.number("efficiency of draws", weights_.efficiency);
  archive.number("variance of log weights", weights_.log_variance);
  archive.require(weights_.log_variance >= 0.0, "variance of log weights", "0 or more");
  committed_random_.archive(archive);
  if (archive.reading()) random_ = committed_random_;
  archive.integer("steps", count_, 0, std::numeric_limits<long>::max() - 1);
  last_.archive(archive, model);
  lagged_.archive(archive, model);
}

}  // namespace ovf
