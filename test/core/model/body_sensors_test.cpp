#include "ovf/model/body_sensors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "model/mean_checks.hpp"
#include "model/step_inputs.hpp"
#include "ovf/model/planar_motion.hpp"
#include "ovf/model/rigid_body_motion.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;
using test::RandomInputs;

// The motion's own state is followed by a mounting, a scale and six biases.
template <typename MotionType>
struct Robot {
  std::shared_ptr<const Motion> motion =
      std::make_shared<MotionType>(typename MotionType::Parameters{});
  int own = motion->state_dim();
  int dim = own + 14;

  Quantity quantity(int i) const { return {.index = own + i}; }
  Mounting mounting() const {
    return {.offset = {quantity(0), quantity(1), quantity(2)},
            .roll = quantity(12),
            .pitch = quantity(13),
            .yaw = quantity(3),
            .latency = quantity(4)};
  }
  Quantity scale() const { return quantity(5); }
  std::array<Quantity, 3> biases(int i) const {
    return {quantity(6 + i), quantity(7 + i), quantity(8 + i)};
  }
};

using PlanarRobot = Robot<PlanarMotion>;
using RigidRobot = Robot<RigidBodyMotion>;

Eigen::VectorXd seen(const MeanFunction& mean, const StepInput& input, const Eigen::VectorXd& x) {
  Eigen::MatrixXd out;
  mean.values(input, x, out);
  return out;
}

StepInput turned_reference() {
  StepInput input;
  input.reference = Eigen::Quaterniond(0.5, -0.3, 0.7, 0.2).normalized();
  input.target = 1;
  return input;
}

template <typename Function, typename RobotType>
void expect_jacobian(const Function& function, const RobotType& robot, std::uint64_t seed) {
  RandomInputs inputs(seed);
  const auto mean = make_sensor_mean(function, robot.dim);
  EXPECT_EQ(function.angles().size(), static_cast<std::size_t>(mean->output_dim()));
  test::expect_numerical_gradients(*mean, turned_reference(), 0.5 * inputs.matrix(robot.dim, 4),
                                   inputs, 1e-7);
}

template <typename RobotType>
void expect_jacobians_of_every_sensor(const RobotType& robot) {
  const auto& motion = robot.motion;
  const Mounting mounting = robot.mounting();
  const Targets targets = {Eigen::Vector3d(4.0, 1.0, 0.5), Eigen::Vector3d(-3.0, 5.0, 1.0)};
  expect_jacobian(PositionSensor{motion, mounting, {0, 2}, robot.biases(0)}, robot, 1);
  expect_jacobian(AltitudeSensor{motion, mounting, robot.quantity(6)}, robot, 2);
  expect_jacobian(YawSensor{motion, mounting}, robot, 3);
  expect_jacobian(PlanarPoseSensor{motion, mounting}, robot, 4);
  expect_jacobian(PoseSensor{motion, mounting}, robot, 5);
  expect_jacobian(VelocitySensor{motion, mounting, {0, 1, 2}, robot.scale()}, robot, 6);
  expect_jacobian(TurnRateSensor{motion, mounting, {2, 0}, robot.biases(0)}, robot, 7);
  expect_jacobian(ImuSensor{motion, mounting, robot.biases(0), robot.biases(3), true}, robot, 8);
  expect_jacobian(RangeSensor{motion, mounting, targets, {{}, robot.quantity(6)}, robot.scale()},
                  robot, 9);
  expect_jacobian(RangeBearingSensor{motion, mounting, targets, robot.quantity(6), robot.scale(),
                                     robot.quantity(7)},
                  robot, 10);
}

TEST(BodySensors, HaveTheNumericalJacobianOnAPlanarRobot) {
  expect_jacobians_of_every_sensor(PlanarRobot());
}

TEST(BodySensors, HaveTheNumericalJacobianOnARigidBody) {
  expect_jacobians_of_every_sensor(RigidRobot());
}

TEST(BodySensors, HaveTheNumericalJacobianAtTheReferenceItself) {
  RandomInputs inputs(11);
  const RigidRobot robot;
  Eigen::MatrixXd x = inputs.matrix(robot.dim, 1);
  x.col(0).segment(RigidBodyMotion::kRotation, 3).setZero();
  for (const bool orientation : {false, true}) {
    const auto mean = make_sensor_mean(
        ImuSensor{robot.motion, {}, robot.biases(0), robot.biases(3), orientation}, robot.dim);
    test::expect_numerical_gradients(*mean, turned_reference(), x, inputs, 1e-7);
  }
}

TEST(BodySensors, KeepTheirSlopesFiniteOnTopOfATarget) {
  const PlanarRobot robot;
  const Targets targets = {Eigen::Vector3d::Zero()};
  const Eigen::VectorXd x = Eigen::VectorXd::Zero(robot.dim);
  Eigen::MatrixXd slope;
  make_sensor_mean(RangeSensor{robot.motion, {}, targets, {{}}}, robot.dim)->jacobian({}, x, slope);
  EXPECT_TRUE(slope.allFinite());
  make_sensor_mean(RangeBearingSensor{robot.motion, {}, targets}, robot.dim)
      ->jacobian({}, x, slope);
  EXPECT_TRUE(slope.allFinite());
}

TEST(BodySensors, SeePositionsAndVelocitiesAtTheEndOfTheLeverArm) {
  // At (10, 20), facing north, 2 m/s ahead, turning left by 0.5 rad/s.
  const PlanarRobot robot;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(robot.dim);
  x.head(5) << 10.0, 20.0, 0.5 * std::numbers::pi, 2.0, 0.5;
  // A metre ahead and 0.4 m to the left, 0.3 m up.
  Mounting mounting;
  mounting.offset[0].value = 1.0;
  mounting.offset[1].value = 0.4;
  mounting.offset[2].value = 0.3;
  const auto position = make_sensor_mean(PositionSensor{robot.motion, mounting}, robot.dim);
  EXPECT_TRUE(all_close(seen(*position, {}, x), Eigen::Vector3d(9.6, 21.0, 0.3), 1e-14));
  const auto velocity = make_sensor_mean(VelocitySensor{robot.motion, mounting}, robot.dim);
  EXPECT_TRUE(all_close(seen(*velocity, {}, x), Eigen::Vector3d(1.8, 0.5, 0.0), 1e-14));
  // A sensor that looks to the left has its forward axis there.
  mounting.yaw.value = 0.5 * std::numbers::pi;
  const auto sideways = make_sensor_mean(VelocitySensor{robot.motion, mounting, {0}}, robot.dim);
  EXPECT_NEAR(seen(*sideways, {}, x)[0], 0.5, 1e-14);
  const auto pose = make_sensor_mean(PlanarPoseSensor{robot.motion, mounting}, robot.dim);
  EXPECT_TRUE(all_close(seen(*pose, {}, x), Eigen::Vector3d(9.6, 21.0, std::numbers::pi), 1e-14));
}

TEST(BodySensors, TurnVectorsIntoTheirOwnAxes) {
  const PlanarRobot robot;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(robot.dim);
  x[4] = 0.5;
  // On its side, then turned about z: its y axis points up.
  Mounting mounting;
  mounting.roll.value = 0.5 * std::numbers::pi;
  mounting.yaw.value = -0.5 * std::numbers::pi;
  const auto gyro = make_sensor_mean(TurnRateSensor{robot.motion, mounting}, robot.dim);
  EXPECT_TRUE(all_close(seen(*gyro, {}, x), Eigen::Vector3d(0.0, 0.5, 0.0), 1e-14));
  // Any mounting is the inverse of the rotation from the sensor to the body.
  mounting = {.roll = {.value = 0.3}, .pitch = {.value = -0.7}, .yaw = {.value = 1.2}};
  const Eigen::Vector3d a(1.0, 2.0, 3.0);
  const Eigen::Matrix3d to_body = (Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitZ()) *
                                   Eigen::AngleAxisd(-0.7, Eigen::Vector3d::UnitY()) *
                                   Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitX()))
                                      .toRotationMatrix();
  EXPECT_TRUE(
      all_close(mounting.to_sensor(a, x.data()), Eigen::Vector3d(to_body.transpose() * a), 1e-14));
}

TEST(BodySensors, MoveTheLeverArmAsTheBodyMoves) {
  // The velocity at the sensor is the derivative of its position, turned into the body.
  const RigidRobot robot;
  const RigidBodyMotion motion({});
  RandomInputs inputs(12);
  Eigen::VectorXd x = inputs.vector(robot.dim);
  Mounting mounting = robot.mounting();
  mounting.latency = {};
  mounting.roll = mounting.pitch = mounting.yaw = {};
  StepInput input = turned_reference();
  input.last_reference = input.reference;
  const auto position = make_sensor_mean(PositionSensor{robot.motion, mounting}, robot.dim);
  const auto velocity = make_sensor_mean(VelocitySensor{robot.motion, mounting}, robot.dim);
  const auto at = [&](double time) -> Eigen::VectorXd {
    input.dt = time;
    Eigen::VectorXd moved = x;
    motion.move(input, x.data(), nullptr, moved.data());
    return seen(*position, input, moved);
  };
  constexpr double kStep = 1e-5;
  const Eigen::Vector3d derivative = (at(kStep) - at(-kStep)) / (2.0 * kStep);
  const Eigen::Matrix3d rotation = motion.kinematics(input, x.data()).rotation;
  EXPECT_TRUE(all_close(seen(*velocity, input, x), rotation.transpose() * derivative, 1e-8));
}

TEST(BodySensors, SeeALateMeasurementWhereTheBodyWas) {
  const RigidRobot robot;
  const RigidBodyMotion motion({});
  Eigen::VectorXd x = RandomInputs(13).vector(robot.dim);
  Mounting late;
  late.latency.value = 1e-3;
  StepInput input = turned_reference();
  input.last_reference = input.reference;
  input.dt = -late.latency.value;
  Eigen::VectorXd before = x;
  motion.move(input, x.data(), nullptr, before.data());
  const auto sensor = make_sensor_mean(PoseSensor{robot.motion, late}, robot.dim);
  const auto without_delay = make_sensor_mean(PoseSensor{robot.motion}, robot.dim);
  // The way back is straight: off by velocity * rate * latency^2 / 2.
  EXPECT_TRUE(all_close(seen(*sensor, input, x), seen(*without_delay, input, before), 5e-6));
}

TEST(BodySensors, TakeAnOrientationRelativeToTheReference) {
  const RigidRobot robot;
  const StepInput input = turned_reference();
  Eigen::VectorXd x = 0.5 * RandomInputs(14).vector(robot.dim);
  const auto sensor = make_sensor_mean(PoseSensor{robot.motion}, robot.dim);
  const Eigen::Quaterniond truth(robot.motion->kinematics(input, x.data()).rotation);
  // What the state itself holds.
  EXPECT_TRUE(all_close(relative_rotation(input, truth), x.segment(3, 3), 1e-14));
  EXPECT_TRUE(all_close(seen(*sensor, input, x).tail(3), x.segment(3, 3), 1e-14));
  // q and -q, and a length that is not quite one, mean the same.
  Eigen::Quaterniond scaled = truth;
  scaled.coeffs() *= -1.001;
  EXPECT_TRUE(all_close(relative_rotation(input, scaled), x.segment(3, 3), 1e-14));
}

TEST(BodySensors, TurnTheCovarianceOfAnOrientationAlong) {
  RandomInputs inputs(15);
  const StepInput input = turned_reference();
  const Eigen::Quaterniond measured = Eigen::Quaterniond(0.2, 0.9, -0.4, 0.3).normalized();
  const Eigen::Matrix3d covariance = inputs.covariance(3, CovarianceForm::kFull);
  const auto y_of = [&](const Eigen::VectorXd& small) -> Eigen::VectorXd {
    const Vector3<double> turn = small;
    return relative_rotation(input, rotation_quaternion(turn) * measured);
  };
  const Eigen::MatrixXd slope = numerical_jacobian(y_of, Eigen::VectorXd::Zero(3));
  EXPECT_TRUE(all_close(relative_covariance(input, measured, covariance),
                        slope * covariance * slope.transpose(), 1e-7));
}

TEST(BodySensors, FeelGravityAndTheTurningOfTheVelocity) {
  const RigidRobot robot;
  Eigen::VectorXd x = Eigen::VectorXd::Zero(robot.dim);
  const auto imu = make_sensor_mean(ImuSensor{robot.motion}, robot.dim);
  EXPECT_TRUE(all_close(seen(*imu, {}, x).tail(3), Eigen::Vector3d(0.0, 0.0, 9.80665), 1e-15));
  // On its left side gravity points out of its right one: the accelerometer shows it to the right.
  x[RigidBodyMotion::kRotation] = -0.5 * std::numbers::pi;
  EXPECT_TRUE(all_close(seen(*imu, {}, x).tail(3), Eigen::Vector3d(0.0, -9.80665, 0.0), 1e-14));
  // Driving 2 m/s around a left turn of 0.5 rad/s: 1 m/s^2 to the left, and the rate itself.
  x.setZero();
  x[RigidBodyMotion::kVelocity] = 2.0;
  x[RigidBodyMotion::kRate + 2] = 0.5;
  const Eigen::VectorXd y = seen(*imu, {}, x);
  EXPECT_TRUE(all_close(y.tail(3), Eigen::Vector3d(0.0, 1.0, 9.80665), 1e-14));
  EXPECT_TRUE(all_close(y.head(3), Eigen::Vector3d(0.0, 0.0, 0.5), 1e-15));
  // An arm of 2 m ahead is pulled inwards by 0.5^2 * 2 m/s^2.
  Mounting ahead;
  ahead.offset[0].value = 2.0;
  const auto swung = make_sensor_mean(ImuSensor{robot.motion, ahead}, robot.dim);
  EXPECT_TRUE(all_close(seen(*swung, {}, x).tail(3), Eigen::Vector3d(-0.5, 1.0, 9.80665), 1e-14));
}

TEST(BodySensors, MeasureTheImuThatDrivesABodyOfConstantTwist) {
  // What ImuSensor predicts, given to RigidBodyMotion as its control, keeps the twist.
  const RigidRobot robot;
  RandomInputs inputs(16);
  const Eigen::VectorXd x = 0.5 * inputs.vector(robot.dim);
  const RigidBodyMotion driven({.control = RigidBodyMotion::Control::kImu});
  StepInput input = turned_reference();
  input.last_reference = input.reference;
  input.dt = 1e-3;
  input.control = seen(*make_sensor_mean(ImuSensor{robot.motion}, robot.dim), input, x);
  Eigen::VectorXd expected(12), out(12);
  driven.move(input, x.data(), nullptr, out.data());
  input.control.resize(0);
  driven.move(input, x.data(), nullptr, expected.data());
  EXPECT_TRUE(all_close(out, expected, 1e-5));
}

TEST(BodySensors, SelectAndMixEntriesOfTheState) {
  Eigen::VectorXd x(4);
  x << 1.0, 2.0, 3.0, 4.0;
  EXPECT_TRUE(all_close(seen(*make_selecting_sensor_mean(4, {3, 0}), {}, x),
                        Eigen::Vector2d(4.0, 1.0), 0.0));
  Eigen::MatrixXd matrix(2, 2);
  matrix << 1.0, -1.0, 0.5, 2.0;
  const auto mixed = make_linear_sensor_mean(4, {1, 2}, matrix, Eigen::Vector2d(10.0, 20.0));
  EXPECT_TRUE(all_close(seen(*mixed, {}, x), Eigen::Vector2d(9.0, 27.0), 1e-15));
  EXPECT_TRUE(mixed->is_linear());
}

TEST(BodySensors, RefuseEntriesThatTheStateDoesNotHave) {
  const auto one = [](std::vector<int> indices) {
    return message_of([&] { make_selecting_sensor_mean(4, indices); });
  };
  EXPECT_TRUE(contains(one({0, 4}), "entry 4"));
  EXPECT_TRUE(contains(one({-1}), "entry -1"));
  EXPECT_TRUE(contains(one({2, 2}), "entry 2"));
  EXPECT_TRUE(contains(message_of([] {
                         make_linear_sensor_mean(4, {0, 1}, Eigen::MatrixXd::Ones(1, 3));
                       }),
                       "3 columns; expected 2"));
}

TEST(BodySensors, ReadTheEncodersOfSomeJoints) {
  const JointMotion motion({.joints = {"shoulder", "elbow", "wrist"}});
  const Eigen::VectorXd x = RandomInputs(17).vector(7);
  const auto read = [&](JointReading reading) {
    return seen(*make_joint_sensor_mean(motion, 7, {"wrist", "elbow"}, reading), {}, x);
  };
  EXPECT_TRUE(all_close(read(JointReading::kPositions), Eigen::Vector2d(x[2], x[1]), 0.0));
  EXPECT_TRUE(all_close(read(JointReading::kVelocities), Eigen::Vector2d(x[5], x[4]), 0.0));
  EXPECT_TRUE(all_close(read(JointReading::kPositionsAndVelocities),
                        Eigen::Vector4d(x[2], x[1], x[5], x[4]), 0.0));
  EXPECT_TRUE(contains(
      message_of([&] { make_joint_sensor_mean(motion, 7, {"knee"}, JointReading::kPositions); }),
      "no joint knee"));
}

}  // namespace
}  // namespace ovf
