#include "ovf/filter/regressed_value.hpp"

#include <algorithm>

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 2;

}  // namespace

RegressedValue::RegressedValue(const RegressionConfig& config, bool recursive, int lookback,
                               std::uint64_t seed)
    : config_(config),
      recursive_(recursive),
      random_(seed, kStream),
      committed_random_(random_),
      current_(1) {
  for (int k = 0; k <= lookback; ++k) {
    fitted_.push_back(std::make_unique<Fitted>(Fitted{RegressedFunction(config)}));
  }
}

bool RegressedValue::state_gradient(const StateSpaceModel& /*model*/, const Eigen::MatrixXd& x,
                                    Eigen::MatrixXd& out) {
  const RegressedFunction& last = fitted_[1]->function;
  if (!last.fitted()) return false;
  last.evaluate_within_reach(x, predicted_);
  out = predicted_.topRows(x.rows());
  return true;
}

void RegressedValue::targets(const StepView& step, const BackwardSamples& samples,
                             Eigen::MatrixXd& out) {
  const Eigen::Index d = samples.x[0].rows();
  const Eigen::Index count = samples.x[0].cols();
  out.setZero(d + 1, count);
  auto value = out.row(d);

  // Where the draws end: in the function of that step, or at the very first step.
  const std::size_t depth = samples.x.size() - 1;
  cotangent_.setZero(d, count);
  if (depth < step.chain.size()) {
    const StepRecord& first = *step.chain[depth];
    reward_.target_gradients(step.model, first, samples.x[depth], samples.x[depth], d_from_,
                             cotangent_);
    log_density_gradient(first.marginal.gaussian(), samples.x[depth], term_);
    cotangent_ -= term_;
    reward_.values(step.model, first, samples.x[depth], samples.x[depth], rewards_);
    value += rewards_.transpose();
  } else if (recursive_ && fitted_[depth]->function.fitted()) {
    fitted_[depth]->function.evaluate(samples.x[depth], predicted_);
    cotangent_ = predicted_.topRows(d);
    value = predicted_.row(d).array() + fitted_[depth]->mean_value;
  }
  // Forward again: V_k = V_{k-1} + r_k, T_k = (T_{k-1} + dr/dx_{k-1}) dx_{k-1}/dx_k + dr/dx_k
  // (Eqs. 10, 14); the kernel's own density does not change with x_k at fixed noise.
  for (std::size_t k = depth; k-- > 0;) {
    const StepRecord& record = *step.chain[k];
    const Eigen::MatrixXd& from = samples.x[k + 1];
    const Eigen::MatrixXd& to = samples.x[k];
    reward_.target_gradients(step.model, record, from, to, d_from_, d_to_);
    d_from_ += cotangent_;
    record.kernel->pull_back(to, d_from_, cotangent_);
    log_density_gradient(record.marginal.gaussian(), to, term_);
    cotangent_ += d_to_ - term_;
    reward_.values(step.model, record, from, to, rewards_);
    value += rewards_.transpose();
  }
  out.topRows(d) = cotangent_;
}

double RegressedValue::draw_targets(const StepView& step, int count, double inflation) {
  samples_.draw(step.model, step.chain, count, inflation, random_);
  targets(step, samples_, targets_);
  return targets_.bottomRows(1).mean();
}

double RegressedValue::update(const StepView& step) {
  if (!recursive_) {
    // A sum of rewards (Eq. 19), each counted once: nothing is looked back at.
    current_[0] = &step.record;
    const StepView alone{step.model, step.record, current_, step.transition};
    next_total_ = total_ + draw_targets(alone, config_.points, 1.0);
    return next_total_;
  }
  double mean_value = draw_targets(step, config_.points, config_.inflation);
  Fitted& next = *fitted_[0];
  next.function.continue_from(fitted_[1]->function);
  const Eigen::Index d = step.record.marginal.dim();
  targets_.row(d).array() -= mean_value;
  next.mean_value = mean_value;
  next.function.fit(step.record.marginal.gaussian(), samples_.x[0], targets_);
  for (int i = 0; i < config_.tune_steps; ++i) {
    draw_targets(step, config_.tune_points, 1.0);
    next.function.tune(samples_.x[0], targets_.topRows(d));
  }
  // Under wider draws the mean of the targets is not the mean under q_t.
  if (config_.inflation != 1.0) mean_value = draw_targets(step, config_.points, 1.0);
  next_total_ = mean_value;
  return next_total_;
}

void RegressedValue::commit() {
  committed_random_ = random_;
  total_ = next_total_;
  if (recursive_) std::rotate(fitted_.begin(), fitted_.end() - 1, fitted_.end());
}

void RegressedValue::archive(Archive& archive, const StateSpaceModel& model) {
  random_.archive(archive);
  committed_random_ = random_;
  archive.number("ELBO", total_);
  archive.require_finite("ELBO", total_);
  archive.expect("regressor of V", static_cast<int>(config_.regressor.kind));
  for (std::size_t k = 1; k < fitted_.size(); ++k) {
    fitted_[k]->function.archive(archive, model.state_dim(), model.state_dim() + 1);
    archive.number("mean of V", fitted_[k]->mean_value);
    archive.require_finite("mean of V", fitted_[k]->mean_value);
  }
}

}  // namespace ovf
