#pragma once

#include "ovf/estimator/messages.hpp"

namespace ovf_ros {

/// Which stamps a transform may be published with: each once, and none older than the last, unless
/// the clock was set back, and none that the node's clock has not reached. Listeners would complain
/// of anything else, and keep a transform of the future until then.
class TransformGate {
 public:
  /// Stamps older than the last by more than `clock_jump` mean that the clock was set back, those
  /// within `tolerance` of the node's time are of the present, in seconds.
  TransformGate(double clock_jump, double tolerance)
      : clock_jump_(clock_jump), tolerance_(tolerance) {}

  bool passes(ovf::Stamp stamp, ovf::Stamp now) {
    if (ovf::seconds_between(now, stamp) > tolerance_) return false;
    const bool is_next = !has_last_ || stamp > last_;
    if (!is_next && ovf::seconds_between(stamp, last_) <= clock_jump_) return false;
    has_last_ = true;
    last_ = stamp;
    return true;
  }
  void forget() { has_last_ = false; }

 private:
  double clock_jump_;
  double tolerance_;
  bool has_last_ = false;
  ovf::Stamp last_ = 0;
};

}  // namespace ovf_ros
