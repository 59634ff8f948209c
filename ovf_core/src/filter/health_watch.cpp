#include "ovf/filter/health_watch.hpp"

#include <limits>

namespace ovf {
namespace {

constexpr double kFar = 10.0;     // times the expected normalised innovation squared
constexpr double kWindow = 50.0;  // observations
constexpr double kShare = 0.2;    // of them that may be far off
constexpr int kMaxFailures = 20;
constexpr long kSettled = 100;  // steps after a restart

}  // namespace

Health HealthWatch::step_taken(long steps, double nis, Eigen::Index dim) {
  failures_ = 0;
  if (dim > 0) {
    const bool far = !(nis <= kFar * static_cast<double>(dim));
    far_share_ += ((far ? 1.0 : 0.0) - far_share_) / kWindow;
  }
  if (steps >= kSettled) restarted_ = false;
  if (restarted_) return Health::kRestarted;
  return far_share_ > kShare ? Health::kInconsistent : Health::kGood;
}

bool HealthWatch::step_failed() { return ++failures_ >= kMaxFailures; }

void HealthWatch::set_restarted() {
  failures_ = 0;
  far_share_ = 0.0;
  restarted_ = true;
}

void HealthWatch::archive(Archive& archive) {
  archive.number("share of observations that are far off", far_share_);
  archive.require(far_share_ >= 0.0 && far_share_ <= 1.0, "share of observations that are far off",
                  "a number from 0 to 1");
  archive.integer("failed steps", failures_, 0, std::numeric_limits<int>::max() - 1);
  archive.flag("restarted", restarted_);
}

}  // namespace ovf
