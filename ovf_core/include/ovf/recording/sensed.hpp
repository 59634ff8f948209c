#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "ovf/estimator/messages.hpp"
#include "ovf/math/local_frame.hpp"

namespace ovf {

/// A covariance as ROS messages have it: zeros, or -1 in the first place, mean that it is unknown.
using MessageCovariance = Eigen::MatrixXd;

/// What a sensor said of one beacon or landmark, or of none (target -1).
struct Sighting {
  int target = -1;
  Eigen::VectorXd values = {};
  Eigen::MatrixXd covariance = {};
};

/// What a multirotor is commanded to do; what is to be ignored is empty.
struct ThrustCommand {
  std::optional<double> thrust = {};  ///< 0 to 1
  std::optional<Eigen::Quaterniond> attitude = {};
  std::optional<Eigen::Vector3d> body_rate = {};
};

/// What a message says of the robot, whatever its type; what it does not say is empty.
struct Sensed {
  Stamp stamp = 0;
  std::string frame = {};  ///< of the sensor, or of the world for a pose

  std::optional<Eigen::Vector3d> position = {};
  std::optional<Eigen::Quaterniond> orientation = {};
  MessageCovariance pose_covariance = {};  ///< x, y, z, and turns about them

  std::optional<GeodeticPoint> fix = {};
  MessageCovariance fix_covariance = {};  ///< east, north, up

  std::optional<Eigen::Vector3d> velocity = {};
  std::optional<Eigen::Vector3d> turn_rate = {};
  MessageCovariance twist_covariance = {};  ///< velocity, turn rate
  std::optional<Eigen::Vector3d> acceleration = {};
  MessageCovariance acceleration_covariance = {};

  std::vector<std::string> joints = {};
  std::vector<double> joint_positions = {};
  std::vector<double> joint_velocities = {};

  std::vector<Sighting> sightings = {};

  std::optional<ThrustCommand> thrust_command = {};
};

}  // namespace ovf
