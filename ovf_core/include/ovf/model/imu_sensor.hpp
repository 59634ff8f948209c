#pragma once

#include <Eigen/Core>
#include <array>
#include <memory>
#include <vector>

#include "ovf/model/pose_sensors.hpp"

namespace ovf {

/// An IMU that corrects the body, rather than driving it: gyroscope (3), accelerometer (3), in its
/// own axes, and before them, if it comes with one, the body's orientation (3, as
/// relative_rotation gives it). The accelerometer shows the motion's specific force where that is
/// known (thrust and drag of a multirotor); else gravity and the turning of a constant velocity.
/// The turning of the lever arm adds to it; other accelerations are noise.
struct ImuSensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};
  std::array<Quantity, 3> gyro_bias = {};
  std::array<Quantity, 3> accelerometer_bias = {};
  bool orientation = false;
  double gravity = 9.80665;

  int output_dim() const { return orientation ? 9 : 6; }
  std::vector<bool> angles() const {
    return std::vector<bool>(static_cast<std::size_t>(output_dim()), false);
  }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const Kinematics<T> body = motion->kinematics(input, x);
    if (orientation) {
      const Vector3<T> rotation = rotation_of(input, body);
      for (int i = 0; i < 3; ++i) *out++ = rotation[i];
    }
    const Vector3<T> swing = body.rate.cross(mounting.arm(x));
    Vector3<T> force;
    if (body.specific_force) {
      force = *body.specific_force + body.rate.cross(swing);
    } else {
      const Vector3<T> turning = body.rate.cross(Vector3<T>(body.velocity + swing));
      for (int i = 0; i < 3; ++i) force[i] = turning[i] + gravity * body.rotation(2, i);
    }
    const Vector3<T> gyro = mounting.to_sensor(body.rate, x);
    const Vector3<T> accelerometer = mounting.to_sensor(force, x);
    for (int i = 0; i < 3; ++i) {
      const auto axis = static_cast<std::size_t>(i);
      out[i] = gyro[i] + gyro_bias[axis].of(x);
      out[3 + i] = accelerometer[i] + accelerometer_bias[axis].of(x);
    }
  }
};

}  // namespace ovf
