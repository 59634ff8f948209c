#pragma once

#include <variant>
#include <vector>

#include "nav_msgs/msg/odometry.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/recording/robot_messages.hpp"
#include "ovf_msgs/msg/range_bearing_array.hpp"
#include "ovf_msgs/msg/vector_observation.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/nav_sat_fix.hpp"

namespace ovf_ros {

/// What a simulated robot sends on its topics.
struct SimulatedOutput {
  using Topic = ovf::RobotTopic;
  Topic topic;
  std::variant<nav_msgs::msg::Odometry, ovf_msgs::msg::VectorObservation,
               ovf_msgs::msg::RangeBearingArray, sensor_msgs::msg::NavSatFix, sensor_msgs::msg::Imu>
      message;
};

/// From a simulator's messages to ROS messages, the same ones that `ovf simulate` records.
class SimulatedMessages {
 public:
  /// `start` is the time of the simulator's zero, `origin` the place of its world's.
  SimulatedMessages(ovf::Stamp start, const ovf::GeodeticPoint& origin)
      : messages_(start, origin) {}

  /// Appends what is sent. Landmarks of one image wait for each other until another message, or
  /// flush().
  void take(const ovf::SimulatedMessage& message, std::vector<SimulatedOutput>& out);
  void flush(std::vector<SimulatedOutput>& out);

 private:
  struct Types {
    using Odometry = nav_msgs::msg::Odometry;
    using VectorObservation = ovf_msgs::msg::VectorObservation;
    using RangeBearingArray = ovf_msgs::msg::RangeBearingArray;
    using NavSatFix = sensor_msgs::msg::NavSatFix;
    using Imu = sensor_msgs::msg::Imu;
  };
  ovf::RobotMessages<Types> messages_;
  bool has_truth_ = false;
  ovf::Stamp last_truth_ = 0;
};

}  // namespace ovf_ros
