#include <filesystem>
#include <span>

#include "config_parameters.hpp"
#include "ovf/recording/message_input.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/robot_log_recording.hpp"
#include "ovf_ros/simulator_node.hpp"
#include "rclcpp/serialization.hpp"
#include "ros_test.hpp"
#include "tf2_msgs/msg/tf_message.hpp"

namespace ovf_ros::test {
namespace {

class Simulator : public RosTest {
 protected:
  std::shared_ptr<SimulatorNode> simulator(const Parameters& parameters = {}) {
    return make_node<SimulatorNode>(parameters);
  }
  template <typename M>
  std::shared_ptr<std::vector<M>> listen_to(const std::string& topic) {
    return listen<M>(namespace_ + "/" + topic);
  }
};

const char* name_of(SimulatedOutput::Topic topic) {
  switch (topic) {
    case SimulatedOutput::Topic::kOdometry:
      return "/odom";
    case SimulatedOutput::Topic::kUwb:
      return "/uwb";
    case SimulatedOutput::Topic::kLandmarks:
      return "/landmarks";
    case SimulatedOutput::Topic::kFix:
      return "/fix";
    case SimulatedOutput::Topic::kImu:
      return "/imu/data";
    case SimulatedOutput::Topic::kGroundTruth:
      break;
  }
  return "/ground_truth";
}

TEST_F(Simulator, SendsWhatTheCommandRecords) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("ovf_simulated_" + std::to_string(getpid()));
  const ovf::RobotLogRecordingOptions options;
  constexpr double kSeconds = 10.0;
  write_recording(folder, ovf::simulate({}, kSeconds), options);

  ovf::PlanarSimulator simulated{ovf::PlanarSimulatorConfig()};
  SimulatedMessages messages(options.start, options.origin);
  std::vector<SimulatedOutput> outputs;
  while (ovf::seconds_between(0, simulated.next_stamp()) <= kSeconds) {
    messages.take(simulated.next(), outputs);
  }
  messages.flush(outputs);

  const auto reader = ovf::open_recording(folder);
  const std::vector<ovf::Topic> topics = reader->topics();
  std::map<std::string, std::vector<std::vector<std::byte>>> recorded;
  ovf::RecordedMessage message;
  std::size_t count = 0;
  while (reader->next(message)) {
    recorded[topics[static_cast<std::size_t>(message.topic)].name].emplace_back(
        message.data.begin(), message.data.end());
    ++count;
  }
  std::filesystem::remove_all(folder);
  ASSERT_EQ(count, outputs.size());
  std::map<std::string, std::size_t> next;
  for (const SimulatedOutput& output : outputs) {
    const std::string name = name_of(output.topic);
    rclcpp::SerializedMessage bytes;
    std::visit(
        [&](const auto& each) {
          rclcpp::Serialization<std::decay_t<decltype(each)>>().serialize_message(&each, &bytes);
        },
        output.message);
    const auto& raw = bytes.get_rcl_serialized_message();
    const auto& expected = recorded[name].at(next[name]++);
    const auto sent = std::as_bytes(std::span(raw.buffer, raw.buffer_length));
    ASSERT_LE(expected.size(), sent.size()) << name;
    if (std::holds_alternative<nav_msgs::msg::Odometry>(output.message)) {
      // A pose is computed here, and may be rounded in another way.
      const ovf::Sensed here = ovf::sense_message("nav_msgs/msg/Odometry", sent, 0);
      const ovf::Sensed there = ovf::sense_message("nav_msgs/msg/Odometry", expected, 0);
      ASSERT_EQ(here.stamp, there.stamp);
      ASSERT_EQ(here.frame, there.frame);
      ASSERT_EQ(*here.velocity, *there.velocity);
      ASSERT_EQ(*here.turn_rate, *there.turn_rate);
      ASSERT_LT((*here.position - *there.position).norm(), 1e-9);
      ASSERT_LT(here.orientation->angularDistance(*there.orientation), 1e-6);
    } else {
      // From behind the header, which may tell of padding at the end.
      ASSERT_TRUE(std::equal(expected.begin() + 4, expected.end(), sent.begin() + 4)) << name;
    }
  }
}

TEST_F(Simulator, WalksThroughItsLifecycle) {
  auto node = simulator();
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
    EXPECT_EQ(node->activate().id(), LifecycleState::PRIMARY_STATE_ACTIVE);
    spin_for(std::chrono::milliseconds(50));
    EXPECT_EQ(node->deactivate().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
    EXPECT_EQ(node->cleanup().id(), LifecycleState::PRIMARY_STATE_UNCONFIGURED);
  }
  node->configure();
  node->activate();
  EXPECT_EQ(node->shutdown().id(), LifecycleState::PRIMARY_STATE_FINALIZED);
}

TEST_F(Simulator, RefusesBadParameters) {
  for (const Parameters& bad : std::vector<Parameters>{{{"rate", 0.0}},
                                                       {{"no_such_key", 1}},
                                                       {{"uwb.rate", -1.0}},
                                                       {{"control", "flying"}},
                                                       {{"origin", std::vector<double>{1.0}}}}) {
    auto node = simulator(bad);
    EXPECT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_UNCONFIGURED)
        << bad.front().get_name();
  }
}

TEST_F(Simulator, KeepsItsParametersWhileConfigured) {
  auto node = simulator();
  node->configure();
  EXPECT_FALSE(node->set_parameter({"rate", 2.0}).successful);
  node->cleanup();
  EXPECT_TRUE(node->set_parameter({"rate", 2.0}).successful);
  EXPECT_FALSE(node->set_parameter({"rate", -2.0}).successful);
}

TEST_F(Simulator, SendsOnEveryTopicWithARunningClock) {
  auto node = simulator({{"rate", 10.0}, {"publish_clock", true}});
  ASSERT_EQ(node->configure().id(), LifecycleState::PRIMARY_STATE_INACTIVE);
  const auto odom = listen_to<nav_msgs::msg::Odometry>("odom");
  const auto truth = listen_to<nav_msgs::msg::Odometry>("ground_truth");
  const auto uwb = listen_to<ovf_msgs::msg::VectorObservation>("uwb");
  const auto landmarks = listen_to<ovf_msgs::msg::RangeBearingArray>("landmarks");
  const auto fixes = listen_to<sensor_msgs::msg::NavSatFix>("fix");
  const auto imu = listen_to<sensor_msgs::msg::Imu>("imu/data");
  ASSERT_EQ(node->activate().id(), LifecycleState::PRIMARY_STATE_ACTIVE);
  EXPECT_TRUE(spin_until([&] {
    return odom->size() > 20 && truth->size() > 20 && uwb->size() > 10 && landmarks->size() > 3 &&
           fixes->size() > 3 && imu->size() > 50;
  }));
}

TEST_F(Simulator, DrivesAnEstimator) {
  ovf::EstimatorConfig config = simulated_robot_config();
  config.gnss_origin = {48.2628, 11.6679, 480.0};
  auto estimator = active_node(with(parameters_of(config), {{"input_depth", 1000}}));
  // No faster: on a busy machine topics fall behind each other, and late messages are gone over
  // again.
  auto node = simulator({{"rate", 2.0}, {"autostart", true}});
  std::map<std::int64_t, Eigen::Vector2d> truth;
  listeners_.push_back(tester_->create_subscription<nav_msgs::msg::Odometry>(
      "ground_truth", 1000, [&](const nav_msgs::msg::Odometry& pose) {
        const auto& place = pose.pose.pose.position;
        truth[rclcpp::Time(pose.header.stamp).nanoseconds()] = {place.x, place.y};
      }));
  double worst = 0.0;
  int poses = 0;
  listeners_.push_back(tester_->create_subscription<nav_msgs::msg::Odometry>(
      "ovf/odometry", 1000, [&](const nav_msgs::msg::Odometry& pose) {
        const auto found = truth.find(rclcpp::Time(pose.header.stamp).nanoseconds());
        if (found == truth.end()) return;
        const auto& place = pose.pose.pose.position;
        worst = std::max(worst, (found->second - Eigen::Vector2d(place.x, place.y)).norm());
        ++poses;
      }));
  EXPECT_TRUE(spin_until([&] { return poses > 300; }, std::chrono::seconds(120)));
  // The first position has an error of a metre or so.
  EXPECT_LT(worst, 5.0);
}

}  // namespace
}  // namespace ovf_ros::test
