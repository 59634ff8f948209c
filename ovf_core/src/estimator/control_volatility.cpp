#include "ovf/estimator/control_volatility.hpp"

#include <algorithm>
#include <limits>

namespace ovf {
namespace {

// Changes over a shorter time are mostly the noise of wheel encoders; over a longer one a silence.
constexpr double kShortest = 0.5;
constexpr double kLongest = 5.0;
// What was longer ago counts less, in seconds.
constexpr double kMemory = 120.0;

}  // namespace

void ControlVolatility::see(const Control& control) {
  const double seconds = started_ ? seconds_between(stamp_, control.stamp) : 0.0;
  const bool anew = !started_ || seconds < -kShortest || seconds > kLongest ||
                    control_.size() != control.u.size();
  if (!anew && seconds < kShortest) return;
  if (!anew) {
    const Eigen::VectorXd change = (control.u - control_).cwiseAbs2() / seconds;
    weight_ = std::min(weight_ + seconds, kMemory);
    if (variances_.size() != change.size()) variances_.setZero(change.size());
    variances_ += seconds / weight_ * (change - variances_);
  }
  started_ = true;
  stamp_ = control.stamp;
  control_ = control.u;
}

void ControlVolatility::archive(Archive& archive) {
  archive.flag("volatility started", started_);
  archive.integer("volatility stamp", stamp_, std::numeric_limits<Stamp>::min(),
                  std::numeric_limits<Stamp>::max());
  archive.vector("volatility control", control_, Archive::kAnySize);
  archive.require_finite("volatility control", control_);
  archive.number("volatility weight", weight_);
  archive.require_finite("volatility weight", weight_);
  archive.vector("volatility variances", variances_, Archive::kAnySize);
  archive.require_finite("volatility variances", variances_);
}

}  // namespace ovf
