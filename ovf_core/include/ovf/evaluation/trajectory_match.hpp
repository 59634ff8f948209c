#pragma once

#include <vector>

#include "ovf/evaluation/pose_track.hpp"
#include "ovf/evaluation/run_record.hpp"

namespace ovf {

/// An estimate, and the true pose at its time.
struct PosePair {
  PoseSample estimate = {};
  Eigen::Vector3d true_position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond true_orientation = Eigen::Quaterniond::Identity();
  /// The same for two pairs if the truth has no gap between them.
  int stretch = 0;
};

/// What can be compared, in the order of time, and how many estimates cannot.
struct TrajectoryMatch {
  std::vector<PosePair> pairs = {};
  /// Heights, rolls and pitches are zero, on both sides.
  bool planar = false;
  /// false: truth or estimates have positions only; figures of yaw and rotation are then left out.
  bool has_orientation = true;
  long before = 0;    ///< estimates before the truth begins
  long after = 0;     ///< after it ended
  long in_gaps = 0;   ///< between truths that are too far apart
  long unusable = 0;  ///< estimates with numbers that are not finite
  long unusable_truth = 0;
};

/// An estimate of stamp s is compared with the truth at s + time_offset seconds.
TrajectoryMatch match_trajectories(const std::vector<PoseSample>& estimates, const PoseTrack& truth,
                                   double time_offset = 0.0);
TrajectoryMatch match_trajectories(const std::vector<PoseSample>& estimates,
                                   const std::vector<PoseSample>& truth,
                                   const PoseTrackOptions& options = {}, double time_offset = 0.0);

}  // namespace ovf
