#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <variant>

namespace ovf {

/// Nanoseconds since any fixed time.
using Stamp = std::int64_t;

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
