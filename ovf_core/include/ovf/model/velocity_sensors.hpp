#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "ovf/model/mounting.hpp"

namespace ovf {

/// Velocity of the sensor along the given of its own axes, 0 forward, 1 left, 2 up: v + rate x arm.
struct VelocitySensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};
  std::vector<int> axes = {0, 1, 2};
  Quantity scale{.value = 1.0};

  int output_dim() const { return static_cast<int>(axes.size()); }
  std::vector<bool> angles() const { return std::vector<bool>(axes.size(), false); }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const Kinematics<T> body = mounting.body(*motion, input, x);
    const Vector3<T> velocity = body.velocity + body.rate.cross(mounting.arm(x));
    const Vector3<T> seen = mounting.to_sensor(velocity, x);
    for (std::size_t i = 0; i < axes.size(); ++i) out[i] = scale.of(x) * seen[axes[i]];
  }
};

/// Turn rate about the given axes of the sensor, with biases of x, y, z: a gyroscope; {2}: yaw
/// rate.
struct TurnRateSensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};
  std::vector<int> axes = {0, 1, 2};
  std::array<Quantity, 3> bias = {};

  int output_dim() const { return static_cast<int>(axes.size()); }
  std::vector<bool> angles() const { return std::vector<bool>(axes.size(), false); }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const Vector3<T> rate = mounting.to_sensor(motion->kinematics(input, x).rate, x);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      out[i] = rate[axes[i]] + bias[static_cast<std::size_t>(axes[i])].of(x);
    }
  }
};

}  // namespace ovf
