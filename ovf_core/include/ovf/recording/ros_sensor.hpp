#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ovf/recording/ros_fields.hpp"
#include "ovf/recording/ros_geometry.hpp"
#include "ovf/recording/ros_std.hpp"

// sensor_msgs of one number or a few.
namespace ovf::ros {

struct Imu {
  static constexpr const char* kType = "sensor_msgs/msg/Imu";
  Header header = {};
  Quaternion orientation = {};
  std::array<double, 9> orientation_covariance = {};
  Vector3 angular_velocity = {};
  std::array<double, 9> angular_velocity_covariance = {};
  Vector3 linear_acceleration = {};
  std::array<double, 9> linear_acceleration_covariance = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("orientation", m.orientation);
    visit("orientation_covariance", m.orientation_covariance);
    visit("angular_velocity", m.angular_velocity);
    visit("angular_velocity_covariance", m.angular_velocity_covariance);
    visit("linear_acceleration", m.linear_acceleration);
    visit("linear_acceleration_covariance", m.linear_acceleration_covariance);
  }
  bool operator==(const Imu&) const = default;
};

struct NavSatStatus {
  static constexpr const char* kType = "sensor_msgs/msg/NavSatStatus";
  // NOLINTBEGIN(readability-identifier-naming): names of ROS.
  static constexpr std::int8_t STATUS_UNKNOWN = -2;
  static constexpr std::int8_t STATUS_NO_FIX = -1;
  static constexpr std::int8_t STATUS_FIX = 0;
  static constexpr std::int8_t STATUS_SBAS_FIX = 1;
  static constexpr std::int8_t STATUS_GBAS_FIX = 2;
  static constexpr std::uint16_t SERVICE_UNKNOWN = 0;
  static constexpr std::uint16_t SERVICE_GPS = 1;
  static constexpr std::uint16_t SERVICE_GLONASS = 2;
  static constexpr std::uint16_t SERVICE_COMPASS = 4;
  static constexpr std::uint16_t SERVICE_GALILEO = 8;
  // NOLINTEND(readability-identifier-naming)
  std::int8_t status = STATUS_UNKNOWN;
  std::uint16_t service = 0;

  static void fields(auto& m, auto& visit) {
    visit("status", m.status);
    visit("service", m.service);
  }
  bool operator==(const NavSatStatus&) const = default;
};

struct NavSatFix {
  static constexpr const char* kType = "sensor_msgs/msg/NavSatFix";
  // NOLINTBEGIN(readability-identifier-naming): names of ROS.
  static constexpr std::uint8_t COVARIANCE_TYPE_UNKNOWN = 0;
  static constexpr std::uint8_t COVARIANCE_TYPE_APPROXIMATED = 1;
  static constexpr std::uint8_t COVARIANCE_TYPE_DIAGONAL_KNOWN = 2;
  static constexpr std::uint8_t COVARIANCE_TYPE_KNOWN = 3;
  // NOLINTEND(readability-identifier-naming)
  Header header = {};
  NavSatStatus status = {};
  double latitude = 0.0;
  double longitude = 0.0;
  double altitude = 0.0;
  std::array<double, 9> position_covariance = {};
  std::uint8_t position_covariance_type = 0;

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("status", m.status);
    visit("latitude", m.latitude);
    visit("longitude", m.longitude);
    visit("altitude", m.altitude);
    visit("position_covariance", m.position_covariance);
    visit("position_covariance_type", m.position_covariance_type);
  }
  bool operator==(const NavSatFix&) const = default;
};

struct JointState {
  static constexpr const char* kType = "sensor_msgs/msg/JointState";
  Header header = {};
  std::vector<std::string> name = {};
  std::vector<double> position = {};
  std::vector<double> velocity = {};
  std::vector<double> effort = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("name", m.name);
    visit("position", m.position);
    visit("velocity", m.velocity);
    visit("effort", m.effort);
  }
  bool operator==(const JointState&) const = default;
};

struct Range {
  static constexpr const char* kType = "sensor_msgs/msg/Range";
  // NOLINTBEGIN(readability-identifier-naming): names of ROS.
  static constexpr std::uint8_t ULTRASOUND = 0;
  static constexpr std::uint8_t INFRARED = 1;
  // NOLINTEND(readability-identifier-naming)
  Header header = {};
  std::uint8_t radiation_type = 0;
  float field_of_view = 0.0F;
  float min_range = 0.0F;
  float max_range = 0.0F;
  float range = 0.0F;
  float variance = 0.0F;  ///< not before Iron

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("radiation_type", m.radiation_type);
    visit("field_of_view", m.field_of_view);
    visit("min_range", m.min_range);
    visit("max_range", m.max_range);
    visit("range", m.range);
    visit("variance", m.variance, kMayBeAbsent);
  }
  bool operator==(const Range&) const = default;
};

struct MagneticField {
  static constexpr const char* kType = "sensor_msgs/msg/MagneticField";
  Header header = {};
  Vector3 magnetic_field = {};
  std::array<double, 9> magnetic_field_covariance = {};

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("magnetic_field", m.magnetic_field);
    visit("magnetic_field_covariance", m.magnetic_field_covariance);
  }
  bool operator==(const MagneticField&) const = default;
};

struct FluidPressure {
  static constexpr const char* kType = "sensor_msgs/msg/FluidPressure";
  Header header = {};
  double fluid_pressure = 0.0;
  double variance = 0.0;

  static void fields(auto& m, auto& visit) {
    visit("header", m.header);
    visit("fluid_pressure", m.fluid_pressure);
    visit("variance", m.variance);
  }
  bool operator==(const FluidPressure&) const = default;
};

}  // namespace ovf::ros
