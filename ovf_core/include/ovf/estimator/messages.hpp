#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <string>
#include <variant>

namespace ovf {

/// Nanoseconds since any fixed time.
using Stamp = std::int64_t;

/// Stamps stay within about 145 years of zero, so that the difference of any two fits.
inline constexpr Stamp kFarthestStamp = 4'600'000'000'000'000'000;

inline constexpr double kSecondsPerNanosecond = 1e-9;
inline double seconds_between(Stamp from, Stamp to) {
  return static_cast<double>(to - from) * kSecondsPerNanosecond;
}

/// What a sensor said.
struct Measurement {
  Stamp stamp = 0;
  std::string sensor = {};  ///< its name in the configuration
  Eigen::VectorXd y = {};
  /// Noise covariance that came with the message; empty: none.
  Eigen::MatrixXd covariance = {};
  /// Number (as in the configuration) of the beacon or landmark that was seen; -1: the sensor has
  /// no targets.
  int target = -1;
};

/// The orientation at the end of a pose in space: x, y, z, w.
inline Eigen::Quaterniond measured_orientation(const Measurement& pose) {
  return Eigen::Quaterniond(Eigen::Vector4d(pose.y.tail<4>().normalized()));
}

/// What the wheels measured, or what the robot was asked to do.
struct Control {
  Stamp stamp = 0;
  Eigen::VectorXd u = {};
};

using Message = std::variant<Control, Measurement>;

inline Stamp stamp_of(const Message& message) {
  return std::visit([](const auto& m) { return m.stamp; }, message);
}

}  // namespace ovf
