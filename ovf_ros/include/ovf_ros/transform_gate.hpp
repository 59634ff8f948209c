#pragma once

#include "ovf/estimator/messages.hpp"

namespace ovf_ros {

/// Which stamps a transform may be published with: each once, and none older than the last, unless
/// the clock was set back. Listeners would complain of anything else.
class TransformGate {
 public:
  /// Stamps older than the last by more than this mean that the clock was set back, in seconds.
  explicit TransformGate(double clock_jump) : clock_jump_(clock_jump) {}

  bool passes(ovf::Stamp stamp) {
    const bool is_next = !has_last_ || stamp > last_;
    if (!is_next && ovf::seconds_between(stamp, last_) <= clock_jump_) return false;
    has_last_ = true;
    last_ = stamp;
    return true;
  }
  void forget() { has_last_ = false; }

 private:
  double clock_jump_;
  bool has_last_ = false;
  ovf::Stamp last_ = 0;
};

}  // namespace ovf_ros
