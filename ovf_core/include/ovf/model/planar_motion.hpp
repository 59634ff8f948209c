#pragma once

#include <cmath>
#include <vector>

#include "ovf/model/motion.hpp"

namespace ovf {

/// A robot in the plane: x, y, yaw (not wrapped), forward velocity, yaw rate. Its control is a
/// forward velocity and a yaw rate: measured by the wheels (odometry) or asked for (command).
class PlanarMotion final : public MotionOf<PlanarMotion> {
 public:
  enum class Control {
    kNone,      ///< constant velocity
    kOdometry,  ///< the wheels' velocities are the robot's, but for scale, bias and slip
    kCommand,   ///< velocities approach the command within a response time
  };

  struct Parameters {
    Control control = Control::kOdometry;
    /// True forward velocity and yaw rate per unit of the control's.
    Quantity scale{.value = 1.0};
    Quantity turn_scale{.value = 1.0};
    Quantity yaw_rate_bias;
    /// Sideways velocity per unit of forward velocity times yaw rate, in seconds: skidding.
    Quantity slip;
    /// Share of the forward velocity that is lost per unit of the control's yaw rate, in seconds:
    /// exp(-turn_drag |yaw rate|) of it is left.
    Quantity turn_drag;
    /// Of a command, in seconds.
    double response_time = 0.3;
    /// What odometry misses of the velocities lasts so long, in seconds: only then can a sensor of
    /// velocities correct the way, too. 0: no longer than a step.
    double error_time = 0.0;
  };

  explicit PlanarMotion(const Parameters& parameters) : p_(parameters) {}

  const std::vector<MotionState>& states() const override;
  int control_dim() const override { return p_.control == Control::kNone ? 0 : 2; }
  /// Forward and sideways velocity, yaw rate.
  int residual_dim() const override { return 3; }
  std::string residual_name(int i) const override;
  /// Velocity and yaw rate of the step and, of a command, what they still lack of it.
  std::vector<ResidualInput> residual_inputs() const override;

  template <typename T>
  void move_as(const StepInput& input, const T* x, const T* residual, T* out) const;
  template <typename T>
  Kinematics<T> kinematics_as(const StepInput& input, const T* x) const;
  template <typename T>
  void residual_input_values_as(const StepInput& input, const T* x, T* out) const;

 private:
  /// Forward velocity and yaw rate of the step, and what they lack of the control's.
  template <typename T>
  struct Drive {
    T v, rate, v_lag, rate_lag;
  };
  template <typename T>
  Drive<T> drive(const StepInput& input, const T* x) const;
  /// What a control stands for.
  template <typename T>
  struct Asked {
    T v, rate;
  };
  template <typename T>
  Asked<T> asked_by(const Eigen::VectorXd& control, const T* x) const;

  Parameters p_;
};

template <typename T>
PlanarMotion::Asked<T> PlanarMotion::asked_by(const Eigen::VectorXd& control, const T* x) const {
  using std::exp;
  const T drag = exp(T(-std::abs(control[1]) * p_.turn_drag.of(x)));
  const T v = p_.scale.of(x) * drag * control[0];
  const T rate = p_.turn_scale.of(x) * control[1] + p_.yaw_rate_bias.of(x);
  return {v, rate};
}

template <typename T>
PlanarMotion::Drive<T> PlanarMotion::drive(const StepInput& input, const T* x) const {
  Drive<T> out{x[3], x[4], T(0.0), T(0.0)};
  if (input.control.size() != 2) return out;
  const Asked<T> asked = asked_by(input.control, x);
  if (p_.control == Control::kCommand) {
    const double share = -std::expm1(-input.dt / p_.response_time);
    out.v += share * (asked.v - out.v);
    out.rate += share * (asked.rate - out.rate);
  } else if (p_.error_time > 0.0 && input.last_control.size() == 2) {
    const double left = std::exp(-input.dt / p_.error_time);
    const Asked<T> before = asked_by(input.last_control, x);
    out.v = asked.v + left * (out.v - before.v);
    out.rate = asked.rate + left * (out.rate - before.rate);
  } else {
    out.v = asked.v;
    out.rate = asked.rate;
  }
  out.v_lag = asked.v - out.v;
  out.rate_lag = asked.rate - out.rate;
  return out;
}

template <typename T>
void PlanarMotion::residual_input_values_as(const StepInput& input, const T* x, T* out) const {
  const Drive<T> driven = drive(input, x);
  out[0] = driven.v;
  out[1] = driven.rate;
  if (p_.control != Control::kCommand) return;
  out[2] = driven.v_lag;
  out[3] = driven.rate_lag;
}

template <typename T>
void PlanarMotion::move_as(const StepInput& input, const T* x, const T* residual, T* out) const {
  using std::cos;
  using std::sin;
  const double dt = input.dt;
  const Drive<T> driven = drive(input, x);
  const T& v = driven.v;
  const T& rate = driven.rate;
  T forward = v;
  T side = p_.slip.of(x) * v * rate;
  T turn = rate;
  if (residual != nullptr) {
    forward += residual[0];
    side += residual[1];
    turn += residual[2];
  }
  const T heading = x[2] + 0.5 * dt * turn;
  out[0] = x[0] + dt * (forward * cos(heading) - side * sin(heading));
  out[1] = x[1] + dt * (forward * sin(heading) + side * cos(heading));
  out[2] = x[2] + dt * turn;
  // The next velocity follows from the one that the drive gave, unless odometry tells it anew.
  const bool anew =
      p_.control == Control::kOdometry && p_.error_time == 0.0 && input.control.size() == 2;
  out[3] = anew ? forward : v;
  out[4] = anew ? turn : rate;
}

template <typename T>
Kinematics<T> PlanarMotion::kinematics_as(const StepInput& /*input*/, const T* x) const {
  using std::cos;
  using std::sin;
  Kinematics<T> body;
  body.position << x[0], x[1], T(0.0);
  const T c = cos(x[2]);
  const T s = sin(x[2]);
  body.rotation << c, T(-s), T(0.0), s, c, T(0.0), T(0.0), T(0.0), T(1.0);
  const T side = p_.slip.of(x) * x[3] * x[4];
  body.velocity << x[3], side, T(0.0);
  body.rate << T(0.0), T(0.0), x[4];
  return body;
}

}  // namespace ovf
