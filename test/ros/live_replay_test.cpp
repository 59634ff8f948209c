#include <filesystem>

#include "config_parameters.hpp"
#include "ovf/recording/replay.hpp"
#include "ovf/recording/robot_log_recording.hpp"
#include "ovf_ros/simulated_messages.hpp"
#include "ros_test.hpp"
#include "sensor_msgs/msg/imu.hpp"

namespace ovf_ros::test {
namespace {

using nav_msgs::msg::Odometry;
using sensor_msgs::msg::NavSatFix;

/// A simulated robot with all of its sensors, live and from a recording.
class Replay : public RosTest {
 protected:
  Replay() {
    folder_ = std::filesystem::temp_directory_path() / ("ovf_replay_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~Replay() override { std::filesystem::remove_all(folder_); }

  /// The belief at the end is the same, bit for bit.
  void compare(double seconds);

  ovf::EstimatorConfig config_ = simulated_robot_config();
  std::filesystem::path folder_;
};

void Replay::compare(double seconds) {
  const ovf::RobotLogRecordingOptions recording;
  write_recording(folder_ / "recording", ovf::simulate({}, seconds), recording);
  ovf::ReplayOptions options;
  options.config = config_;
  options.save = folder_ / "end.ovf";
  ovf::replay(folder_ / "recording", folder_ / "replay", options);
  ovf::Estimator offline(config_);
  offline.load(folder_ / "end.ovf");

  auto node = active_node(with(parameters_of(config_), {{"reliable_inputs", true}}));
  const auto odom = publisher<Odometry>("odom");
  const auto uwb = publisher<ovf_msgs::msg::VectorObservation>("uwb");
  const auto landmarks = publisher<ovf_msgs::msg::RangeBearingArray>("landmarks");
  const auto fixes = publisher<NavSatFix>("fix");
  const auto imu = publisher<sensor_msgs::msg::Imu>("imu/data");

  ovf::PlanarSimulator simulator{ovf::PlanarSimulatorConfig()};
  SimulatedMessages messages(recording.start, recording.origin);
  std::vector<SimulatedOutput> outputs;
  while (ovf::seconds_between(0, simulator.next_stamp()) <= seconds) {
    messages.take(simulator.next(), outputs);
  }
  messages.flush(outputs);
  for (const SimulatedOutput& output : outputs) {
    using Topic = SimulatedOutput::Topic;
    const auto publish = [&](const auto& topic, const auto& message, long count) {
      return send(*node, topic, message, count);
    };
    switch (output.topic) {
      case Topic::kOdometry:
        ASSERT_TRUE(publish(odom, std::get<Odometry>(output.message), 1));
        break;
      case Topic::kUwb:
        ASSERT_TRUE(publish(uwb, std::get<ovf_msgs::msg::VectorObservation>(output.message), 1));
        break;
      case Topic::kLandmarks: {
        const auto& seen = std::get<ovf_msgs::msg::RangeBearingArray>(output.message);
        ASSERT_TRUE(publish(landmarks, seen, static_cast<long>(seen.landmarks.size())));
        break;
      }
      case Topic::kFix:
        ASSERT_TRUE(publish(fixes, std::get<NavSatFix>(output.message), 1));
        break;
      case Topic::kImu:
        ASSERT_TRUE(publish(imu, std::get<sensor_msgs::msg::Imu>(output.message), 1));
        break;
      case Topic::kGroundTruth:
        break;
    }
  }
  const ovf::Estimator& online = *node->current_estimator();
  ASSERT_TRUE(online.initialised());
  EXPECT_EQ(online.stamp(), offline.stamp());
  EXPECT_EQ(online.belief().mean, offline.belief().mean);
  EXPECT_EQ(online.belief().covariance(), offline.belief().covariance());
  EXPECT_EQ(online.filter().model().parameters().values(),
            offline.filter().model().parameters().values());
}

TEST_F(Replay, HasTheBeliefOfTheLiveNodeBitForBit) { compare(30.0); }

TEST_F(Replay, HasTheBeliefOfALiveNodeWhoseNetworksLearn) {
  config_.filter.inference = ovf::InferenceMethod::kAmortised;
  config_.filter.amortised.memory = ovf::AmortisedMemory::kRecurrent;
  compare(20.0);
}

}  // namespace
}  // namespace ovf_ros::test
