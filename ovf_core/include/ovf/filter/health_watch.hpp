#pragma once

#include "ovf/filter/filter.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// Follows how far observations are from their predictions, and how many steps fail.
class HealthWatch {
 public:
  /// A step was taken, `steps` of them since the belief started. An observation counts as far off
  /// beyond ten times the expected normalised innovation squared: heavy tails reach that now and
  /// then, a belief that is wrong all the time.
  Health step_taken(long steps, double nis, Eigen::Index dim);
  /// A step failed numerically. True: too many have, in a row; the belief should start again.
  bool step_failed();
  /// Whether it has started again by itself and not settled since.
  bool restarted() const { return restarted_; }
  void set_restarted();
  void archive(Archive& archive);

 private:
  double far_share_ = 0.0;  // of the observations of late
  int failures_ = 0;        // in a row
  bool restarted_ = false;
};

}  // namespace ovf
