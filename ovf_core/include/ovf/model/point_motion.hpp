#pragma once

#include <string>
#include <vector>

#include "ovf/model/motion.hpp"

namespace ovf {

/// A point in space without an orientation: position, velocity and, if asked for, acceleration in
/// the world frame. Its body frame is parallel to the world's.
class PointMotion final : public MotionOf<PointMotion> {
 public:
  enum class Constant {
    kVelocity,
    kAcceleration,  ///< which is a part of the state
  };

  explicit PointMotion(Constant constant) : constant_(constant) {}

  const std::vector<MotionState>& states() const override;
  int control_dim() const override { return 0; }
  /// Accelerations.
  int residual_dim() const override { return 3; }
  std::string residual_name(int i) const override;
  /// Velocities.
  std::vector<ResidualInput> residual_inputs() const override;

  template <typename T>
  void move_as(const StepInput& input, const T* x, const T* residual, T* out) const;
  template <typename T>
  Kinematics<T> kinematics_as(const StepInput& input, const T* x) const;
  template <typename T>
  void residual_input_values_as(const StepInput& /*input*/, const T* x, T* out) const {
    for (int i = 0; i < 3; ++i) out[i] = x[3 + i];
  }

 private:
  Constant constant_;
};

template <typename T>
void PointMotion::move_as(const StepInput& input, const T* x, const T* residual, T* out) const {
  const double dt = input.dt;
  const bool accelerates = constant_ == Constant::kAcceleration;
  for (int i = 0; i < 3; ++i) {
    T acceleration = accelerates ? x[6 + i] : T(0.0);
    if (residual != nullptr) acceleration += residual[i];
    out[i] = x[i] + dt * x[3 + i] + 0.5 * dt * dt * acceleration;
    out[3 + i] = x[3 + i] + dt * acceleration;
    if (accelerates) out[6 + i] = x[6 + i];
  }
}

template <typename T>
Kinematics<T> PointMotion::kinematics_as(const StepInput& /*input*/, const T* x) const {
  Kinematics<T> body;
  body.position << x[0], x[1], x[2];
  body.rotation.setIdentity();
  body.velocity << x[3], x[4], x[5];
  body.rate.setZero();
  return body;
}

}  // namespace ovf
