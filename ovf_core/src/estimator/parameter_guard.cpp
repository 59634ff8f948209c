#include "ovf/estimator/parameter_guard.hpp"

#include <algorithm>

namespace ovf {
namespace {

// The usual level is an average over so many windows; no verdict before this share of them.
constexpr double kLongWindows = 20.0;
constexpr double kFirstWindows = 4.0;
// One outlier alone is no change.
constexpr double kLargestNis = 5.0;
constexpr double kLargestLoss = 50.0;
// Innovations that are smaller than they should be may grow without harm.
constexpr double kSmallestNis = 1.0;
// Of a message that comes right after the last.
constexpr double kSmallestWeight = 1e-3;
// With larger innovations parameters are not kept as good ones.
constexpr double kGrowthOfGood = 1.2;

}  // namespace

ParameterGuard::ParameterGuard(const GuardConfig& config, int sensors,
                               const Eigen::VectorXd& parameters)
    : config_(config),
      levels_(static_cast<std::size_t>(sensors)),
      last_good_(parameters),
      candidate_(parameters) {}

ParameterGuard::Verdict ParameterGuard::watch(const Prediction& message,
                                              const Eigen::VectorXd& parameters) {
  Level& level = levels_[static_cast<std::size_t>(message.sensor)];
  const double window = config_.window;
  const double weight =
      std::clamp(message.seconds * window / config_.window_seconds, kSmallestWeight, 1.0);
  const double ratio = std::min(message.nis / message.dim, kLargestNis);
  level.count += weight;
  double log_likelihood = message.log_likelihood;
  if (level.count > window) {
    log_likelihood = std::max(log_likelihood, level.usual - kLargestLoss);
  }
  const double recent_rate = weight / std::min(level.count, window);
  const double usual_rate = weight / std::min(level.count, kLongWindows * window);
  level.usual += usual_rate * (log_likelihood - level.usual);
  level.recent += recent_rate * (log_likelihood - level.recent);
  level.nis += recent_rate * (ratio - level.nis);
  level.usual_nis += usual_rate * (ratio - level.usual_nis);
  level.patience = std::max(0.0, level.patience - weight);

  Verdict verdict;
  if (level.count < kFirstWindows * window || level.patience > 0.0) return verdict;
  const double loss = level.usual - level.recent;
  if (config_.collapse > 0.0 && loss > config_.collapse) {
    verdict = {.collapsed = true, .value = loss};
  } else if (config_.change > 0.0 &&
             level.nis > config_.change * std::max(level.usual_nis, kSmallestNis)) {
    verdict = {.changed = true, .value = level.nis};
  } else if (loss > 0.25 * config_.collapse || level.nis > kGrowthOfGood * level.usual_nis) {
    well_for_ = 0.0;
    candidate_ = last_good_;
  } else if ((well_for_ += weight) > window) {
    last_good_ = candidate_;
    candidate_ = parameters;
    well_for_ = 0.0;
  }
  if (verdict.collapsed || verdict.changed) {
    level.patience = kFirstWindows * window;
    level.recent = level.usual;
    level.nis = level.usual_nis;
  }
  return verdict;
}

void ParameterGuard::archive(Archive& archive) {
  archive.expect("guarded sensors", static_cast<std::int64_t>(levels_.size()));
  for (Level& level : levels_) {
    archive.number("guard count", level.count);
    archive.number("guard usual level", level.usual);
    archive.number("guard recent level", level.recent);
    archive.number("guard innovations", level.nis);
    archive.number("guard usual innovations", level.usual_nis);
    archive.number("guard patience", level.patience);
  }
  archive.vector("last good parameters", last_good_, last_good_.size());
  archive.require_finite("last good parameters", last_good_);
  archive.vector("candidate parameters", candidate_, candidate_.size());
  archive.require_finite("candidate parameters", candidate_);
  archive.number("well for", well_for_);
}

}  // namespace ovf
