#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf_ros/tf2_headers.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"
#include "tf2_msgs/msg/tf_message.hpp"

namespace ovf_ros {

/// Whether messages of this type say in their header where their sensor is.
bool has_sensor_frame(const std::string& type);
/// Whether a sensor has a place on the robot, and the configuration leaves it open.
bool has_no_mounting(const ovf::SensorConfig& sensor);
/// Sets start values of the mounting; how far off they may be stays as configured.
void set_mounting(const geometry_msgs::msg::Transform& body_to_sensor, ovf::SensorConfig& sensor);
/// As lines of a parameter file.
std::string mounting_text(const ovf::SensorConfig& sensor);

/// The mountings of sensors as static transforms have them. Only /tf_static is listened to: what
/// moves is no mounting.
class StaticMounting {
 public:
  /// The node must outlive it.
  StaticMounting(rclcpp_lifecycle::LifecycleNode& node, const ovf::EstimatorConfig& config);

  enum class State {
    kOpen,     ///< no message yet
    kMissing,  ///< there is no transform to the frame of its messages
    kTaken,    ///< as the transform says, or as configured
  };
  State state(int sensor) const { return states_[static_cast<std::size_t>(sensor)]; }
  const std::string& frame(int sensor) const { return frames_[static_cast<std::size_t>(sensor)]; }

  /// Takes a message of a sensor into account. Returns the transform from the body to the sensor
  /// the first time that it is known and not the identity.
  std::optional<geometry_msgs::msg::Transform> see(int sensor, const std::string& type,
                                                   const std::string& frame);

 private:
  std::string body_frame_;
  std::vector<State> states_;
  std::vector<std::string> frames_;
  /// Of each sensor: how many transforms had come when it was last looked for.
  std::vector<long> looked_;
  long transforms_ = 0;
  tf2::BufferCore buffer_;
  rclcpp::Subscription<tf2_msgs::msg::TFMessage>::SharedPtr subscription_;
};

}  // namespace ovf_ros
