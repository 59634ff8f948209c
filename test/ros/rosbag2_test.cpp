// What we record is read by rosbag2_cpp, and what it records by us.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <rclcpp/serialization.hpp>
#include <rosbag2_cpp/reader.hpp>
#include <rosbag2_cpp/writer.hpp>
#include <rosbag2_storage/storage_options.hpp>
#include <string>

#include "nav_msgs/msg/odometry.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/recording/robot_log_recording.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "ovf_msgs/msg/range_bearing_array.hpp"

namespace {

namespace fs = std::filesystem;

class Rosbag2 : public testing::Test {
 protected:
  Rosbag2() {
    std::string name = (fs::temp_directory_path() / "ovf-rosbag2-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Rosbag2() override { fs::remove_all(folder_); }

  template <typename M>
  static M deserialized(const rosbag2_storage::SerializedBagMessage& message) {
    const rclcpp::SerializedMessage bytes(*message.serialized_data);
    M out;
    rclcpp::Serialization<M>().deserialize_message(&bytes, &out);
    return out;
  }

  fs::path folder_;
};

TEST_F(Rosbag2, ReadsEveryMessageThatWeWrite) {
  const ovf::RobotLog log = ovf::simulate({}, 5.0);
  ovf::write_recording(folder_ / "bag", log);
  rosbag2_cpp::Reader reader;
  reader.open((folder_ / "bag").string());
  std::map<std::string, long> counts;
  double last_v = 0.0;
  std::size_t sightings = 0;
  while (reader.has_next()) {
    const auto message = reader.read_next();
    ++counts[message->topic_name];
    if (message->topic_name == "/odom") {
      last_v = deserialized<nav_msgs::msg::Odometry>(*message).twist.twist.linear.x;
    } else if (message->topic_name == "/landmarks") {
      sightings += deserialized<ovf_msgs::msg::RangeBearingArray>(*message).landmarks.size();
    }
  }
  std::map<std::string, long> expected;
  double true_v = 0.0;
  for (const ovf::Message& message : log.messages) {
    if (const auto* control = std::get_if<ovf::Control>(&message)) {
      ++expected["/odom"];
      true_v = control->u[0];
    } else {
      ++expected[std::get<ovf::Measurement>(message).sensor];
    }
  }
  EXPECT_EQ(counts["/odom"], expected["/odom"]);
  EXPECT_EQ(counts["/uwb"], expected["uwb"]);
  EXPECT_EQ(counts["/fix"], expected["gnss"]);
  EXPECT_EQ(counts["/imu/data"], expected["imu"]);
  EXPECT_EQ(static_cast<long>(sightings), expected["camera"]);
  EXPECT_EQ(last_v, true_v);
}

class Rosbag2Storage : public Rosbag2, public testing::WithParamInterface<const char*> {};

TEST_P(Rosbag2Storage, WritesWhatWeRead) {
  const fs::path path = folder_ / "bag";
  {
    rosbag2_cpp::Writer writer;
    rosbag2_storage::StorageOptions options;
    options.uri = path.string();
    options.storage_id = GetParam();
    writer.open(options);
    for (int k = 0; k < 20; ++k) {
      nav_msgs::msg::Odometry message;
      message.header.stamp.sec = k;
      message.header.frame_id = "odom";
      message.pose.pose.position.x = 0.5 * k;
      message.twist.covariance[35] = 1.0 + k;
      writer.write(message, "/odom", rclcpp::Time(k, 0));
    }
  }
  const auto reader = ovf::open_recording(path);
  ASSERT_EQ(reader->topics().size(), 1u);
  EXPECT_EQ(reader->topics()[0].type, "nav_msgs/msg/Odometry");
  ovf::RecordedMessage recorded;
  int k = 0;
  for (; reader->next(recorded); ++k) {
    const auto message = ovf::decode<ovf::ros::Odometry>(recorded.data);
    EXPECT_EQ(message.header.stamp.sec, k);
    EXPECT_EQ(message.header.frame_id, "odom");
    EXPECT_EQ(message.pose.pose.position.x, 0.5 * k);
    EXPECT_EQ(message.twist.covariance[35], 1.0 + k);
  }
  EXPECT_EQ(k, 20);
  EXPECT_TRUE(reader->warnings().empty());
}

INSTANTIATE_TEST_SUITE_P(Storages, Rosbag2Storage, testing::Values("mcap", "sqlite3"));

}  // namespace
