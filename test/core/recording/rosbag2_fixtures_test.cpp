// Recordings that rosbag2 itself made (fixtures/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "math/random_inputs.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/message_input.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

std::filesystem::path fixture(const char* name) {
  return test::source_folder() / "test/core/recording/fixtures" / name;
}

/// The bytes of all messages by topic, in any order.
std::map<std::string, std::vector<std::string>> contents(const std::filesystem::path& path) {
  const auto reader = open_recording(path);
  std::map<std::string, std::vector<std::string>> all;
  RecordedMessage message;
  while (reader->next(message)) {
    all[reader->topics().at(static_cast<std::size_t>(message.topic)).name].emplace_back(
        reinterpret_cast<const char*>(message.data.data()), message.data.size());
  }
  EXPECT_TRUE(reader->warnings().empty());
  for (auto& [topic, messages] : all) std::sort(messages.begin(), messages.end());
  return all;
}

TEST(Rosbag2Fixtures, AreTheSameInBothStorages) {
  const auto mcap = contents(fixture("rosbag2_mcap"));
  EXPECT_EQ(mcap, contents(fixture("rosbag2_sqlite")));
  EXPECT_EQ(mcap, contents(fixture("rosbag2_mcap") / "rosbag2_mcap_0.mcap"));
  EXPECT_EQ(mcap, contents(fixture("rosbag2_sqlite") / "rosbag2_sqlite_0.db3"));
  ASSERT_EQ(mcap.size(), 6u);
  EXPECT_EQ(mcap.at("/odom").size(), 17u);
  EXPECT_EQ(mcap.at("/uwb").size(), 8u);
  EXPECT_EQ(mcap.at("/landmarks").size(), 4u);
  EXPECT_EQ(mcap.at("/fix").size(), 1u);
  EXPECT_EQ(mcap.at("/imu/data").size(), 41u);
  EXPECT_EQ(mcap.at("/ground_truth").size(), 71u);
}

TEST(Rosbag2Fixtures, HaveTheDefinitionsThatWeExpect) {
  for (const char* name : {"rosbag2_mcap", "rosbag2_sqlite"}) {
    int checked = 0;
    const auto reader = open_recording(fixture(name));
    for (const Topic& topic : reader->topics()) {
      EXPECT_FALSE(topic.definition.empty()) << topic.name;
      EXPECT_FALSE(topic.qos.empty()) << topic.name;
      ros::AllMessages::each([&]<typename M>() {
        if (topic.type != M::kType) return;
        EXPECT_NO_THROW(check_topic<M>(topic)) << topic.name;
        ++checked;
      });
    }
    EXPECT_EQ(checked, 6);
  }
}

TEST(Rosbag2Fixtures, FeedAnEstimatorsSensors) {
  EstimatorConfig config = load_estimator_config(test::config_folder() / "planar_all_sensors.yaml");
  const auto reader = open_recording(fixture("rosbag2_sqlite"));
  MessageInput input(config, reader->topics());
  std::vector<Message> messages;
  RecordedMessage message;
  while (reader->next(message)) input.read(message, messages);
  for (const TopicUse& use : input.uses()) EXPECT_TRUE(use.unused.empty()) << use.topic;
  // Controls, ranges, fixes, turn rates, and every landmark of four images.
  EXPECT_GE(messages.size(), 17u + 8u + 1u + 41u + 4u);
}

TEST(Rosbag2Fixtures, RefuseOdometryThatIsControlAndSensor) {
  EstimatorConfig config = load_estimator_config(test::config_folder() / "planar_all_sensors.yaml");
  const auto reader = open_recording(fixture("rosbag2_sqlite"));
  const std::string control = MessageInput(config, reader->topics()).uses().front().topic;
  config.sensors.push_back(
      {.name = "wheels", .topic = control, .kind = SensorKind::kVelocity, .noise = {0.1}});
  const std::string message = test::message_of([&] { MessageInput(config, reader->topics()); });
  EXPECT_NE(message.find("sensor wheels takes topic " + control), std::string::npos) << message;
  EXPECT_NE(message.find("count twice"), std::string::npos) << message;
  config.sensors.back().kind = SensorKind::kYaw;
  EXPECT_NO_THROW(MessageInput(config, reader->topics()));
}

}  // namespace
}  // namespace ovf
