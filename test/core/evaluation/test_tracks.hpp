#pragma once

#include <cmath>
#include <vector>

#include "ovf/evaluation/run_record.hpp"

namespace ovf {

inline Stamp stamp_at(double seconds) { return static_cast<Stamp>(std::llround(1e9 * seconds)); }

inline Eigen::Quaterniond turned(double yaw) {
  return Eigen::Quaterniond(Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()));
}

inline PoseSample pose_of(double seconds, double x, double y, double z = 0.0, double yaw = 0.0) {
  PoseSample pose;
  pose.stamp = stamp_at(seconds);
  pose.position = {x, y, z};
  pose.orientation = turned(yaw);
  return pose;
}

/// Around a circle of 10 m radius at 1 m/s, ten poses a second.
inline std::vector<PoseSample> circle_track(int count) {
  std::vector<PoseSample> track;
  for (int i = 0; i < count; ++i) {
    const double angle = 0.01 * i;
    track.push_back(
        pose_of(0.1 * i, 10.0 * std::sin(angle), 10.0 - 10.0 * std::cos(angle), 0.0, angle));
  }
  return track;
}

/// A path that fills space, with orientations of all kinds.
inline std::vector<PoseSample> space_track(int count) {
  std::vector<PoseSample> track;
  for (int i = 0; i < count; ++i) {
    const double t = 0.1 * i;
    PoseSample pose = pose_of(t, 5.0 * std::sin(0.7 * t), 3.0 * std::cos(0.3 * t), std::sin(t));
    pose.orientation =
        turned(0.2 * t) * Eigen::AngleAxisd(0.3 * std::sin(t), Eigen::Vector3d::UnitX());
    track.push_back(pose);
  }
  return track;
}

}  // namespace ovf
