#include "ovf/filter/backward_weighted_score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 13;
// Of the standard deviations of a Gaussian q_t: weights stay bounded where it is too narrow.
constexpr double kWidening = 1.2;
// Numbers of a block of pairs, which bounds the memory and keeps it in the cache.
constexpr Eigen::Index kBlock = 1 << 16;
// S beyond this is an overflow on its way.
constexpr double kMaxScore = 1e100;
constexpr double kSumTolerance = 1e-9;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Turns log weights into weights of sum 1, and returns the log of their sum. What is not finite
// weighs nothing; where nothing is left all weigh the same, and their sum was 0.
double normalise(Eigen::Ref<Eigen::VectorXd> weights) {
  double best = -kInfinity;
  for (double& weight : weights) {
    if (!std::isfinite(weight)) weight = -kInfinity;
    best = std::max(best, weight);
  }
  if (best == -kInfinity) {
    weights.setConstant(1.0 / static_cast<double>(weights.size()));
    return -kInfinity;
  }
  weights.array() = (weights.array() - best).exp();
  const double sum = weights.sum();
  weights /= sum;
  return best + std::log(sum);
}

}  // namespace

BackwardWeightedScore::BackwardWeightedScore(int draws, bool recursive, std::uint64_t seed)
    : count_(draws), recursive_(recursive), random_(seed, kStream), committed_random_(random_) {}

void BackwardWeightedScore::update(const StepView& step, const PredictionView& /*prediction*/,
                                   ScoreIncrement& increment) {
  propose(step);
  next_.weights.resize(count_);
  next_.score.setZero(step.model.parameters().size(), count_);
  if (step.record.first) {
    log_density(step.model.prior(), next_.x, next_.weights);
  } else {
    // Only an archive that was tampered with leads here; the step is refused.
    if (last_.x.cols() == 0) throw std::invalid_argument("S, which has no draws of the last state");
    carry_over(step);
  }
  if (step.record.observed) observe(step);
  next_.weights -= log_proposal_;
  discard_unusable();
  normalise(next_.weights);
  // The weighted mean of S_{t-1} is zero already.
  increment.gradient.noalias() = next_.score * next_.weights;
  if (recursive_) {
    next_.score.colwise() -= increment.gradient;
  } else {
    next_.score.setZero();
  }
}

void BackwardWeightedScore::propose(const StepView& step) {
  const StepRecord& record = step.record;
  if (record.tilted_marginal) {
    record.draw(step.model, static_cast<int>(count_), random_, next_.x, log_proposal_);
    return;
  }
  noise_.resize(step.model.state_dim(), count_);
  random_.fill_normal(noise_);
  log_proposal_ = -0.5 * noise_.colwise().squaredNorm().transpose();
  noise_ *= kWidening;
  record.marginal.sample(noise_, next_.x);
}

void BackwardWeightedScore::carry_over(const StepView& step) {
  log_last_weights_ = last_.weights.array().log();
  const auto numbers =
      count_ * std::max(step.model.state_dim(), step.model.transition_parameter_count());
  const Eigen::Index block = std::clamp<Eigen::Index>(kBlock / numbers, 1, count_);
  for (Eigen::Index first = 0; first < count_; first += block) {
    carry_over_block(step, first, std::min(block, count_ - first));
  }
}

void BackwardWeightedScore::carry_over_block(const StepView& step, Eigen::Index first,
                                             Eigen::Index count) {
  const Transition& transition = step.model.transition();
  const StepInput& input = step.record.input;
  from_.resize(last_.x.rows(), count * count_);
  to_.resize(last_.x.rows(), count * count_);
  for (Eigen::Index m = 0; m < count; ++m) {
    from_.middleCols(m * count_, count_) = last_.x;
    to_.middleCols(m * count_, count_).colwise() = next_.x.col(first + m);
  }
  transition.log_density(input, from_, to_, pair_weights_);
  for (Eigen::Index m = 0; m < count; ++m) {
    auto weights = pair_weights_.segment(m * count_, count_);
    weights += log_last_weights_;
    next_.weights[first + m] = normalise(weights);
  }
  next_.score.middleCols(first, count).noalias() =
      last_.score * pair_weights_.reshaped(count_, count);
  const int parameters = step.model.transition_parameter_count();
  if (parameters == 0) return;
  term_.resize(parameters, count);
  transition.grouped_scores(input, from_, to_, pair_weights_, term_);
  next_.score.block(0, first, parameters, count) += term_;
}

void BackwardWeightedScore::observe(const StepView& step) {
  const Observation& observation = step.model.observation(step.record.input);
  observation.log_density(step.record.y, next_.x, log_g_);
  next_.weights += log_g_;
  const Eigen::Index parameters = next_.score.rows() - step.model.transition_parameter_count();
  if (parameters == 0) return;
  term_.resize(parameters, count_);
  observation.scores(step.record.y, next_.x, term_);
  next_.score.bottomRows(parameters) += term_;
}

void BackwardWeightedScore::discard_unusable() {
  for (Eigen::Index m = 0; m < count_; ++m) {
    // False for what is not a number, too.
    if ((next_.score.col(m).array().abs() <= kMaxScore).all()) continue;
    next_.weights[m] = -kInfinity;
    next_.score.col(m).setZero();
  }
}

void BackwardWeightedScore::commit() {
  committed_random_ = random_;
  std::swap(last_, next_);
}

void BackwardWeightedScore::archive(Archive& archive, const StateSpaceModel& model) {
  random_.archive(archive);
  committed_random_ = random_;
  archive.expect("draws of S", count_);
  bool started = last_.x.cols() > 0;
  archive.flag("whether S has draws", started);
  if (!started) {
    last_ = {};
    return;
  }
  archive.matrix("draws of S", last_.x, model.state_dim(), count_);
  archive.require_finite("draws of S", last_.x);
  archive.vector("weights of S", last_.weights, count_);
  archive.require(
      (last_.weights.array() >= 0.0).all() && std::abs(last_.weights.sum() - 1.0) <= kSumTolerance,
      "weights of S", "numbers not below 0 of sum 1");
  archive.matrix("S at its draws", last_.score, model.parameters().size(), count_);
  archive.require_finite("S at its draws", last_.score);
}

}  // namespace ovf
