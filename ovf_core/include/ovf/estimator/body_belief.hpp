#pragma once

#include <Eigen/Core>

#include "ovf/math/gaussian.hpp"
#include "ovf/model/motion.hpp"

namespace ovf {

/// What a belief of the state says of the body, to first order: position and orientation in the
/// world, velocity and turn rate in the body frame, each pair with its covariance.
struct BodyBelief {
  Kinematics<double> mean;
  /// Position, then small turns about the world's axes.
  Eigen::Matrix<double, 6, 6> pose_covariance;
  /// Velocity, then turn rate.
  Eigen::Matrix<double, 6, 6> twist_covariance;
};

/// The state's first numbers are the motion's own; `covariance` may be that of all or of these.
BodyBelief body_belief(const Motion& motion, const Eigen::Quaterniond& reference,
                       const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance);

}  // namespace ovf
