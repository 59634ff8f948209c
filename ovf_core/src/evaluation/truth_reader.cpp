#include "evaluation/truth_reader.hpp"

#include <stdexcept>

#include "ovf/math/angle.hpp"

namespace ovf {
namespace {

// Between truths that are further apart nothing is known, in seconds.
constexpr double kLongestTruthGap = 0.5;

}  // namespace

std::optional<TruePose> TruthReader::at(Stamp stamp) {
  while (next_ + 1 < truth_.size() && truth_[next_ + 1].stamp <= stamp) ++next_;
  if (next_ + 1 >= truth_.size() || truth_[next_].stamp > stamp) return std::nullopt;
  const TruePose& a = truth_[next_];
  const TruePose& b = truth_[next_ + 1];
  const double gap = seconds_between(a.stamp, b.stamp);
  if (gap > kLongestTruthGap) return std::nullopt;
  const double share = gap > 0.0 ? seconds_between(a.stamp, stamp) / gap : 0.0;
  return TruePose{stamp, a.x + share * (b.x - a.x), a.y + share * (b.y - a.y),
                  a.yaw + share * wrapped(b.yaw - a.yaw)};
}

void start_at_truth(Estimator& estimator, const RobotLog& log) {
  if (estimator.config().initial.rule != InitialRule::kCall) return;
  if (log.truth.empty()) {
    throw std::invalid_argument("initial.rule is call; expected a log with true poses to start at");
  }
  const Stamp first = stamp_of(log.messages.front());
  std::size_t i = 0;
  while (i + 1 < log.truth.size() && log.truth[i].stamp < first) ++i;
  const Gaussian prior = estimator.layout().prior();
  const int own = 5;
  Eigen::VectorXd mean = prior.mean.head(own);
  mean.head<3>() << log.truth[i].x, log.truth[i].y, log.truth[i].yaw;
  estimator.initialise(first, mean, prior.covariance().topLeftCorner(own, own));
}

}  // namespace ovf
