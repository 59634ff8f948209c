// A rigid body that is driven by the commands of a multirotor.
#include "ovf/model/thrust_drive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "model/mean_checks.hpp"
#include "model/step_inputs.hpp"
#include "ovf/model/imu_sensor.hpp"
#include "ovf/model/motion_mean.hpp"
#include "ovf/model/rigid_body_motion.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;
using test::step_of;
using Turning = ThrustDrive::Turning;
using Vector12 = Eigen::Matrix<double, 12, 1>;

constexpr double kGravity = 9.80665;
constexpr double kHover = 0.5;
constexpr int kDim = 21;  // with everything that is learned

ThrustDrive some_drive(Turning turning) {
  ThrustDrive drive{.turning = turning};
  drive.thrust_scale.value = kGravity / kHover;
  for (std::size_t i = 0; i < 3; ++i) drive.drag[i].value = 0.2 + 0.1 * static_cast<double>(i);
  return drive;
}

RigidBodyMotion body_with(const ThrustDrive& drive) {
  return RigidBodyMotion({.control = RigidBodyMotion::Control::kThrust, .drive = drive});
}

std::shared_ptr<RigidBodyMotion> learned_body(Turning turning) {
  ThrustDrive drive{.turning = turning};
  int index = 12;
  drive.thrust_scale.index = index++;
  for (Quantity& q : drive.drag) q.index = index++;
  for (Quantity& q : drive.wind) q.index = index++;
  for (Quantity& q : drive.attitude_lag) q.index = index++;
  return std::make_shared<RigidBodyMotion>(body_with(drive));
}

Eigen::VectorXd attitude_command(double thrust, const Eigen::Quaterniond& attitude) {
  Eigen::VectorXd u(5);
  u << thrust, attitude.coeffs();
  return u;
}

Eigen::Quaterniond about(const Eigen::Vector3d& axis, double angle) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
}

/// A body that flies on from command to command, as the filter's mean does.
struct Flown {
  const RigidBodyMotion& motion;
  Vector12 x = Vector12::Zero();
  StepInput input = {};

  void step(double dt, const Eigen::VectorXd& control) {
    input.dt = dt;
    input.control = control;
    input.last_reference = input.reference;
    input.reference = motion.next_reference(input, x);
    Vector12 out;
    motion.move(input, x.data(), nullptr, out.data());
    x = out;
  }
  Kinematics<double> body() const { return motion.kinematics(input, x.data()); }
};

TEST(ThrustDrive, HasTheNumericalJacobian) {
  for (const Turning turning : {Turning::kAttitude, Turning::kBodyRate}) {
    RandomInputs inputs(1);
    StepInput input = step_of(0.2);
    const Eigen::VectorXd q = inputs.vector(4);
    input.last_reference = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized();
    input.reference = input.last_reference * about(Eigen::Vector3d::UnitX(), 0.2);
    input.control.resize(turning == Turning::kAttitude ? 5 : 4);
    input.control << 0.6, inputs.vector(static_cast<int>(input.control.size()) - 1);
    Eigen::MatrixXd x = 0.3 * inputs.matrix(kDim, 4);
    x.row(12).setConstant(20.0);
    x.bottomRows(3) = x.bottomRows(3).cwiseAbs().array() + 0.1;
    const auto mean = make_motion_mean(learned_body(turning), kDim);
    test::expect_numerical_gradients(*mean, input, x, inputs, 1e-6);
    input.control[0] = 0.0;
    test::expect_numerical_gradients(*mean, input, x, inputs, 1e-6);
    input.control.resize(0);
    test::expect_numerical_gradients(*mean, input, x, inputs, 1e-6);
  }
}

TEST(ThrustDrive, HoversLevelWhereThrustIsItsWeight) {
  const RigidBodyMotion motion = body_with(some_drive(Turning::kAttitude));
  ASSERT_EQ(motion.control_dim(), 5);
  Flown flown{motion};
  for (int k = 0; k < 100; ++k) {
    flown.step(0.1, attitude_command(kHover, Eigen::Quaterniond::Identity()));
  }
  EXPECT_TRUE(all_close(flown.x, Vector12::Zero(), 1e-9));
}

TEST(ThrustDrive, TiltedItReachesTheSpeedAtWhichDragHoldsIt) {
  ThrustDrive drive = some_drive(Turning::kAttitude);
  for (Quantity& q : drive.drag) q.value = 0.4;
  drive.wind[0].value = 1.5;
  const RigidBodyMotion motion = body_with(drive);
  Flown flown{motion};
  const double tilt = 0.2;
  for (int k = 0; k < 600; ++k) {
    flown.step(0.1,
               attitude_command(kHover / std::cos(tilt), about(Eigen::Vector3d::UnitY(), tilt)));
  }
  const Kinematics<double> body = flown.body();
  const Eigen::Vector3d world = body.rotation * body.velocity;
  EXPECT_TRUE(
      all_close(world, Eigen::Vector3d(1.5 + kGravity * std::tan(tilt) / 0.4, 0.0, 0.0), 1e-6));
}

TEST(ThrustDrive, FollowsATurningAttitudeByItsLag) {
  ThrustDrive drive = some_drive(Turning::kAttitude);
  drive.attitude_lag[2].value = 0.3;
  const RigidBodyMotion motion = body_with(drive);
  Flown flown{motion};
  const double rate = 0.5;
  double t = 0.0;
  for (int k = 0; k < 4000; ++k) {
    t += 0.001;
    flown.step(0.001, attitude_command(kHover, about(Eigen::Vector3d::UnitZ(), rate * t)));
  }
  const Eigen::Quaterniond attitude(flown.body().rotation);
  EXPECT_NEAR(attitude.angularDistance(about(Eigen::Vector3d::UnitZ(), rate * t)), rate * 0.3,
              1e-3);
  EXPECT_NEAR(flown.body().rate.z(), rate, 1e-3);
}

TEST(ThrustDrive, ReachesACommandedBodyRateWithinItsLag) {
  ThrustDrive drive = some_drive(Turning::kBodyRate);
  drive.attitude_lag[2].value = 0.3;
  const RigidBodyMotion motion = body_with(drive);
  ASSERT_EQ(motion.control_dim(), 4);
  Flown flown{motion};
  flown.step(0.3, Eigen::Vector4d(kHover, 0.0, 0.0, 1.0));
  EXPECT_NEAR(flown.body().rate.z(), 1.0 - std::exp(-1.0), 1e-3);
  EXPECT_NEAR(std::atan2(flown.body().rotation(1, 0), flown.body().rotation(0, 0)),
              0.3 * std::exp(-1.0), 1e-3);
}

TEST(ThrustDrive, ManySmallStepsAgreeWithALargeOne) {
  for (const Turning turning : {Turning::kAttitude, Turning::kBodyRate}) {
    const RigidBodyMotion motion = body_with(some_drive(turning));
    Eigen::VectorXd control(4);
    control << 0.6, 0.3, -0.2, 0.4;
    if (turning == Turning::kAttitude) {
      control = attitude_command(0.6, about(Eigen::Vector3d(1.0, -0.5, 0.5).normalized(), 0.3));
    }
    Vector12 start;
    start << 1.0, 2.0, 3.0, 0.1, -0.1, 0.2, 2.0, -1.0, 0.5, 0.2, 0.1, -0.3;
    Flown once{motion, start};
    Flown often{motion, start};
    once.step(0.1, control);
    for (int k = 0; k < 100; ++k) often.step(0.001, control);
    // The thrust's direction is that of the middle of a step.
    EXPECT_LT((once.body().position - often.body().position).norm(), 3e-3);
    EXPECT_LT((once.body().rotation * once.body().velocity -
               often.body().rotation * often.body().velocity)
                  .norm(),
              3e-2);
    EXPECT_LT((once.body().rotation - often.body().rotation).norm(), 5e-3);
    EXPECT_LT((once.body().rate - often.body().rate).norm(), 2e-2);
  }
}

TEST(ThrustDrive, WithoutThrustOrCommandItKeepsItsVelocityInTheWorldAndStopsTurning) {
  const RigidBodyMotion motion = body_with(some_drive(Turning::kAttitude));
  Vector12 start = Vector12::Zero();
  start.segment<3>(RigidBodyMotion::kVelocity) << 1.0, 0.0, 0.0;
  start.segment<3>(RigidBodyMotion::kRate) << 0.0, 0.0, 0.5;
  for (const Eigen::VectorXd& control :
       {Eigen::VectorXd(), attitude_command(0.0, Eigen::Quaterniond::Identity()),
        Eigen::VectorXd(Eigen::VectorXd::Zero(5))}) {
    Flown flown{motion, start};
    for (int k = 0; k < 20; ++k) flown.step(0.1, control);
    EXPECT_TRUE(all_close(flown.body().position, Eigen::Vector3d(2.0, 0.0, 0.0), 1e-12));
    EXPECT_LT(flown.body().rate.norm(), 1e-3);
    EXPECT_NEAR(std::atan2(flown.body().rotation(1, 0), flown.body().rotation(0, 0)), 0.5 * 0.2,
                1e-3);
  }
}

TEST(ThrustDrive, ALagThatIsLearnedTooSmallStaysUsable) {
  ThrustDrive drive = some_drive(Turning::kAttitude);
  for (Quantity& q : drive.attitude_lag) q.value = -0.2;
  const RigidBodyMotion motion = body_with(drive);
  Flown flown{motion};
  flown.step(0.1, attitude_command(kHover, about(Eigen::Vector3d::UnitX(), 0.3)));
  ASSERT_TRUE(flown.x.allFinite());
  EXPECT_NEAR(Eigen::Quaterniond(flown.body().rotation)
                  .angularDistance(about(Eigen::Vector3d::UnitX(), 0.3)),
              0.0, 1e-6);
}

TEST(ThrustDrive, AnAccelerometerShowsThrustAndDragButNoGravity) {
  const auto motion = std::make_shared<RigidBodyMotion>(body_with(some_drive(Turning::kAttitude)));
  const ImuSensor imu{.motion = motion};
  StepInput input = step_of(0.01);
  input.reference = about(Eigen::Vector3d::UnitX(), 0.4);  // tilted
  input.control = attitude_command(0.7, input.reference);
  Vector12 x = Vector12::Zero();
  x[RigidBodyMotion::kVelocity] = 2.0;
  Eigen::VectorXd y(6);
  imu(input, x.data(), y.data());
  EXPECT_TRUE(all_close(y.tail(3), Eigen::Vector3d(-0.4, 0.0, 0.7 * kGravity / kHover), 1e-12));
  input.control.resize(0);
  imu(input, x.data(), y.data());
  EXPECT_TRUE(all_close(
      y.tail(3), Eigen::Vector3d(0.0, kGravity * std::sin(0.4), kGravity * std::cos(0.4)), 1e-12));
}

}  // namespace
}  // namespace ovf
