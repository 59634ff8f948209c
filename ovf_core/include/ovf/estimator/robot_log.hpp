#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/estimator/messages.hpp"

namespace ovf {

/// A place with a number: a beacon or a landmark.
struct Landmark {
  int id = 0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
};

/// Where the robot truly was in the plane.
struct TruePose {
  Stamp stamp = 0;
  double x = 0.0;
  double y = 0.0;
  double yaw = 0.0;
};

/// Everything a planar robot recorded, in the order of time.
struct RobotLog {
  std::vector<Message> messages = {};
  std::vector<Landmark> landmarks = {};
  std::vector<TruePose> truth = {};
  /// Of a simulation, for each message: what its sensor would have said without noise, outliers
  /// and wandering errors, but with its scale, bias and mounting; angles within half a turn of the
  /// measured ones. Empty for a control. Of a recording: no entries.
  std::vector<Eigen::VectorXd> noise_free = {};
};

}  // namespace ovf
