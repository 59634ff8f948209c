#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <memory>
#include <vector>

#include "ovf/model/mounting.hpp"

namespace ovf {

/// Anticlockwise from the world's x axis to the body's.
template <typename T>
T yaw_of(const Kinematics<T>& body) {
  // Only a body that looks straight up or down has no yaw.
  constexpr double kSmallest = 1e-6;
  return direction(body.rotation(1, 0), body.rotation(0, 0), kSmallest);
}

/// The rotation vector of the body relative to StepInput::reference.
template <typename T>
Vector3<T> rotation_of(const StepInput& input, const Kinematics<T>& body) {
  const Matrix3<T> reference = input.reference.toRotationMatrix().transpose().cast<T>();
  const Matrix3<T> relative = reference * body.rotation;
  return rotation_vector(Eigen::Quaternion<T>(relative));
}

/// What a measured orientation is as the y of a sensor that observes rotation_of.
Eigen::Vector3d relative_rotation(const StepInput& input, const Eigen::Quaterniond& measured);
/// The covariance of that y, where the measured one is of small turns about the world's axes.
Eigen::Matrix3d relative_covariance(const StepInput& input, const Eigen::Quaterniond& measured,
                                    const Eigen::Matrix3d& about_world_axes);

/// Position of the sensor in the world: the given axes of x, y, z (GNSS in a local frame), with
/// biases of these: errors of GNSS are alike for minutes.
struct PositionSensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};
  std::vector<int> axes = {0, 1, 2};
  std::array<Quantity, 3> bias = {};

  int output_dim() const { return static_cast<int>(axes.size()); }
  std::vector<bool> angles() const { return std::vector<bool>(axes.size(), false); }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const Kinematics<T> body = mounting.body(*motion, input, x);
    const Vector3<T> position = mounting.position(body, x);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      out[i] = position[axes[i]] + bias[static_cast<std::size_t>(axes[i])].of(x);
    }
  }
};

/// Height of the sensor, with the bias of a barometer.
struct AltitudeSensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};
  Quantity bias = {};

  int output_dim() const { return 1; }
  std::vector<bool> angles() const { return {false}; }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const Kinematics<T> body = mounting.body(*motion, input, x);
    const Vector3<T> position = mounting.position(body, x);
    out[0] = position[2] + bias.of(x);
  }
};

/// Heading of the sensor's forward axis (compass, two antennas).
struct YawSensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};

  int output_dim() const { return 1; }
  std::vector<bool> angles() const { return {true}; }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const Kinematics<T> body = mounting.body(*motion, input, x);
    out[0] = yaw_of(body) + mounting.yaw.of(x);
  }
};

/// Where the sensor is in the plane and where it looks: x, y, yaw.
struct PlanarPoseSensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};

  int output_dim() const { return 3; }
  std::vector<bool> angles() const { return {false, false, true}; }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const Kinematics<T> body = mounting.body(*motion, input, x);
    const Vector3<T> position = mounting.position(body, x);
    out[0] = position[0];
    out[1] = position[1];
    out[2] = yaw_of(body) + mounting.yaw.of(x);
  }
};

/// Position of the sensor, then the body's orientation as relative_rotation gives it.
struct PoseSensor {
  std::shared_ptr<const Motion> motion;
  Mounting mounting = {};

  int output_dim() const { return 6; }
  std::vector<bool> angles() const { return std::vector<bool>(6, false); }

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    const Kinematics<T> body = mounting.body(*motion, input, x);
    const Vector3<T> position = mounting.position(body, x);
    const Vector3<T> rotation = rotation_of(input, body);
    for (int i = 0; i < 3; ++i) {
      out[i] = position[i];
      out[3 + i] = rotation[i];
    }
  }
};

}  // namespace ovf
