#pragma once

#include <Eigen/Core>

#include "ovf/estimator/body_belief.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf_msgs/msg/rollout.hpp"
#include "std_msgs/msg/header.hpp"
#include "visualization_msgs/msg/marker_array.hpp"

// What RViz shows of a belief besides its odometry.
namespace ovf_ros {

/// Of an ellipsoid that has this probability to hold the robot.
inline constexpr double kEllipsoidProbability = 0.9;

/// Where the robot is, with this probability.
visualization_msgs::msg::Marker belief_marker(const std_msgs::msg::Header& header,
                                              const Eigen::Vector3d& position,
                                              const Eigen::Matrix3d& covariance);

/// The same along a rollout, at most `count` of them; what is left of an older one goes.
visualization_msgs::msg::MarkerArray rollout_markers(const ovf_msgs::msg::Rollout& rollout,
                                                     int count);

/// Beacons and landmarks with their numbers.
visualization_msgs::msg::MarkerArray landmark_markers(const ovf::EstimatorConfig& config);

}  // namespace ovf_ros
