#pragma once

#include <cstdint>

#include "ovf/recording/ros_geometry.hpp"
#include "ovf/recording/ros_std.hpp"

// mavros_msgs.
namespace ovf::ros {

/// What an autopilot is commanded to do, in the axes of ROS (REP-103); thrust is 0 to 1.
struct AttitudeTarget {
  static constexpr const char* kType = "mavros_msgs/msg/AttitudeTarget";
  // NOLINTBEGIN(readability-identifier-naming): names of ROS.
  static constexpr std::uint8_t IGNORE_ROLL_RATE = 1;
  static constexpr std::uint8_t IGNORE_PITCH_RATE = 2;
  static constexpr std::uint8_t IGNORE_YAW_RATE = 4;
  static constexpr std::uint8_t IGNORE_THRUST = 64;
  static constexpr std::uint8_t IGNORE_ATTITUDE = 128;
  // NOLINTEND(readability-identifier-naming)
  Header header = {};
  std::uint8_t type_mask = 0;
  Quaternion orientation = {};
  Vector3 body_rate = {};
  float thrust = 0.0F;

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("type_mask", m.type_mask);
    visit("orientation", m.orientation);
    visit("body_rate", m.body_rate);
    visit("thrust", m.thrust);
  }
  bool operator==(const AttitudeTarget&) const = default;
};

}  // namespace ovf::ros
