#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "ovf/math/rotation.hpp"
#include "ovf/model/motion.hpp"

namespace ovf {

/// How a multirotor answers to its commands. Its thrust accelerates it along its z axis, drag slows
/// it down relative to the air, and it turns towards a commanded attitude or body rate. A control
/// is the thrust, then the attitude (quaternion x, y, z, w) or the body rate (rad/s).
struct ThrustDrive {
  enum class Turning { kAttitude, kBodyRate };

  Turning turning = Turning::kAttitude;
  /// Acceleration per unit of thrust, in m/s^2: gravity divided by the thrust that hovers.
  Quantity thrust_scale{.value = 20.0};
  /// Deceleration per unit of airspeed along the body's axes, in 1/s.
  std::array<Quantity, 3> drag = {};
  /// Velocity of the air, east and north, in m/s.
  std::array<Quantity, 2> wind = {};
  /// How late turns about the body's axes follow a command, in seconds.
  std::array<Quantity, 3> attitude_lag = {Quantity{.value = 0.2}, Quantity{.value = 0.2},
                                          Quantity{.value = 0.2}};
  /// With no more thrust than this it stands on the ground: nothing is known of its motion.
  double idle_thrust = 0.05;
  double gravity = 9.80665;

  int control_dim() const { return turning == Turning::kAttitude ? 5 : 4; }
  /// Whether a control says how it moves; an empty one does not.
  bool drives(const Eigen::VectorXd& control) const {
    if (control.size() != control_dim() || !(control[0] > idle_thrust)) return false;
    return turning == Turning::kBodyRate || control.tail<4>().norm() > kMinQuaternion;
  }

  /// The turn during a step, as a rotation vector, and the rate at its end.
  template <typename T>
  struct Turn {
    Vector3<T> turn, rate;
  };
  /// From an attitude and a rate.
  template <typename T>
  Turn<T> turn(const StepInput& input, const T* x, const Eigen::Quaternion<T>& attitude,
               const Vector3<T>& rate) const;

  /// Velocity in the world after a step, and the path of the step.
  template <typename T>
  struct Flight {
    Vector3<T> velocity, path;
  };
  /// With a control that drives it: from a velocity in the world, at the attitude in the middle.
  template <typename T>
  Flight<T> fly(const StepInput& input, const T* x, const Matrix3<T>& middle,
                const Vector3<T>& velocity) const;

  /// What an accelerometer shows, in the body frame, of a body with this velocity in the world.
  template <typename T>
  Vector3<T> specific_force(const StepInput& input, const T* x, const Matrix3<T>& attitude,
                            const Vector3<T>& velocity) const;

 private:
  /// A shorter quaternion has no direction.
  static constexpr double kMinQuaternion = 1e-3;
  /// A lag that is learned comes near to zero, but stays above.
  static constexpr double kMinLag = 0.005;

  template <typename T>
  T lag(int axis, const T* x) const {
    using std::sqrt;
    const T value = attitude_lag[static_cast<std::size_t>(axis)].of(x);
    return 0.5 * (value + sqrt(T(value * value + 4.0 * kMinLag * kMinLag)));
  }
  template <typename T>
  Vector3<T> air(const T* x) const {
    return Vector3<T>(wind[0].of(x), wind[1].of(x), T(0.0));
  }
};

template <typename T>
ThrustDrive::Turn<T> ThrustDrive::turn(const StepInput& input, const T* x,
                                       const Eigen::Quaternion<T>& attitude,
                                       const Vector3<T>& rate) const {
  using std::exp;
  const double dt = input.dt;
  const bool driven = drives(input.control);
  Turn<T> out;
  if (driven && turning == Turning::kAttitude) {
    const Eigen::Quaterniond commanded(Eigen::Vector4d(input.control.tail<4>().normalized()));
    const Vector3<T> error =
        rotation_vector(Eigen::Quaternion<T>(attitude.conjugate() * commanded.cast<T>()));
    for (int i = 0; i < 3; ++i) {
      // Two equal lags, one after the other: critically damped.
      const T half = 0.5 * lag(i, x);
      const T left = exp(T(-dt / half));
      const T slope = error[i] / half - rate[i];
      const T grown = error[i] + slope * dt;
      out.turn[i] = error[i] - left * grown;
      out.rate[i] = left * (grown / half - slope);
    }
    return out;
  }
  for (int i = 0; i < 3; ++i) {
    // Without a command it stops turning.
    const double commanded = driven ? input.control[1 + i] : 0.0;
    const T whole = lag(i, x);
    const T left = exp(T(-dt / whole));
    const T missing = rate[i] - commanded;
    out.turn[i] = commanded * dt + missing * whole * (1.0 - left);
    out.rate[i] = commanded + missing * left;
  }
  return out;
}

template <typename T>
ThrustDrive::Flight<T> ThrustDrive::fly(const StepInput& input, const T* x,
                                        const Matrix3<T>& middle,
                                        const Vector3<T>& velocity) const {
  const double dt = input.dt;
  const Vector3<T> wind_now = air(x);
  const Vector3<T> before = middle.transpose() * Vector3<T>(velocity - wind_now);
  Vector3<T> acceleration;
  for (int i = 0; i < 3; ++i) acceleration[i] = -gravity * middle(2, i);
  acceleration[2] += thrust_scale.of(x) * input.control[0];
  Vector3<T> after;
  for (int i = 0; i < 3; ++i) {
    // The implicit midpoint rule, which no drag makes unstable.
    const T half = 0.5 * dt * drag[static_cast<std::size_t>(i)].of(x);
    after[i] = ((1.0 - half) * before[i] + dt * acceleration[i]) / (1.0 + half);
  }
  const Vector3<T> mean = (before + after) * T(0.5);
  Flight<T> out;
  out.velocity = middle * after + wind_now;
  out.path = (middle * mean + wind_now) * T(dt);
  return out;
}

template <typename T>
Vector3<T> ThrustDrive::specific_force(const StepInput& input, const T* x,
                                       const Matrix3<T>& attitude,
                                       const Vector3<T>& velocity) const {
  const Vector3<T> airspeed = attitude.transpose() * Vector3<T>(velocity - air(x));
  Vector3<T> force;
  for (int i = 0; i < 3; ++i) force[i] = -drag[static_cast<std::size_t>(i)].of(x) * airspeed[i];
  force[2] += thrust_scale.of(x) * input.control[0];
  return force;
}

}  // namespace ovf
