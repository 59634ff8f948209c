#include "ovf/estimator/body_belief.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ovf/math/rotation.hpp"
#include "ovf/model/planar_motion.hpp"
#include "ovf/model/rigid_body_motion.hpp"

namespace ovf {
namespace {

TEST(BodyBelief, HasAPlanarRobotsPoseAndTwist) {
  PlanarMotion::Parameters p;
  p.slip.value = 0.5;
  const PlanarMotion motion(p);
  Eigen::VectorXd mean(5);
  mean << 3.0, 4.0, 0.5 * M_PI, 2.0, 0.3;
  Eigen::MatrixXd covariance = Eigen::VectorXd::LinSpaced(5, 1.0, 5.0).asDiagonal();
  covariance(0, 2) = covariance(2, 0) = 0.7;
  const BodyBelief body = body_belief(motion, Eigen::Quaterniond::Identity(), mean, covariance);
  EXPECT_EQ(body.mean.position, Eigen::Vector3d(3.0, 4.0, 0.0));
  EXPECT_DOUBLE_EQ(body.pose_covariance(0, 0), 1.0);
  EXPECT_DOUBLE_EQ(body.pose_covariance(1, 1), 2.0);
  EXPECT_NEAR(body.pose_covariance(5, 5), 3.0, 1e-12);
  EXPECT_NEAR(body.pose_covariance(0, 5), 0.7, 1e-12);
  EXPECT_EQ(body.pose_covariance(2, 2), 0.0);
  EXPECT_DOUBLE_EQ(body.twist_covariance(0, 0), 4.0);
  EXPECT_DOUBLE_EQ(body.twist_covariance(5, 5), 5.0);
  // Sideways: slip times v times rate, with the slopes 0.5 * 0.3 and 0.5 * 2.
  EXPECT_NEAR(body.twist_covariance(1, 1), 0.0225 * 4.0 + 1.0 * 5.0, 1e-12);
}

TEST(BodyBelief, TurnsTheUncertaintyOfAnOrientationIntoTheWorld) {
  const RigidBodyMotion motion({});
  const Eigen::Quaterniond reference = Eigen::Quaterniond(0.5, -0.3, 0.7, 0.2).normalized();
  const Eigen::VectorXd mean = Eigen::VectorXd::Zero(12);
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Identity(12, 12);
  const Eigen::Matrix3d own = Eigen::Vector3d(1.0, 4.0, 9.0).asDiagonal();
  covariance.block<3, 3>(3, 3) = own;
  const BodyBelief body = body_belief(motion, reference, mean, covariance);
  const Eigen::Matrix3d R = reference.toRotationMatrix();
  EXPECT_TRUE(
      (body.pose_covariance.bottomRightCorner<3, 3>()).isApprox(R * own * R.transpose(), 1e-12));
}

}  // namespace
}  // namespace ovf
