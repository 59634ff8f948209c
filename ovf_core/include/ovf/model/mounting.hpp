#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "ovf/math/rotation.hpp"
#include "ovf/model/motion.hpp"

namespace ovf {

/// Where a sensor sits on the body.
struct Mounting {
  /// From the body's origin, in the body frame: the lever arm.
  std::array<Quantity, 3> offset = {};
  /// Turn about the body's z axis.
  Quantity yaw = {};
  /// How much older than its stamp a measurement is, in seconds.
  Quantity latency = {};

  /// The body as the sensor saw it, `latency` before the state's time.
  template <typename T>
  Kinematics<T> body(const Motion& motion, const StepInput& input, const T* x) const {
    Kinematics<T> seen = motion.kinematics(input, x);
    if (latency.index < 0 && latency.value == 0.0) return seen;
    const T back = -latency.of(x);
    seen.position += seen.rotation * Vector3<T>(seen.velocity * back);
    const Matrix3<T> turn = rotation_quaternion(Vector3<T>(seen.rate * back)).toRotationMatrix();
    seen.rotation = Matrix3<T>(seen.rotation * turn);
    return seen;
  }

  template <typename T>
  Vector3<T> arm(const T* x) const {
    return Vector3<T>(offset[0].of(x), offset[1].of(x), offset[2].of(x));
  }

  /// In the world.
  template <typename T>
  Vector3<T> position(const Kinematics<T>& body, const T* x) const {
    return body.position + body.rotation * arm(x);
  }

  /// A vector of the body frame in the sensor's.
  template <typename T>
  Vector3<T> to_sensor(const Vector3<T>& a, const T* x) const {
    using std::cos;
    using std::sin;
    const T turn = yaw.of(x);
    const T c = cos(turn);
    const T s = sin(turn);
    const T ahead = c * a[0] + s * a[1];
    const T left = c * a[1] - s * a[0];
    return Vector3<T>(ahead, left, a[2]);
  }
};

/// atan2, but with a slope that stays finite: nearer to zero than `smallest` it grows no more.
inline double direction(double y, double x, double /*smallest*/) { return std::atan2(y, x); }
inline Dual direction(const Dual& y, const Dual& x, double smallest) {
  const double square =
      std::max(x.value() * x.value() + y.value() * y.value(), smallest * smallest);
  return Dual(std::atan2(y.value(), x.value()),
              (x.value() * y.derivatives() - y.value() * x.derivatives()) / square);
}

}  // namespace ovf
