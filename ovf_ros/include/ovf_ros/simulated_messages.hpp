#pragma once

#include <string>
#include <variant>
#include <vector>

#include "nav_msgs/msg/odometry.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/math/local_frame.hpp"
#include "ovf_msgs/msg/range_bearing_array.hpp"
#include "ovf_msgs/msg/vector_observation.hpp"
#include "sensor_msgs/msg/imu.hpp"
#include "sensor_msgs/msg/nav_sat_fix.hpp"

namespace ovf_ros {

/// What a simulated robot sends on its topics.
struct SimulatedOutput {
  enum class Topic { kOdometry, kUwb, kLandmarks, kFix, kImu, kGroundTruth };
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
      : start_(start), frame_(origin) {}

  /// Appends what is sent. Landmarks of one image wait for each other until another message, or
  /// flush().
  void take(const ovf::SimulatedMessage& message, std::vector<SimulatedOutput>& out);
  void flush(std::vector<SimulatedOutput>& out);

 private:
  template <typename Header>
  void set_header(ovf::Stamp stamp, const char* frame, Header& out) const;
  nav_msgs::msg::Odometry odometry(const ovf::Control& control);
  void measure(const ovf::Measurement& measurement, std::vector<SimulatedOutput>& out);
  nav_msgs::msg::Odometry truth(const ovf::TruePose& pose) const;

  ovf::Stamp start_;
  ovf::LocalFrame frame_;
  ovf::Stamp last_control_ = 0;
  Eigen::Vector3d way_ = Eigen::Vector3d::Zero();  ///< by dead reckoning
  ovf_msgs::msg::RangeBearingArray seen_;
  ovf::Stamp seen_stamp_ = 0;
  bool has_truth_ = false;
  ovf::Stamp last_truth_ = 0;
};

}  // namespace ovf_ros
