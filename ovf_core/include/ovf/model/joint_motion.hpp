#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "ovf/model/motion.hpp"

namespace ovf {

/// Joints of an arm: all positions, then all velocities. Without a control they keep their
/// velocities; a control is the velocities that they were asked for. There is no body that moves:
/// the kinematics are those of a base that rests at the origin.
class JointMotion final : public MotionOf<JointMotion> {
 public:
  struct Parameters {
    std::vector<std::string> joints;
    /// Whether velocities are commanded.
    bool commanded = false;
    /// Within which velocities approach the command, in seconds.
    double response_time = 0.1;
  };

  /// Throws std::invalid_argument when there are no joints or the response time is not positive.
  explicit JointMotion(Parameters parameters);

  int joint_count() const { return static_cast<int>(p_.joints.size()); }
  const std::vector<std::string>& joints() const { return p_.joints; }

  const std::vector<MotionState>& states() const override { return states_; }
  int control_dim() const override { return p_.commanded ? joint_count() : 0; }
  /// Velocities.
  int residual_dim() const override { return joint_count(); }
  std::string residual_name(int i) const override { return p_.joints[static_cast<std::size_t>(i)]; }
  /// Velocities and, of a command, what they lack of it.
  std::vector<ResidualInput> residual_inputs() const override;

  template <typename T>
  void move_as(const StepInput& input, const T* x, const T* residual, T* out) const;
  template <typename T>
  Kinematics<T> kinematics_as(const StepInput& input, const T* x) const;
  template <typename T>
  void residual_input_values_as(const StepInput& input, const T* x, T* out) const;

 private:
  /// What the velocity of joint i lacks of the command; zero without one.
  template <typename T>
  T lag(const StepInput& input, const T* x, int i) const {
    const int n = joint_count();
    return p_.commanded && input.control.size() == n ? T(input.control[i] - x[n + i]) : T(0.0);
  }

  Parameters p_;
  std::vector<MotionState> states_;
};

template <typename T>
void JointMotion::move_as(const StepInput& input, const T* x, const T* residual, T* out) const {
  const double dt = input.dt;
  const int n = joint_count();
  const double share = -std::expm1(-dt / p_.response_time);
  for (int i = 0; i < n; ++i) {
    // v' = (command - v) / response time, integrated.
    const T v = x[n + i];
    const T late = lag(input, x, i);
    out[i] = x[i] + dt * v + (dt - p_.response_time * share) * late;
    if (residual != nullptr) out[i] += dt * residual[i];
    out[n + i] = v + share * late;
  }
}

template <typename T>
void JointMotion::residual_input_values_as(const StepInput& input, const T* x, T* out) const {
  const int n = joint_count();
  for (int i = 0; i < n; ++i) {
    out[i] = x[n + i];
    if (p_.commanded) out[n + i] = lag(input, x, i);
  }
}

template <typename T>
Kinematics<T> JointMotion::kinematics_as(const StepInput& /*input*/, const T* /*x*/) const {
  Kinematics<T> base;
  base.position.setZero();
  base.rotation.setIdentity();
  base.velocity.setZero();
  base.rate.setZero();
  return base;
}

}  // namespace ovf
