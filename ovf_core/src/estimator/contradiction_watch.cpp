#include "ovf/estimator/contradiction_watch.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

constexpr double kMemory = 2.0;  // seconds
// A share of far messages that is more than outliers, from this many of them on.
constexpr double kMaxShare = 0.4;
constexpr double kMinFar = 1.2;
// A belief that is off finds back by itself within this time, in seconds, where it can.
constexpr double kPatience = 0.9;
// With less than this share of far messages they are over.
constexpr double kMinShare = 0.25;
// Messages that are taken to have agreed before the first: two at the start are no majority.
constexpr double kBefore = 4.0;
// Two messages that differ by more than this share of the distance between the sides, and by more
// standard deviations than noise does, are on different sides.
constexpr double kOtherSide = 0.5;
constexpr double kMaxNoise = 5.0;

Stamp nanoseconds(double seconds) { return static_cast<Stamp>(seconds / kSecondsPerNanosecond); }

}  // namespace

bool ContradictionWatch::see(Stamp stamp, int target, const Eigen::VectorXd& innovation, double nis,
                             double gate) {
  if (last_ != kNever) {
    const double memory = std::exp(-std::max(0.0, seconds_between(last_, stamp)) / kMemory);
    far_ *= memory;
    all_ *= memory;
  } else {
    all_ = kBefore;
  }
  last_ = stamp;
  all_ += 1.0;
  const auto dim = static_cast<double>(innovation.size());
  if (nis <= std::min(kFar * dim, gate)) {
    agreed_ = stamp;
    if (far_ < kMinShare * all_) far_since_ = kNever;
    return false;
  }
  if (far_since_ == kNever) {
    far_since_ = stamp;
    far_target_ = target;
    several_ = false;
  }
  several_ = several_ || target < 0 || target != far_target_;
  far_ += 1.0;
  const bool told = told_ != kNever && seconds_between(told_, stamp) < kHold;
  if (told || !several_ || seconds_between(far_since_, stamp) < kPatience || far_ <= kMinFar ||
      far_ <= kMaxShare * all_)
    return false;
  told_ = stamp;
  far_ = 0.0;
  all_ = kBefore;
  far_since_ = kNever;
  return true;
}

void ContradictionWatch::hold(Stamp stamp, const Eigen::VectorXd& innovation, double deviations) {
  if (stamp < free_until_) return;
  held_since_ = stamp;
  held_until_ = stamp + nanoseconds(kHold);
  held_innovation_ = innovation;
  other_side_ = innovation.norm() * std::max(kOtherSide, kMaxNoise / deviations);
}

void ContradictionWatch::see_held(Stamp stamp, const Eigen::VectorXd& innovation) {
  last_ = stamp;
  const bool comparable = innovation.size() == held_innovation_.size();
  if (comparable && (innovation - held_innovation_).norm() > other_side_) {
    const Stamp longest = held_since_ + nanoseconds(kMaxHold);
    held_until_ = std::min(longest, stamp + nanoseconds(kHold));
    if (held_until_ == longest) free_until_ = longest + nanoseconds(kMaxHold);
  }
  held_innovation_ = innovation;
}

void ContradictionWatch::archive(Archive& archive) {
  const auto stamp = [&](const char* name, Stamp& value) {
    archive.integer(name, value, kNever, std::numeric_limits<Stamp>::max());
  };
  stamp("last compared", last_);
  stamp("last agreement", agreed_);
  archive.number("far messages", far_);
  archive.number("compared messages", all_);
  archive.require(far_ >= 0.0 && far_ <= all_ && std::isfinite(all_), "far messages",
                  "a finite number, at most that of all messages");
  archive.integer("far landmark", far_target_, -1, std::numeric_limits<int>::max());
  archive.flag("several far landmarks", several_);
  stamp("far since", far_since_);
  stamp("told", told_);
  stamp("held since", held_since_);
  stamp("held until", held_until_);
  stamp("free until", free_until_);
  archive.number("distance of the sides", other_side_);
  archive.require_finite("distance of the sides", other_side_);
  archive.vector("held innovation", held_innovation_, Archive::kAnySize);
  archive.require_finite("held innovation", held_innovation_);
}

}  // namespace ovf
