#include "ovf/recording/to_measurements.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ovf/recording/ros_messages.hpp"
#include "ovf/recording/sense.hpp"

namespace ovf {
namespace {

EstimatorConfig with_sensor(const SensorConfig& sensor, MotionKind kind = MotionKind::kPlanar) {
  EstimatorConfig config;
  config.motion.kind = kind;
  config.motion.control = kind == MotionKind::kPlanar ? ControlKind::kOdometry : ControlKind::kNone;
  config.sensors = {sensor};
  return config;
}

Measurement only(const EstimatorConfig& config, const Sensed& sensed) {
  MessageConversion conversion(config);
  std::vector<Message> out;
  EXPECT_EQ(conversion.measurements(0, sensed, out), "");
  EXPECT_EQ(out.size(), 1u);
  return std::get<Measurement>(out.at(0));
}

std::string refusal(const EstimatorConfig& config, const Sensed& sensed) {
  MessageConversion conversion(config);
  std::vector<Message> out;
  std::string reason = conversion.measurements(0, sensed, out);
  EXPECT_TRUE(out.empty());
  return reason;
}

ros::Odometry odometry() {
  ros::Odometry message;
  message.header.stamp.sec = 5;
  message.header.stamp.nanosec = 250'000'000;
  message.header.frame_id = "odom";
  message.pose.pose.position = {1.0, 2.0, 3.0};
  message.pose.pose.orientation = {0.0, 0.0, std::sin(0.4), std::cos(0.4)};
  for (std::size_t i = 0; i < 36; ++i) {
    message.pose.covariance[i] = static_cast<double>(i);
    message.twist.covariance[i] = 100.0 + static_cast<double>(i);
  }
  message.twist.twist.linear = {0.5, 0.1, 0.0};
  message.twist.twist.angular = {0.01, 0.02, 0.3};
  return message;
}

TEST(MessageConversion, TakesAPlanarPoseFromOdometry) {
  const Measurement m =
      only(with_sensor({.name = "pose", .kind = SensorKind::kPose}), sense_odometry(odometry()));
  EXPECT_EQ(m.stamp, 5'250'000'000);
  EXPECT_EQ(m.sensor, "pose");
  EXPECT_TRUE(m.y.isApprox(Eigen::Vector3d(1.0, 2.0, 0.8), 1e-12));
  Eigen::Matrix3d covariance;  // rows and columns x, y, yaw of six
  covariance << 0, 1, 5, 6, 7, 11, 30, 31, 35;
  EXPECT_EQ(m.covariance, covariance);
}

TEST(MessageConversion, TakesAPoseInSpaceWithItsQuaternion) {
  const Measurement m =
      only(with_sensor({.name = "pose", .kind = SensorKind::kPose}, MotionKind::kRigidBody),
           sense_odometry(odometry()));
  ASSERT_EQ(m.y.size(), 7);
  EXPECT_EQ(m.y[5], std::sin(0.4));
  EXPECT_EQ(m.y[6], std::cos(0.4));
  EXPECT_EQ(m.covariance.rows(), 6);
}

TEST(MessageConversion, TakesTheAxesThatASensorHas) {
  Measurement m = only(with_sensor({.name = "wheel", .kind = SensorKind::kVelocity, .axes = {0}}),
                       sense_odometry(odometry()));
  EXPECT_EQ(m.y, Eigen::VectorXd::Constant(1, 0.5));
  EXPECT_EQ(m.covariance(0, 0), 100.0);
  m = only(with_sensor({.name = "gyro", .kind = SensorKind::kTurnRate}),
           sense_odometry(odometry()));
  EXPECT_EQ(m.y, Eigen::VectorXd::Constant(1, 0.3));
  EXPECT_EQ(m.covariance(0, 0), 135.0);
}

TEST(MessageConversion, TakesOdometryAsControl) {
  const MessageConversion conversion(with_sensor({.name = "s", .kind = SensorKind::kYaw}));
  std::vector<Message> out;
  EXPECT_EQ(conversion.control(sense_odometry(odometry()), out), "");
  EXPECT_EQ(std::get<Control>(out.at(0)).u, Eigen::Vector2d(0.5, 0.3));
}

TEST(MessageConversion, TurnsAnImuThatDrivesTheBody) {
  EstimatorConfig config =
      with_sensor({.name = "s", .kind = SensorKind::kPosition}, MotionKind::kRigidBody);
  config.motion.control = ControlKind::kImu;
  config.motion.control_rotation = {0.5 * M_PI, 0.0, 0.0};  // its y axis points up
  ros::Imu imu;
  imu.angular_velocity = {0.1, 0.2, 0.3};
  imu.linear_acceleration = {0.0, 9.8, 0.0};
  std::vector<Message> out;
  EXPECT_EQ(MessageConversion(config).control(sense_imu(imu), out), "");
  Eigen::VectorXd expected(6);
  expected << 0.1, -0.3, 0.2, 0.0, 0.0, 9.8;
  EXPECT_TRUE(std::get<Control>(out.at(0)).u.isApprox(expected, 1e-12));
}

TEST(MessageConversion, ReadsTheYawOfAnImuOnItsSide) {
  SensorConfig sensor{.name = "compass", .kind = SensorKind::kYaw};
  sensor.roll.value = 0.5 * M_PI;
  ros::Imu imu;
  const Eigen::Quaterniond q = Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()) *
                               Eigen::AngleAxisd(0.5 * M_PI, Eigen::Vector3d::UnitX());
  imu.orientation = {q.x(), q.y(), q.z(), q.w()};
  imu.orientation_covariance[8] = 0.04;
  const Measurement m = only(with_sensor(sensor), sense_imu(imu));
  EXPECT_NEAR(m.y[0], 0.7, 1e-12);
  EXPECT_EQ(m.covariance(0, 0), 0.04);
  imu.orientation_covariance[0] = -1.0;
  EXPECT_EQ(refusal(with_sensor(sensor), sense_imu(imu)), "no orientation");
}

TEST(MessageConversion, MeasuresFixesFromTheFirstOne) {
  MessageConversion conversion(with_sensor({.name = "gnss", .kind = SensorKind::kPosition}));
  ros::NavSatFix fix;
  fix.latitude = 48.0;
  fix.longitude = 11.0;
  fix.position_covariance[0] = 4.0;
  fix.position_covariance_type = 2;
  std::vector<Message> out;
  conversion.measurements(0, sense_fix(fix), out);
  fix.latitude += 1e-3;
  conversion.measurements(0, sense_fix(fix), out);
  ASSERT_EQ(out.size(), 2u);
  EXPECT_TRUE(std::get<Measurement>(out[0]).y.isZero(1e-9));
  EXPECT_NEAR(std::get<Measurement>(out[1]).y[1], 111.2,
              0.1);  // metres in a thousandth of a degree
  EXPECT_EQ(std::get<Measurement>(out[1]).covariance(0, 0), 4.0);
  fix.status.status = -1;
  EXPECT_NE(conversion.measurements(0, sense_fix(fix), out), "");
  fix.status.status = 0;
  fix.latitude = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(conversion.measurements(0, sense_fix(fix), out), "");
  EXPECT_EQ(out.size(), 2u);
}

TEST(MessageConversion, FindsJointsByName) {
  EstimatorConfig config =
      with_sensor({.name = "encoders", .kind = SensorKind::kJointPositions}, MotionKind::kJoints);
  config.motion.joints = {"elbow", "shoulder"};
  ros::JointState message;
  message.name = {"gripper", "shoulder", "elbow"};
  message.position = {1.0, 2.0, 3.0};
  EXPECT_EQ(only(config, sense_joints(message)).y, Eigen::Vector2d(3.0, 2.0));
  message.position = {1.0, 2.0};
  EXPECT_EQ(refusal(config, sense_joints(message)), "no reading of joint elbow");
  message.name = {};
  EXPECT_EQ(refusal(config, sense_joints(message)), "no reading of joint elbow");
}

TEST(MessageConversion, MakesAMeasurementOfEachLandmark) {
  MessageConversion conversion(with_sensor({.name = "camera", .kind = SensorKind::kRangeBearing}));
  ros::RangeBearingArray message;
  message.landmarks = {{.id = 7, .range = 2.0, .bearing = 0.1, .range_variance = 0.3},
                       {.id = 9, .range = 4.0, .bearing = -0.1}};
  std::vector<Message> out;
  EXPECT_EQ(conversion.measurements(0, sense_range_bearings(message), out), "");
  ASSERT_EQ(out.size(), 2u);
  EXPECT_EQ(std::get<Measurement>(out[1]).target, 9);
  EXPECT_EQ(std::get<Measurement>(out[0]).covariance(0, 0), 0.3);
  message.landmarks.clear();
  EXPECT_EQ(conversion.measurements(0, sense_range_bearings(message), out), "nothing in sight");
}

TEST(MessageConversion, TakesARangeForTheOnlyTargetThatThereIs) {
  ros::Range range;
  range.range = 2.5F;
  range.min_range = 0.1F;
  range.max_range = 10.0F;
  const SensorConfig sensor{.name = "sonar", .kind = SensorKind::kRange, .targets = {4}};
  EXPECT_EQ(only(with_sensor(sensor), sense_range(range)).target, 4);
  range.range = std::numeric_limits<float>::infinity();
  EXPECT_EQ(refusal(with_sensor(sensor), sense_range(range)), "nothing in sight");
}

TEST(MessageConversion, RefusesAnOrientationOfZeros) {
  ros::Odometry message = odometry();
  message.pose.pose.orientation = {0.0, 0.0, 0.0, 0.0};
  EXPECT_EQ(
      refusal(with_sensor({.name = "pose", .kind = SensorKind::kPose}), sense_odometry(message)),
      "an orientation of zeros");
}

TEST(ToStamp, TakesNegativeSecondsAndBack) {
  ros::Time time;
  time.sec = -2;
  time.nanosec = 500'000'000;
  EXPECT_EQ(to_stamp(time), -1'500'000'000);
}

}  // namespace
}  // namespace ovf
