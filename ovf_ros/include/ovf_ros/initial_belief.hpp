#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "geometry_msgs/msg/pose_with_covariance_stamped.hpp"
#include "ovf/estimator/estimator.hpp"

namespace ovf_ros {

/// What Estimator::initialise takes.
struct InitialBelief {
  ovf::Stamp stamp = 0;
  Eigen::VectorXd mean = {};
  Eigen::MatrixXd covariance = {};
  Eigen::Quaterniond reference = Eigen::Quaterniond::Identity();
};

/// A first belief from a pose in the estimator's world frame; what the pose does not say is as
/// configured, its covariance too if it has none. A stamp of zero is `now`. Throws
/// std::invalid_argument on a pose that cannot be one, in another frame, or for a robot that has no
/// pose.
InitialBelief initial_belief(const ovf::Estimator& estimator,
                             const geometry_msgs::msg::PoseWithCovarianceStamped& pose,
                             ovf::Stamp now);

}  // namespace ovf_ros
