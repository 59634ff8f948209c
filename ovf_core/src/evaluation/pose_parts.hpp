#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "ovf/estimator/messages.hpp"

namespace ovf {

/// Anticlockwise from the world's x axis to the body's.
inline double yaw_of_rotation(const Eigen::Quaterniond& q) {
  return std::atan2(2.0 * (q.w() * q.z() + q.x() * q.y()),
                    1.0 - 2.0 * (q.y() * q.y() + q.z() * q.z()));
}

inline Eigen::Quaterniond yaw_rotation(double yaw) {
  return Eigen::Quaterniond(std::cos(0.5 * yaw), 0.0, 0.0, std::sin(0.5 * yaw));
}

inline bool usable_stamp(Stamp stamp) {
  return stamp >= -kFarthestStamp && stamp <= kFarthestStamp;
}

/// A time of no more than 145 years, either way, which can be added to any usable stamp.
inline bool usable_seconds(double seconds) {
  return std::abs(seconds) <= kSecondsPerNanosecond * static_cast<double>(kFarthestStamp);
}

/// Both usable.
inline Stamp later(Stamp stamp, double seconds) {
  return stamp + static_cast<Stamp>(std::llround(seconds / kSecondsPerNanosecond));
}

}  // namespace ovf
