#include "ovf/estimator/error_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ovf {
namespace {

// Differences over which V is averaged, and those that a verdict needs.
constexpr double kWindow = 3000.0;
constexpr double kMinCount = 100.0;
constexpr int kMinLags = 3;
// Messages further apart say nothing of how errors last, in seconds.
constexpr double kMaxGap = 10.0;
// An innovation counts for no more than this many standard deviations: outliers are no correlation.
constexpr double kMaxDeviations = 3.0;
// Errors last from this correlation on, until it is below the other.
constexpr double kOn = 0.3;
constexpr double kOff = 0.15;
// Of error_time between two messages: messages of one stamp have none.
constexpr double kMinShare = 1e-3;

}  // namespace

ErrorCorrelation::ErrorCorrelation(int dim, int targets, bool may_last)
    : may_last_(may_last), channels_(static_cast<std::size_t>(targets)), errors_last_(may_last) {
  for (Channel& channel : channels_) channel.innovations.setZero(dim, kMaxLag);
  structure_.setZero(dim, kLags);
  counts_.setZero(kLags);
}

void ErrorCorrelation::clear() {
  for (Channel& channel : channels_) channel.count = 0;
  structure_.setZero();
  counts_.setZero();
  correlation_ = 0.0;
  judged_ = false;
  errors_last_ = may_last_;
}

void ErrorCorrelation::see(int target, Stamp stamp, const Eigen::VectorXd& innovation, double nis) {
  Channel& channel = channels_[static_cast<std::size_t>(target)];
  const double deviations = std::sqrt(nis / static_cast<double>(innovation.size()));
  const double kept = deviations > kMaxDeviations ? kMaxDeviations / deviations : 1.0;
  const auto place = [](std::int64_t i) { return static_cast<Eigen::Index>(i % kMaxLag); };
  for (int k = 0; k < kLags; ++k) {
    const std::int64_t before = channel.count - (1 << k);
    if (before < 0) break;
    const Stamp then = channel.stamps[static_cast<std::size_t>(place(before))];
    const double gap = seconds_between(then, stamp);
    if (!(gap > 0.0 && gap <= kMaxGap)) break;
    counts_[k] = std::min(counts_[k] + 1.0, kWindow);
    const auto earlier = channel.innovations.col(place(before));
    structure_.col(k).array() +=
        (0.5 * (kept * innovation - earlier).array().square() - structure_.col(k).array()) /
        counts_[k];
  }
  channel.innovations.col(place(channel.count)) = kept * innovation;
  channel.stamps[static_cast<std::size_t>(place(channel.count))] = stamp;
  ++channel.count;
  judge();
}

void ErrorCorrelation::judge() {
  int lags = 0;
  while (lags < kLags && counts_[lags] >= kMinCount) ++lags;
  if (lags < kMinLags) return;
  correlation_ = 0.0;
  for (Eigen::Index i = 0; i < structure_.rows(); ++i) {
    const double distant = structure_.row(i).head(lags).maxCoeff();
    if (distant > 0.0) correlation_ = std::max(correlation_, 1.0 - structure_(i, 0) / distant);
  }
  errors_last_ = may_last_ && correlation_ > (found() ? kOff : kOn);
  judged_ = true;
}

double ErrorCorrelation::weight(int target, Stamp stamp, double correlation,
                                double error_time) const {
  const Channel& channel = channels_[static_cast<std::size_t>(target)];
  if (correlation == 0.0 || channel.count == 0) return 1.0;
  const auto last = static_cast<std::size_t>((channel.count - 1) % kMaxLag);
  const double gap = seconds_between(channel.stamps[last], stamp);
  // n messages with equally correlated errors say as much as n / (1 + (n - 1) correlation).
  const double others = error_time / std::max(gap, kMinShare * error_time) - 1.0;
  return 1.0 / (1.0 + correlation * std::max(others, 0.0));
}

void ErrorCorrelation::archive(Archive& archive) {
  for (Channel& channel : channels_) {
    archive.matrix("innovations", channel.innovations, channel.innovations.rows(), kMaxLag);
    archive.require_finite("innovations", channel.innovations);
    for (Stamp& stamp : channel.stamps) {
      archive.integer("stamp of an innovation", stamp, -kFarthestStamp, kFarthestStamp);
    }
    archive.integer("innovations of a landmark", channel.count, 0,
                    std::numeric_limits<std::int64_t>::max() - 1);
  }
  archive.matrix("structure function", structure_, structure_.rows(), kLags);
  archive.require_finite("structure function", structure_);
  archive.vector("counts of the structure function", counts_, kLags);
  archive.require_finite("counts of the structure function", counts_);
  archive.number("correlation of errors", correlation_);
  archive.require_finite("correlation of errors", correlation_);
  archive.flag("errors are judged", judged_);
  archive.flag("errors last", errors_last_);
}

}  // namespace ovf
