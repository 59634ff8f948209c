#pragma once

#include <limits>
#include <vector>

#include "ovf/evaluation/trajectory_match.hpp"

namespace ovf {

/// Drift over segments of one length along the true path, as the KITTI benchmark has it: the pose
/// at a segment's end seen from the pose at its start, estimate against truth.
struct SegmentError {
  double length = 0.0;  ///< metres
  long count = 0;       ///< segments; 0: the figures are NaN
  /// Mean over the segments.
  double translation_percent = std::numeric_limits<double>::quiet_NaN();
  double rotation_degrees_per_metre = std::numeric_limits<double>::quiet_NaN();
};

struct RelativePoseError {
  std::vector<SegmentError> segments =
      {};                 ///< one for each length that the path is long enough for
  SegmentError all = {};  ///< over the segments of all lengths; its length is 0
  /// The truth has no orientation: displacements are compared in the world's axes, so that an error
  /// of heading at the start of a segment counts too, and there is no figure for rotation.
  bool in_world_axes = false;
};

inline const std::vector<double>& usual_segment_lengths() {
  static const std::vector<double> kLengths{1.0, 5.0, 10.0, 20.0, 50.0, 100.0};
  return kLengths;
}

/// Segments start every tenth of their length, so that a robot at rest does not count more often;
/// they end at the first pair that is far enough, and errors are divided by their real lengths.
/// Those with a gap of the truth inside, or half as long again as asked (pairs too sparse), are
/// left out.
RelativePoseError relative_pose_error(const TrajectoryMatch& match,
                                      const std::vector<double>& lengths = usual_segment_lengths());

}  // namespace ovf
