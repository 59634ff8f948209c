#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <optional>

#include "ovf/estimator/estimator.hpp"

namespace ovf {

/// Where an estimator starts, from outside.
struct InitialPose {
  Stamp stamp = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  /// None: as configured.
  std::optional<Eigen::Quaterniond> orientation = {};
};

/// The first belief has this pose, with the configured standard deviations; all else is as
/// configured. In the plane heights, rolls and pitches do not count. Throws std::invalid_argument
/// if the motion has no pose, or the pose is not finite.
void start_at_pose(Estimator& estimator, const InitialPose& pose);

}  // namespace ovf
