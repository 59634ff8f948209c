#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ovf/math/chi_square.hpp"
#include "ovf_ros/estimator_services.hpp"
#include "ovf_ros/initial_belief.hpp"
#include "ovf_ros/input_counts.hpp"
#include "ovf_ros/input_topics.hpp"
#include "ovf_ros/latency_window.hpp"
#include "ovf_ros/log_limiter.hpp"
#include "ovf_ros/markers.hpp"
#include "ovf_ros/static_mounting.hpp"
#include "ovf_ros/transform_gate.hpp"

namespace ovf_ros::test {
namespace {

using ovf::Stamp;

constexpr Stamp kSecond = 1'000'000'000;

std::string as_it_is(const std::string& name) { return name; }

TEST(InputTopics, AreOneForSeveralSensorsWithTheControlFirst) {
  ovf::EstimatorConfig config;
  config.motion.control_topic = "/odom";
  config.sensors = {{.name = "speed", .topic = "/odom", .kind = ovf::SensorKind::kVelocity},
                    {.name = "gps", .kind = ovf::SensorKind::kPosition}};
  const auto topics = input_topics(config, as_it_is);
  ASSERT_EQ(topics.size(), 2U);
  EXPECT_EQ(topics[0].name, "/odom");
  EXPECT_EQ(topics[0].takers, (std::vector<int>{-1, 0}));
  EXPECT_EQ(topics[0].usual_types.front(), "nav_msgs/msg/Odometry");
  EXPECT_EQ(topics[1].name, "gps");
  EXPECT_EQ(topics[1].takers, (std::vector<int>{1}));
  EXPECT_EQ(topics[1].key, "gps.topic");
}

TEST(InputTopics, AreSharedByTheirFullNames) {
  ovf::EstimatorConfig config;
  config.motion.control = ovf::ControlKind::kNone;
  config.sensors = {{.name = "a", .topic = "joint_states"},
                    {.name = "b", .topic = "/joint_states"}};
  const auto topics = input_topics(
      config, [](const std::string& name) { return name.starts_with('/') ? name : "/" + name; });
  ASSERT_EQ(topics.size(), 1U);
  EXPECT_EQ(topics[0].takers.size(), 2U);
}

TEST(InputTopics, TakeTheTypeThatIsPublished) {
  const InputTopic topic{
      "gps", {0}, {"sensor_msgs/msg/NavSatFix", "geometry_msgs/msg/PointStamped"}, "gps.topic"};
  EXPECT_EQ(choose_type(topic, "", {}), "");
  EXPECT_EQ(choose_type(topic, "", {"geometry_msgs/msg/PointStamped"}),
            "geometry_msgs/msg/PointStamped");
  EXPECT_EQ(choose_type(topic, "geometry_msgs/msg/PointStamped",
                        {"sensor_msgs/msg/NavSatFix", "geometry_msgs/msg/PointStamped"}),
            "geometry_msgs/msg/PointStamped");
  EXPECT_EQ(choose_type(topic, "sensor_msgs/msg/NavSatFix", {"nav_msgs/msg/Odometry"}),
            "nav_msgs/msg/Odometry");
  EXPECT_EQ(choose_type(topic, "sensor_msgs/msg/NavSatFix", {"std_msgs/msg/String"}), "");
}

TEST(TransformGate, LetsEachStampThroughOnceAndNoneThatIsOlder) {
  TransformGate gate(5.0, 0.5);
  constexpr ovf::Stamp kNow = 1000 * kSecond;
  EXPECT_TRUE(gate.passes(10 * kSecond, kNow));
  EXPECT_FALSE(gate.passes(10 * kSecond, kNow));
  EXPECT_FALSE(gate.passes(9 * kSecond, kNow));
  EXPECT_TRUE(gate.passes(11 * kSecond, kNow));
}

TEST(TransformGate, LetsNoStampOfTheFutureThrough) {
  TransformGate gate(5.0, 0.5);
  EXPECT_TRUE(gate.passes(10 * kSecond, 10 * kSecond));
  EXPECT_FALSE(gate.passes(3610 * kSecond, 10 * kSecond));
  EXPECT_TRUE(gate.passes(11 * kSecond, 11 * kSecond));
}

TEST(TransformGate, OpensWhenTheClockIsSetBack) {
  TransformGate gate(5.0, 0.5);
  constexpr ovf::Stamp kNow = 1000 * kSecond;
  EXPECT_TRUE(gate.passes(100 * kSecond, kNow));
  EXPECT_TRUE(gate.passes(10 * kSecond, kNow));
  EXPECT_TRUE(gate.passes(11 * kSecond, kNow));
  gate.forget();
  EXPECT_TRUE(gate.passes(10 * kSecond, kNow));
}

TEST(LatencyWindow, HasTheQuantilesOfTheLastValues) {
  LatencyWindow window(100);
  EXPECT_EQ(window.quantiles({0.5, 1.0}), (std::vector<double>{0.0, 0.0}));
  for (int i = 1; i <= 1000; ++i) window.add(i);
  const auto quantiles = window.quantiles({0.0, 0.5, 1.0});
  EXPECT_EQ(quantiles[0], 901.0);
  EXPECT_NEAR(quantiles[1], 950.0, 1.0);
  EXPECT_EQ(quantiles[2], 1000.0);
}

TEST(LogLimiter, RepeatsOnlyWhatIsNew) {
  LogLimiter limiter;
  EXPECT_TRUE(limiter.is_due("a", "x"));
  EXPECT_FALSE(limiter.is_due("a", "x"));
  EXPECT_TRUE(limiter.is_due("a", "y"));
  EXPECT_TRUE(limiter.is_due("b", "y"));
  limiter.forget("a");
  EXPECT_TRUE(limiter.is_due("a", "y"));
}

TEST(InputCounts, SayRateSilenceAndTheMainReason) {
  InputCounts counts;
  counts.start(kSecond);
  EXPECT_NEAR(counts.summary(3 * kSecond).silence, 2.0, 1e-9);
  for (int i = 0; i < 20; ++i) {
    counts.received(4 * kSecond);
    i < 5 ? counts.used() : counts.unused(i < 8 ? "late" : "gated");
  }
  const auto summary = counts.summary(5 * kSecond);
  EXPECT_NEAR(summary.rate, 5.0, 1e-9);
  EXPECT_NEAR(summary.silence, 1.0, 1e-9);
  EXPECT_EQ(summary.main_reason, "gated");
  EXPECT_EQ(summary.counts.used, 5);
  // What is long past does not count.
  counts.summary(20 * kSecond);
  EXPECT_EQ(counts.summary(31 * kSecond).counts.received, 0);
}

TEST(InputCounts, SurviveAClockThatIsSetBack) {
  InputCounts counts;
  counts.start(100 * kSecond);
  counts.received(101 * kSecond);
  counts.summary(102 * kSecond);
  const auto summary = counts.summary(10 * kSecond);
  EXPECT_GE(summary.silence, 0.0);
  EXPECT_GE(summary.rate, 0.0);
  EXPECT_LT(counts.summary(11 * kSecond).silence, 2.0);
}

TEST(Markers, OfAPlanarBeliefHaveTheWidthOfItsEllipse) {
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
  covariance(0, 0) = 4.0;
  covariance(1, 1) = 1.0;
  const auto marker = belief_marker(std_msgs::msg::Header(), {1.0, 2.0, 0.0}, covariance);
  const double reach = std::sqrt(ovf::chi_square_quantile(kEllipsoidProbability, 2.0));
  EXPECT_EQ(marker.pose.position.x, 1.0);
  std::vector<double> widths = {marker.scale.x, marker.scale.y, marker.scale.z};
  std::sort(widths.begin(), widths.end());
  EXPECT_GT(widths[0], 0.0);
  EXPECT_NEAR(widths[1], 2.0 * reach, 1e-9);
  EXPECT_NEAR(widths[2], 4.0 * reach, 1e-9);
  const auto& q = marker.pose.orientation;
  EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1.0, 1e-9);
}

TEST(Markers, OfARolloutAreAsManyAsAskedForAndTheOthersGo) {
  ovf_msgs::msg::Rollout rollout;
  rollout.poses.resize(21);
  for (std::size_t k = 0; k < rollout.poses.size(); ++k) {
    rollout.poses[k].pose.position.x = static_cast<double>(k);
    rollout.poses[k].covariance[0] = rollout.poses[k].covariance[7] = 1.0;
  }
  auto markers = rollout_markers(rollout, 10).markers;
  ASSERT_EQ(markers.size(), 10U);
  EXPECT_EQ(markers.back().pose.position.x, 20.0);
  rollout.poses.resize(3);
  markers = rollout_markers(rollout, 10).markers;
  ASSERT_EQ(markers.size(), 10U);
  EXPECT_EQ(markers[2].action, visualization_msgs::msg::Marker::ADD);
  EXPECT_EQ(markers[3].action, visualization_msgs::msg::Marker::DELETE);
}

TEST(Markers, OfLandmarksHaveTheirNumbers) {
  ovf::EstimatorConfig config;
  config.landmark_ids = {7, 8};
  config.landmark_x = {1.0, 2.0};
  config.landmark_y = {3.0, 4.0};
  const auto markers = landmark_markers(config).markers;
  ASSERT_EQ(markers.size(), 4U);
  EXPECT_EQ(markers[1].text, "7");
  EXPECT_EQ(markers[2].pose.position.y, 4.0);
  EXPECT_EQ(markers[2].header.frame_id, "map");
}

ovf::EstimatorConfig config_of(ovf::MotionKind kind) {
  ovf::EstimatorConfig config;
  config.motion.kind = kind;
  config.motion.control = ovf::ControlKind::kNone;
  config.motion.joints = {"elbow"};
  const bool joints = kind == ovf::MotionKind::kJoints;
  config.sensors = {{.name = "s",
                     .kind = joints ? ovf::SensorKind::kJointPositions : ovf::SensorKind::kPosition,
                     .noise = {0.1}}};
  config.initial.deviations = {2.0};
  return config;
}

geometry_msgs::msg::PoseWithCovarianceStamped pose_at(double x, double y, double yaw) {
  geometry_msgs::msg::PoseWithCovarianceStamped pose;
  pose.header.frame_id = "map";
  pose.pose.pose.position.x = x;
  pose.pose.pose.position.y = y;
  pose.pose.pose.orientation.z = std::sin(0.5 * yaw);
  pose.pose.pose.orientation.w = std::cos(0.5 * yaw);
  return pose;
}

TEST(InitialBelief, OfAPlanarRobotHasThePoseAndItsCovariance) {
  ovf::Estimator estimator(config_of(ovf::MotionKind::kPlanar));
  auto pose = pose_at(1.0, 2.0, 0.5);
  pose.pose.covariance[0] = pose.pose.covariance[7] = 0.25;
  pose.pose.covariance[35] = 0.04;
  const InitialBelief belief = initial_belief(estimator, pose, 7 * kSecond);
  EXPECT_EQ(belief.stamp, 7 * kSecond);
  EXPECT_NEAR((belief.mean.head<3>() - Eigen::Vector3d(1.0, 2.0, 0.5)).norm(), 0.0, 1e-12);
  EXPECT_EQ(belief.covariance(0, 0), 0.25);
  EXPECT_EQ(belief.covariance(2, 2), 0.04);
  EXPECT_NEAR(belief.covariance(3, 3), 4.0, 1e-9);  // the velocity's is as configured
  estimator.initialise(belief.stamp, belief.mean, belief.covariance, belief.reference);
  EXPECT_TRUE(estimator.initialised());
}

TEST(InitialBelief, HasTheConfiguredCovarianceWhereThePoseHasNone) {
  const ovf::Estimator estimator(config_of(ovf::MotionKind::kPlanar));
  auto pose = pose_at(1.0, 2.0, 0.5);
  EXPECT_NEAR(initial_belief(estimator, pose, 0).covariance(0, 0), 4.0, 1e-9);
  pose.pose.covariance[0] = -1.0;
  EXPECT_NEAR(initial_belief(estimator, pose, 0).covariance(0, 0), 4.0, 1e-9);
}

TEST(InitialBelief, InSpaceTurnsTheCovarianceIntoTheBody) {
  ovf::Estimator estimator(config_of(ovf::MotionKind::kRigidBody));
  auto pose = pose_at(1.0, 2.0, std::acos(0.0));  // a quarter turn to the left
  for (const std::size_t i : {0, 7, 14}) pose.pose.covariance[i] = 1.0;
  pose.pose.covariance[21] = 0.01;  // about the world's x, which is the body's right
  pose.pose.covariance[28] = 0.04;
  pose.pose.covariance[35] = 0.09;
  const InitialBelief belief = initial_belief(estimator, pose, 1);
  EXPECT_NEAR(belief.covariance(3, 3), 0.04, 1e-9);
  EXPECT_NEAR(belief.covariance(4, 4), 0.01, 1e-9);
  EXPECT_NEAR(belief.covariance(5, 5), 0.09, 1e-9);
  EXPECT_NEAR(belief.reference.z(), std::sqrt(0.5), 1e-9);
  estimator.initialise(belief.stamp, belief.mean, belief.covariance, belief.reference);
}

TEST(InitialBelief, RefusesWhatIsNoPoseOfTheRobot) {
  const ovf::Estimator planar(config_of(ovf::MotionKind::kPlanar));
  auto pose = pose_at(std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0);
  EXPECT_THROW(initial_belief(planar, pose, 0), std::invalid_argument);
  pose = pose_at(0.0, 0.0, 0.0);
  pose.pose.pose.orientation.w = 0.0;
  EXPECT_THROW(initial_belief(planar, pose, 0), std::invalid_argument);
  pose = pose_at(0.0, 0.0, 0.0);
  pose.header.frame_id = "odom";
  EXPECT_THROW(initial_belief(planar, pose, 0), std::invalid_argument);
  pose.header.frame_id = "map";
  const ovf::Estimator joints(config_of(ovf::MotionKind::kJoints));
  EXPECT_THROW(initial_belief(joints, pose, 0), std::invalid_argument);
}

TEST(Mounting, IsThePlaceAndTheAnglesOfTheTransform) {
  geometry_msgs::msg::Transform transform;
  transform.translation.x = 0.3;
  transform.translation.z = 1.2;
  const Eigen::Quaterniond q = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()) *
                               Eigen::AngleAxisd(-0.2, Eigen::Vector3d::UnitY()) *
                               Eigen::AngleAxisd(0.1, Eigen::Vector3d::UnitX());
  transform.rotation.x = q.x();
  transform.rotation.y = q.y();
  transform.rotation.z = q.z();
  transform.rotation.w = q.w();
  ovf::SensorConfig sensor{.name = "imu", .kind = ovf::SensorKind::kImu};
  sensor.yaw.deviation = 0.1;
  EXPECT_TRUE(has_no_mounting(sensor));
  set_mounting(transform, sensor);
  EXPECT_FALSE(has_no_mounting(sensor));
  EXPECT_EQ(sensor.offset_x.value, 0.3);
  EXPECT_EQ(sensor.offset_z.value, 1.2);
  EXPECT_NEAR(sensor.roll.value, 0.1, 1e-12);
  EXPECT_NEAR(sensor.pitch.value, -0.2, 1e-12);
  EXPECT_NEAR(sensor.yaw.value, 0.3, 1e-12);
  EXPECT_EQ(sensor.yaw.deviation, 0.1);
  EXPECT_NE(mounting_text(sensor).find("offset_x: {value: 0.3}"), std::string::npos);
}

TEST(RolloutRequest, IsReadFromTheService) {
  ovf_msgs::srv::GetRollout::Request request;
  request.horizon = 1.0;
  request.step = 0.5;
  request.plan = "given";
  request.controls = {1.0, 2.0, 3.0, 4.0};
  request.path_count = 5;
  const ovf::RolloutRequest out = rollout_request(request, 2);
  ASSERT_EQ(out.controls.size(), 2U);
  EXPECT_EQ(out.controls[1], Eigen::Vector2d(3.0, 4.0));
  EXPECT_EQ(out.samples, 5);
  request.controls.push_back(5.0);
  EXPECT_THROW(rollout_request(request, 2), std::invalid_argument);
  EXPECT_THROW(rollout_request(request, 0), std::invalid_argument);
  request.plan = "as you like";
  EXPECT_THROW(rollout_request(request, 2), std::invalid_argument);
}

}  // namespace
}  // namespace ovf_ros::test
