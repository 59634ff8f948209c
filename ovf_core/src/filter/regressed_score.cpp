#include "ovf/filter/regressed_score.hpp"

#include <algorithm>

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 3;

}  // namespace

RegressedScore::RegressedScore(const RegressionConfig& config, bool recursive, int lookback,
                               int samples, std::uint64_t seed)
    : config_(config),
      recursive_(recursive),
      increment_samples_(samples),
      random_(seed, kStream),
      committed_random_(random_),
      current_(1) {
  for (int k = 0; k <= lookback; ++k) {
    fitted_.push_back(std::make_unique<RegressedFunction>(config));
  }
}

void RegressedScore::targets(const StepView& step, const BackwardSamples& samples,
                             Eigen::MatrixXd& out) {
  // S_{t-L}(x_{t-L}) + sum of s_k: the bias-variance equation of Section 3.5; Eq. (12) for L = 1.
  const std::size_t depth = samples.x.size() - 1;
  if (depth < step.chain.size()) {
    step.model.first_scores(step.chain[depth]->input, step.chain[depth]->y, samples.x[depth], out);
  } else if (recursive_ && fitted_[depth]->fitted()) {
    fitted_[depth]->evaluate(samples.x[depth], out);
  } else {
    out.setZero(step.model.parameters().size(), samples.x[0].cols());
  }
  for (std::size_t k = depth; k-- > 0;) {
    const StepRecord& record = *step.chain[k];
    step.model.scores(record.input, record.y, samples.x[k + 1], samples.x[k], term_);
    out += term_;
  }
}

void RegressedScore::increment_gradient(const StepView& step, Eigen::VectorXd& gradient) {
  current_[0] = &step.record;
  samples_.draw(step.model, current_, increment_samples_, 1.0, random_);
  if (step.record.first) {
    step.model.first_scores(step.record.input, step.record.y, samples_.x[0], term_);
    gradient = term_.rowwise().mean();
    return;
  }
  step.model.scores(step.record.input, step.record.y, samples_.x[1], samples_.x[0], term_);
  gradient = term_.rowwise().mean();
  if (!recursive_ || !fitted_[1]->fitted()) return;
  fitted_[1]->evaluate(samples_.x[1], term_);
  gradient += term_.rowwise().mean();
  noise_.resize(samples_.x[0].rows(), increment_samples_);
  random_.fill_normal(noise_);
  previous_.gaussian() = step.record.previous;
  previous_.sample(noise_, from_);
  fitted_[1]->evaluate(from_, term_);
  gradient -= term_.rowwise().mean();
}

void RegressedScore::fit(const StepView& step) {
  RegressedFunction& next = *fitted_[0];
  next.continue_from(*fitted_[1]);
  samples_.draw(step.model, step.chain, config_.points, config_.inflation, random_);
  targets(step, samples_, targets_);
  // The constant of S grows with t and cancels in the increment; without it the ridge and single
  // precision see only what varies.
  const Eigen::VectorXd mean = targets_.rowwise().mean();
  targets_.colwise() -= mean;
  next.fit(step.record.marginal.gaussian(), samples_.x[0], targets_);
  for (int i = 0; i < config_.tune_steps; ++i) {
    samples_.draw(step.model, step.chain, config_.tune_points, 1.0, random_);
    targets(step, samples_, targets_);
    targets_.colwise() -= mean;
    next.tune(samples_.x[0], targets_);
  }
}

void RegressedScore::update(const StepView& step, const PredictionView& /*prediction*/,
                            ScoreIncrement& increment) {
  increment_gradient(step, increment.gradient);
  if (recursive_) fit(step);
}

void RegressedScore::commit() {
  committed_random_ = random_;
  if (recursive_) std::rotate(fitted_.begin(), fitted_.end() - 1, fitted_.end());
}

void RegressedScore::archive(Archive& archive, const StateSpaceModel& model) {
  random_.archive(archive);
  committed_random_ = random_;
  archive.expect("regressor of S", static_cast<int>(config_.regressor.kind));
  for (std::size_t k = 1; k < fitted_.size(); ++k) {
    fitted_[k]->archive(archive, model.state_dim(), model.parameters().size());
  }
}

}  // namespace ovf
