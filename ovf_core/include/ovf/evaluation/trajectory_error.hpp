#pragma once

#include <limits>
#include <vector>

#include "ovf/evaluation/error_summary.hpp"
#include "ovf/evaluation/trajectory_alignment.hpp"
#include "ovf/evaluation/trajectory_match.hpp"

namespace ovf {

/// Estimate against truth at one time. NaN where there is no orientation.
struct ErrorPoint {
  Stamp stamp = 0;
  Eigen::Vector3d difference = Eigen::Vector3d::Zero();        ///< estimate minus truth, metres
  double position = 0.0;                                       ///< its length
  double yaw = std::numeric_limits<double>::quiet_NaN();       ///< radians, signed
  double rotation = std::numeric_limits<double>::quiet_NaN();  ///< radians, the whole angle
};

/// Absolute trajectory error (ATE) and its parts. In the plane heights do not count.
struct TrajectoryError {
  Alignment alignment = {};  ///< that was applied to the estimates
  ErrorSummary position = {};
  ErrorSummary horizontal = {};  ///< of x and y alone
  ErrorSummary yaw = {};         ///< radians; of nothing where there is no orientation
  ErrorSummary rotation = {};    ///< the same
  double path_length = 0.0;      ///< of the truth, metres, as path_lengths
  double duration = 0.0;         ///< from the first to the last pair, seconds
  std::vector<ErrorPoint> series = {};
};

TrajectoryError trajectory_error(const TrajectoryMatch& match,
                                 AlignmentKind kind = AlignmentKind::kNone);

/// How far the truth has come, at each pair. It is measured in steps of at least this many metres,
/// so that the noise of a truth that stands still is no path; gaps count as straight.
std::vector<double> path_lengths(const TrajectoryMatch& match, double step = 0.05);

}  // namespace ovf
