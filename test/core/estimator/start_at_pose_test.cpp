#include "ovf/estimator/start_at_pose.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace ovf {
namespace {

EstimatorConfig config_of(MotionKind kind) {
  EstimatorConfig config;
  config.motion.kind = kind;
  config.motion.control = ControlKind::kNone;
  config.initial.rule = InitialRule::kCall;
  config.sensors = {{.name = "fix", .kind = SensorKind::kPosition, .noise = {1.0}}};
  return config;
}

const InitialPose kPose{
    .stamp = 5'000'000'000,
    .position = {1.0, 2.0, 3.0},
    .orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitZ()))};

TEST(StartAtPose, TakesWhatTheMotionHas) {
  Estimator planar(config_of(MotionKind::kPlanar));
  start_at_pose(planar, kPose);
  EXPECT_EQ(planar.stamp(), kPose.stamp);
  EXPECT_TRUE(planar.belief().mean.head<3>().isApprox(Eigen::Vector3d(1.0, 2.0, 0.5)));

  Estimator point(config_of(MotionKind::kConstantVelocity));
  start_at_pose(point, kPose);
  EXPECT_TRUE(point.belief().mean.head<3>().isApprox(kPose.position));

  Estimator body(config_of(MotionKind::kRigidBody));
  start_at_pose(body, kPose);
  EXPECT_TRUE(body.body().position.isApprox(kPose.position));
  EXPECT_TRUE(body.body().rotation.isApprox(kPose.orientation->toRotationMatrix()));
}

TEST(StartAtPose, WithoutAnOrientationTakesTheConfiguredOne) {
  EstimatorConfig config = config_of(MotionKind::kPlanar);
  config.initial.mean = {0.0, 0.0, 1.5, 0.0, 0.0};
  Estimator estimator(config);
  start_at_pose(estimator, {.position = {1.0, 2.0, 0.0}});
  EXPECT_TRUE(estimator.belief().mean.head<3>().isApprox(Eigen::Vector3d(1.0, 2.0, 1.5)));
}

TEST(StartAtPose, RefusesWhatIsNoPose) {
  Estimator estimator(config_of(MotionKind::kPlanar));
  InitialPose pose = kPose;
  pose.position.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(start_at_pose(estimator, pose), std::invalid_argument);
  pose = kPose;
  pose.orientation = Eigen::Quaterniond(0.0, 0.0, 0.0, 0.0);
  EXPECT_THROW(start_at_pose(estimator, pose), std::invalid_argument);
  EXPECT_FALSE(estimator.initialised());
}

}  // namespace
}  // namespace ovf
