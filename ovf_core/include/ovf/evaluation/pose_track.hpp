#pragma once

#include <vector>

#include "ovf/evaluation/run_record.hpp"

namespace ovf {

struct PoseTrackOptions {
  /// Nothing is known between poses that are further apart, in seconds.
  double longest_gap = 0.5;
  /// Height, roll and pitch are taken as zero.
  bool planar = false;
  /// false: the orientations mean nothing, and are the identity.
  bool has_orientation = true;
};

/// Poses over time, at any time: positions are interpolated linearly, orientations by slerp.
class PoseTrack {
 public:
  enum class Found {
    kHere,
    kBefore,  ///< the track begins later
    kAfter,   ///< it ended already; so does one without poses
    kInGap,
  };
  struct Place {
    Found found = Found::kAfter;
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();
    /// The same for two places if there is no gap between them.
    int stretch = 0;
  };

  /// In any order; poses with a number that is not finite, or makes no sense, are left out.
  explicit PoseTrack(const std::vector<PoseSample>& poses, const PoseTrackOptions& options = {});

  Place at(Stamp stamp) const;

  std::size_t size() const { return poses_.size(); }
  /// Poses that were left out.
  long unusable() const { return unusable_; }
  const PoseTrackOptions& options() const { return options_; }

 private:
  struct Pose {
    Stamp stamp;
    Eigen::Vector3d position;
    Eigen::Quaterniond orientation;
    int stretch;
  };

  PoseTrackOptions options_;
  std::vector<Pose> poses_;
  long unusable_ = 0;
};

/// Whether the numbers of a pose, apart from its covariance, are fit for use.
bool usable(const PoseSample& pose, bool has_orientation);
/// With a unit quaternion, and as PoseTrackOptions say.
PoseSample prepared(const PoseSample& pose, const PoseTrackOptions& options);

}  // namespace ovf
