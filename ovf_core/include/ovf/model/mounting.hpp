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
  /// From the body's axes to the sensor's: about z, then the new y, then the new x (REP-103).
  Quantity roll = {};
  Quantity pitch = {};
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
    Vector3<T> seen = a;
    turn_axes(yaw, x, seen[0], seen[1]);
    turn_axes(pitch, x, seen[2], seen[0]);
    turn_axes(roll, x, seen[1], seen[2]);
    return seen;
  }

 private:
  /// What a and b become when their axes turn by the angle, from the first towards the second.
  template <typename T>
  static void turn_axes(const Quantity& angle, const T* x, T& a, T& b) {
    using std::cos;
    using std::sin;
    if (angle.index < 0 && angle.value == 0.0) return;
    const T turn = angle.of(x);
    const T c = cos(turn);
    const T s = sin(turn);
    const T first = c * a + s * b;
    b = T(c * b - s * a);
    a = first;
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
