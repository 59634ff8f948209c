#pragma once

#include <Eigen/Core>

#include "ovf/estimator/robot_log.hpp"
#include "ovf/vision/image.hpp"

namespace ovf {

/// A picture of a simulated camera, how it got there, and where it truly is.
struct CameraFrame {
  /// Nanoseconds since the first one.
  Stamp stamp = 0;
  Image image = {};
  /// Forward speed (m/s) and turn rate (rad/s) of the step that ended here; 0 at the first frame,
  /// NaN if there was no step.
  Eigen::Vector2d control = Eigen::Vector2d::Zero();
  TruePose pose = {};
};

}  // namespace ovf
