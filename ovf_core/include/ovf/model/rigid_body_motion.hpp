#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "ovf/math/rotation.hpp"
#include "ovf/model/motion.hpp"

namespace ovf {

/// A body in space: position in the world, orientation, velocity and turn rate in the body frame.
/// The orientation is a rotation vector r relative to a reference, reference * exp(r): the
/// reference moves with the body (next_reference), so that r stays near zero and has no
/// singularity. Its noise is therefore one in the body frame.
class RigidBodyMotion final : public MotionOf<RigidBodyMotion> {
 public:
  enum class Control {
    kNone,  ///< velocity and turn rate are constant in the body frame
    kImu,   ///< gyroscope (3 numbers, rad/s) and accelerometer (3, m/s^2) drive the body
  };

  struct Parameters {
    Control control = Control::kNone;
    /// What the control's numbers are too large by.
    std::array<Quantity, 3> gyro_bias = {};
    std::array<Quantity, 3> accelerometer_bias = {};
    /// Of a body at rest the accelerometer shows this upwards, in m/s^2.
    double gravity = 9.80665;
  };

  /// Where a state begins.
  static constexpr int kPosition = 0;
  static constexpr int kRotation = 3;
  static constexpr int kVelocity = 6;
  static constexpr int kRate = 9;

  explicit RigidBodyMotion(const Parameters& parameters) : p_(parameters) {}

  const std::vector<MotionState>& states() const override;
  int control_dim() const override { return p_.control == Control::kImu ? 6 : 0; }
  /// Velocity and turn rate in the body frame.
  int residual_dim() const override { return 6; }
  std::string residual_name(int i) const override;
  /// The same of the step.
  std::vector<ResidualInput> residual_inputs() const override;
  /// The orientation that is predicted from the mean: the predicted rotation vector is zero.
  Eigen::Quaterniond next_reference(const StepInput& input,
                                    const Eigen::VectorXd& mean) const override;

  template <typename T>
  void move_as(const StepInput& input, const T* x, const T* residual, T* out) const;
  template <typename T>
  Kinematics<T> kinematics_as(const StepInput& input, const T* x) const;
  template <typename T>
  void residual_input_values_as(const StepInput& input, const T* x, T* out) const;

 private:
  bool driven(const StepInput& input) const {
    return p_.control == Control::kImu && input.control.size() == 6;
  }
  /// During the step.
  template <typename T>
  Vector3<T> rate(const StepInput& input, const T* x) const;

  Parameters p_;
};

template <typename T>
Vector3<T> RigidBodyMotion::rate(const StepInput& input, const T* x) const {
  Vector3<T> out(x[kRate], x[kRate + 1], x[kRate + 2]);
  for (int i = 0; i < 3 && driven(input); ++i) {
    out[i] = input.control[i] - p_.gyro_bias[static_cast<std::size_t>(i)].of(x);
  }
  return out;
}

template <typename T>
void RigidBodyMotion::residual_input_values_as(const StepInput& input, const T* x, T* out) const {
  const Vector3<T> turning = rate(input, x);
  for (int i = 0; i < 3; ++i) {
    out[i] = x[kVelocity + i];
    out[3 + i] = turning[i];
  }
}

template <typename T>
void RigidBodyMotion::move_as(const StepInput& input, const T* x, const T* residual, T* out) const {
  const T dt(input.dt);
  const Vector3<T> own_rate = rate(input, x);
  Vector3<T> turn = own_rate * dt;
  Vector3<T> slip = Vector3<T>::Zero();
  for (int i = 0; i < 3 && residual != nullptr; ++i) {
    slip[i] = residual[i];
    turn[i] += dt * residual[3 + i];
  }
  const Eigen::Quaternion<T> local =
      rotation_quaternion(Vector3<T>(x[kRotation], x[kRotation + 1], x[kRotation + 2]));
  const Eigen::Quaternion<T> turned = local * rotation_quaternion(turn);
  const Matrix3<T> last_reference = input.last_reference.toRotationMatrix().cast<T>();
  const Matrix3<T> before = last_reference * local.toRotationMatrix();
  // From the body as it was to the world, averaged over the step.
  const Matrix3<T> during = before * left_jacobian(turn);

  Vector3<T> velocity(x[kVelocity], x[kVelocity + 1], x[kVelocity + 2]);
  Vector3<T> path = during * slip * dt;
  if (driven(input)) {
    Vector3<T> force;
    for (int i = 0; i < 3; ++i) {
      force[i] = input.control[3 + i] - p_.accelerometer_bias[static_cast<std::size_t>(i)].of(x);
    }
    Vector3<T> acceleration = during * force;
    acceleration[2] -= p_.gravity;
    const Vector3<T> world = before * velocity;
    const Vector3<T> gained = acceleration * dt;
    path += (world + gained * T(0.5)) * dt;
    const Matrix3<T> after = last_reference * turned.toRotationMatrix();
    velocity = after.transpose() * (world + gained);
  } else {
    path += during * velocity * dt;
  }

  const Eigen::Quaternion<T> change =
      (input.reference.conjugate() * input.last_reference).cast<T>();
  const Vector3<T> rotation = rotation_vector(Eigen::Quaternion<T>(change * turned));
  for (int i = 0; i < 3; ++i) {
    out[kPosition + i] = x[kPosition + i] + path[i];
    out[kRotation + i] = rotation[i];
    out[kVelocity + i] = velocity[i];
    out[kRate + i] = own_rate[i];
  }
}

template <typename T>
Kinematics<T> RigidBodyMotion::kinematics_as(const StepInput& input, const T* x) const {
  const Matrix3<T> reference = input.reference.toRotationMatrix().cast<T>();
  const Vector3<T> local(x[kRotation], x[kRotation + 1], x[kRotation + 2]);
  Kinematics<T> body;
  body.position << x[kPosition], x[kPosition + 1], x[kPosition + 2];
  body.rotation = reference * rotation_quaternion(local).toRotationMatrix();
  body.velocity << x[kVelocity], x[kVelocity + 1], x[kVelocity + 2];
  body.rate << x[kRate], x[kRate + 1], x[kRate + 2];
  return body;
}

}  // namespace ovf
