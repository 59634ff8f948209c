#include <cmath>
#include <limits>

#include "estimator_flow.hpp"
#include "geometry_msgs/msg/point_stamped.hpp"
#include "std_msgs/msg/string.hpp"
#include "tf2_msgs/msg/tf_message.hpp"

namespace ovf_ros::test {
namespace {

using diagnostic_msgs::msg::DiagnosticStatus;
using geometry_msgs::msg::PoseWithCovarianceStamped;
using nav_msgs::msg::Odometry;
using sensor_msgs::msg::NavSatFix;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using DataFlow = EstimatorFlow;

TEST_F(DataFlow, GivesPosteriorOdometryTfRolloutsParametersAndStatus) {
  start({{"output.status_period", 0.1}, {"output.world_frame", "world_" + namespace_.substr(1)}});
  const auto posteriors = listen<ovf_msgs::msg::Posterior>("posterior");
  const auto poses = listen<Odometry>("odometry");
  const auto rollouts = listen<ovf_msgs::msg::Rollout>("rollout");
  const auto paths = listen<nav_msgs::msg::Path>("rollout_path");
  const auto markers = listen<visualization_msgs::msg::MarkerArray>("markers");
  const auto statuses = listen<ovf_msgs::msg::FilterStatus>("status");
  const auto transforms = listen<tf2_msgs::msg::TFMessage>("/tf");
  drive(1000.0, 1003.0);
  EXPECT_TRUE(spin_until([&] {
    return posteriors->size() == 12 && poses->size() == 12 && rollouts->size() >= 3 &&
           paths->size() == rollouts->size() && !markers->empty() && !statuses->empty() &&
           statuses->back().used > 0 && transforms->size() == 12;
  }));
  const auto& posterior = posteriors->back();
  EXPECT_EQ(posterior.state.names.size(), posterior.state.mean.size());
  EXPECT_EQ(posterior.state.covariance.size(),
            posterior.state.mean.size() * posterior.state.mean.size());
  ASSERT_EQ(posterior.updates.size(), 1U);
  EXPECT_EQ(posterior.updates[0].outcome, "predicted");
  EXPECT_EQ(posterior.child_frame_id, "base_link");
  EXPECT_GT(statuses->back().latency_p50, 0.0);
  EXPECT_GE(statuses->back().latency_max, statuses->back().latency_p50);
  EXPECT_EQ(rollouts->back().poses.size(), paths->back().poses.size());

  const auto latched = rclcpp::QoS(1).transient_local();
  const auto parameters = listen<ovf_msgs::msg::ModelParameters>("parameters", latched);
  EXPECT_TRUE(spin_until([&] { return !parameters->empty(); }));
}

TEST_F(DataFlow, SendsNoTransformTwiceNorBeforeThereIsABelief) {
  start({{"output.world_frame", "world_" + namespace_.substr(1)}});
  const auto transforms = listen<tf2_msgs::msg::TFMessage>("/tf");
  ASSERT_TRUE(send(*node_, odometries_, odometry(999.0, 0.0)));
  drive(1000.0, 1001.0);
  // Late ones are put in their place, and leave the stamp as it is.
  ASSERT_TRUE(send(*node_, fixes_, fix(1000.2)));
  ASSERT_TRUE(send(*node_, odometries_, odometry(1000.3, 0.0)));
  ASSERT_TRUE(send(*node_, odometries_, odometry(1002.0, 0.0)));
  EXPECT_TRUE(spin_until([&] { return transforms->size() >= 5; }));
  std::int64_t last = 0;
  for (const auto& message : *transforms) {
    ASSERT_EQ(message.transforms.size(), 1U);
    const std::int64_t stamp = rclcpp::Time(message.transforms[0].header.stamp).nanoseconds();
    EXPECT_GT(stamp, last);
    EXPECT_GE(stamp, 1000'000'000'000);
    EXPECT_EQ(message.transforms[0].child_frame_id, "base_link");
    last = stamp;
  }
  EXPECT_EQ(transforms->size(), 5U);
}

TEST_F(DataFlow, SendsNoTransformWhenItIsSwitchedOff) {
  start({{"publish_tf", false}});
  const auto transforms = listen<tf2_msgs::msg::TFMessage>("/tf");
  const auto poses = listen<Odometry>("odometry");
  drive(1000.0, 1001.0);
  EXPECT_TRUE(spin_until([&] { return poses->size() == 4; }));
  EXPECT_TRUE(transforms->empty());
  EXPECT_TRUE(node_->set_parameter({"publish_tf", true}).successful);
  drive(1001.0, 1002.0);
  EXPECT_TRUE(spin_until([&] { return transforms->size() == 4; }));
}

TEST_F(DataFlow, SurvivesGarbage) {
  start();
  const auto posteriors = listen<ovf_msgs::msg::Posterior>("posterior");
  drive(1000.0, 1002.0);
  ASSERT_TRUE(send(*node_, odometries_, odometry(1002.0, kNan)));
  ASSERT_TRUE(
      send(*node_, odometries_, odometry(1002.0, std::numeric_limits<double>::infinity(), kNan)));
  EXPECT_EQ(estimator().counters().of(ovf::Outcome::kNotFinite), 2);
  // Positions that are none never come so far.
  auto nowhere = fix(1002.1);
  nowhere.latitude = kNan;
  fixes_->publish(nowhere);
  nowhere.latitude = 1e300;
  fixes_->publish(nowhere);
  auto no_fix = fix(1002.1);
  no_fix.status.status = -1;
  fixes_->publish(no_fix);
  ASSERT_TRUE(send(*node_, fixes_, fix(1002.2)));
  // Numbers beyond all reason, and stamps of other centuries.
  ASSERT_TRUE(send(*node_, odometries_, odometry(1002.3, 1e300, -1e300)));
  auto far = odometry(0.0, 1.0);
  far.header.stamp.sec = std::numeric_limits<std::int32_t>::min();
  ASSERT_TRUE(send(*node_, odometries_, far));
  far.header.stamp.sec = std::numeric_limits<std::int32_t>::max();
  ASSERT_TRUE(send(*node_, odometries_, far));
  drive(3000.0, 3003.0);
  spin_for(std::chrono::milliseconds(50));
  for (const auto& posterior : *posteriors) {
    for (const double each : posterior.state.mean) ASSERT_TRUE(std::isfinite(each));
    for (const double each : posterior.state.covariance) ASSERT_TRUE(std::isfinite(each));
  }
}

TEST_F(DataFlow, SurvivesBytesThatAreNoMessage) {
  start();
  listen_to_diagnostics();
  auto raw = tester_->create_generic_publisher("fix", "sensor_msgs/msg/NavSatFix", 10);
  ASSERT_TRUE(spin_until([&] { return raw->get_subscription_count() > 0; }));
  rclcpp::SerializedMessage bytes(8);
  auto& buffer = bytes.get_rcl_serialized_message();
  buffer.buffer_length = 8;
  const std::uint8_t broken[8] = {0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff};
  std::copy(broken, broken + 8, buffer.buffer);
  raw->publish(bytes);
  EXPECT_TRUE(diagnosed("sensor gps", DiagnosticStatus::ERROR, "unreadable"));
  drive(1000.0, 1001.0);
  EXPECT_TRUE(estimator().initialised());
}

TEST_F(DataFlow, KeepsBeliefAcrossDeactivateAndDropsItOnCleanup) {
  start();
  drive(1000.0, 1002.0);
  const Eigen::VectorXd mean = estimator().belief().mean;
  node_->deactivate();
  odometries_->publish(odometry(1003.0, 1.0));
  spin_for(std::chrono::milliseconds(50));
  EXPECT_EQ(estimator().belief().mean, mean);
  node_->activate();
  EXPECT_EQ(estimator().belief().mean, mean);
  ASSERT_TRUE(spin_until([&] { return fixes_->get_subscription_count() > 0; }));
  ASSERT_TRUE(send(*node_, fixes_, fix(1004.0, 0.3)));
  EXPECT_NE(estimator().belief().mean, mean);
  node_->deactivate();
  node_->cleanup();
  EXPECT_EQ(node_->current_estimator(), nullptr);
  node_->configure();
  EXPECT_FALSE(estimator().initialised());
}

TEST_F(DataFlow, BeginsAnewWhenTheClockIsSetBack) {
  start({{"output.world_frame", "world_" + namespace_.substr(1)}});
  const auto transforms = listen<tf2_msgs::msg::TFMessage>("/tf");
  for (int loop = 0; loop < 3; ++loop) drive(1000.0, 1010.0);
  EXPECT_EQ(estimator().counters().of(ovf::EventKind::kClockSetBack), 2);
  // The first message of each loop is of one input alone, which is not believed.
  EXPECT_TRUE(spin_until([&] { return transforms->size() >= 3 * 38; }));
  EXPECT_EQ(estimator().stamp() / 1'000'000'000, 1009);
}

TEST_F(DataFlow, StartsFromAnInitialPose) {
  start({{"initial.rule", "call"}});
  const auto poses = publisher<PoseWithCovarianceStamped>("initialpose");
  ASSERT_TRUE(send(*node_, fixes_, fix(1000.0)));
  EXPECT_FALSE(estimator().initialised());
  PoseWithCovarianceStamped pose;
  pose.header.frame_id = "another";
  pose.header.stamp = time_of(1001.0);
  pose.pose.pose.position.x = 3.0;
  pose.pose.pose.orientation.w = 1.0;
  poses->publish(pose);
  spin_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(estimator().initialised());
  pose.header.frame_id = "map";
  poses->publish(pose);
  EXPECT_TRUE(spin_until([&] { return estimator().initialised(); }));
  EXPECT_EQ(estimator().belief().mean[0], 3.0);
}

TEST_F(DataFlow, FeedsSeveralSensorsFromOneTopic) {
  const Parameters more = {{"sensors", std::vector<std::string>{"gps", "wheels"}},
                           {"wheels.kind", "velocity"},
                           {"wheels.axes", std::vector<std::int64_t>{0}},
                           {"wheels.noise", std::vector<double>{0.1}},
                           {"wheels.topic", "odom"}};
  start(more);
  ASSERT_TRUE(send(*node_, fixes_, fix(1000.0)));
  ASSERT_TRUE(send(*node_, odometries_, odometry(1000.5, 1.0), 2));
  EXPECT_EQ(estimator().counters().of(ovf::Outcome::kPredicted), 1);
  EXPECT_EQ(estimator().counters().of(ovf::Outcome::kUsed), 2);
  EXPECT_EQ(tester_->count_subscribers("odom"), 1U);
}

TEST_F(DataFlow, ListensToTheTypeThatIsPublished) {
  node_ = active_node(planar_parameters());
  auto points = tester_->create_publisher<geometry_msgs::msg::PointStamped>("fix", 10);
  ASSERT_TRUE(spin_until([&] { return points->get_subscription_count() > 0; }));
  geometry_msgs::msg::PointStamped point;
  point.header.stamp = time_of(1000.0);
  point.point.x = 4.0;
  ASSERT_TRUE(send(*node_, points, point));
  EXPECT_EQ(estimator().belief().mean[0], 4.0);
}

TEST_F(DataFlow, TellsOfTopicsThatCannotBeReceived) {
  node_ = active_node(planar_parameters());
  listen_to_diagnostics();
  EXPECT_TRUE(diagnosed("control", DiagnosticStatus::WARN, "nobody publishes"));
  EXPECT_TRUE(diagnosed("sensor gps", DiagnosticStatus::WARN, "gps.topic"));
  EXPECT_TRUE(diagnosed("estimator", DiagnosticStatus::WARN, "no belief yet"));

  auto text = tester_->create_publisher<std_msgs::msg::String>("fix", 10);
  EXPECT_TRUE(diagnosed("sensor gps", DiagnosticStatus::ERROR, "std_msgs/msg/String"));
  text.reset();
  auto unreliable = tester_->create_publisher<Odometry>("odom", rclcpp::SensorDataQoS());
  EXPECT_TRUE(diagnosed("control", DiagnosticStatus::ERROR, "reliable_inputs"));
}

TEST_F(DataFlow, TellsOfSensorsThatAreSilentOrAlwaysWrong) {
  start({{"gps.timeout", 0.2}});
  listen_to_diagnostics();
  ASSERT_TRUE(send(*node_, fixes_, fix(1000.0)));
  EXPECT_TRUE(diagnosed("sensor gps", DiagnosticStatus::WARN, "silent"));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(send(*node_, odometries_, odometry(1001.0, kNan)));
  node_->deactivate();
  EXPECT_TRUE(diagnosed("control", DiagnosticStatus::OK, "inactive"));
}

TEST_F(DataFlow, TellsOfControlsThatAreNotUsed) {
  start({{"motion.control_timeout", 100.0}});
  listen_to_diagnostics();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(send(*node_, odometries_, odometry(1001.0, kNan)));
  EXPECT_TRUE(diagnosed("control", DiagnosticStatus::ERROR, "not finite"));
  EXPECT_TRUE(diagnosed("learning", DiagnosticStatus::OK, "on"));
}

TEST_F(DataFlow, TellsOfAClockThatDoesNotRun) {
  node_ = active_node(with(planar_parameters(), {{"use_sim_time", true}}));
  listen_to_diagnostics();
  EXPECT_TRUE(diagnosed("estimator", DiagnosticStatus::ERROR, "/clock"));
}

TEST_F(DataFlow, OfTwoNodesInTwoNamespacesIsSeparate) {
  start();
  rclcpp::NodeOptions options;
  options.arguments({"--ros-args", "-r", "__ns:=" + namespace_ + "/second"})
      .parameter_overrides(planar_parameters());
  auto second = std::make_shared<EstimatorNode>(options);
  executor_.add_node(second->get_node_base_interface());
  second->configure();
  second->activate();
  const auto fixes = publisher<NavSatFix>("second/fix");
  ASSERT_TRUE(send(*node_, fixes_, fix(1000.0, 5.0)));
  EXPECT_FALSE(second->current_estimator()->initialised());
  ASSERT_TRUE(send(*second, fixes, fix(2000.0, -5.0)));
  EXPECT_GT(estimator().belief().mean[1], 1.0);
  EXPECT_LT(second->current_estimator()->belief().mean[1], -1.0);
  executor_.remove_node(second->get_node_base_interface());
}

}  // namespace
}  // namespace ovf_ros::test
