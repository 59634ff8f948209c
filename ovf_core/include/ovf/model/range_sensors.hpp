#pragma once

#include <Eigen/Core>
#include <cmath>
#include <memory>
#include <vector>

#include "ovf/model/mounting.hpp"

namespace ovf {

/// Places that a sensor knows: beacons, landmarks. A message names one by its index.
using Targets = std::vector<Eigen::Vector3d>;

/// Distance to a target, with a bias of each target and a common scale.
struct RangeSensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};
  Targets targets = {};
  std::vector<Quantity> biases = {};
  Quantity scale{.value = 1.0};

  int output_dim() const { return 1; }
  std::vector<bool> angles() const { return {false}; }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const auto target = static_cast<std::size_t>(input.target);
    const Kinematics<T> body = mounting.body(*motion, input, x);
    const Vector3<T> ray = targets[target].template cast<T>() - mounting.position(body, x);
    using std::sqrt;
    const T distance = sqrt(squared_norm(ray) + kShortest * kShortest);
    out[0] = scale.of(x) * distance + biases[target].of(x);
  }

  /// Keeps the slope finite at the target itself.
  static constexpr double kShortest = 1e-3;
};

/// Range and bearing (anticlockwise from the sensor's forward axis) to a target in the plane.
struct RangeBearingSensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};
  Targets targets = {};
  Quantity range_bias = {};
  Quantity range_scale{.value = 1.0};
  /// What it calls range: 0 the distance, 1 the depth along its forward axis (a camera).
  Quantity depth = {};

  int output_dim() const { return 2; }
  std::vector<bool> angles() const { return {false, true}; }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const auto target = static_cast<std::size_t>(input.target);
    const Kinematics<T> body = mounting.body(*motion, input, x);
    const Vector3<T> ray = targets[target].template cast<T>() - mounting.position(body, x);
    const T forward = body.rotation(0, 0) * ray[0] + body.rotation(1, 0) * ray[1];
    const T left = body.rotation(0, 1) * ray[0] + body.rotation(1, 1) * ray[1];
    using std::sqrt;
    const T distance =
        sqrt(forward * forward + left * left + RangeSensor::kShortest * RangeSensor::kShortest);
    using std::cos;
    const T bearing = direction(left, forward, RangeSensor::kShortest) - mounting.yaw.of(x);
    const T share = 1.0 + depth.of(x) * (cos(bearing) - 1.0);
    out[0] = range_scale.of(x) * share * distance + range_bias.of(x);
    out[1] = bearing;
  }
};

}  // namespace ovf
