#include "evaluation/truth_reader.hpp"

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

}  // namespace ovf
