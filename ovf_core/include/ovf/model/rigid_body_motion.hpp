#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "ovf/math/rotation.hpp"
#include "ovf/model/motion.hpp"
#include "ovf/model/thrust_drive.hpp"

namespace ovf {

/// A body in space: position in the world, orientation, velocity and turn rate in the body frame.
/// The orientation is a rotation vector r relative to a reference, reference * exp(r): the
/// reference moves with the body (next_reference), so that r stays near zero and has no
/// singularity. Its noise is therefore one in the body frame.
class RigidBodyMotion final : public MotionOf<RigidBodyMotion> {
 public:
  enum class Control {
    kNone,    ///< velocity and turn rate are constant in the body frame
    kImu,     ///< gyroscope (3 numbers, rad/s) and accelerometer (3, m/s^2) drive the body
    kThrust,  ///< a multirotor's commands drive it; without one it stops turning
  };

  struct Parameters {
    Control control = Control::kNone;
    /// What the control's numbers are too large by.
    std::array<Quantity, 3> gyro_bias = {};
    std::array<Quantity, 3> accelerometer_bias = {};
    /// Of a body at rest the accelerometer shows this upwards, in m/s^2.
    double gravity = 9.80665;
    /// Of kThrust.
    ThrustDrive drive = {};
  };

  /// Where a state begins.
  static constexpr int kPosition = 0;
  static constexpr int kRotation = 3;
  static constexpr int kVelocity = 6;
  static constexpr int kRate = 9;

  explicit RigidBodyMotion(const Parameters& parameters) : p_(parameters) {}

  const std::vector<MotionState>& states() const override;
  int control_dim() const override;
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
  template <typename T>
  using Turn = ThrustDrive::Turn<T>;

  bool has_imu(const StepInput& input) const {
    return p_.control == Control::kImu && input.control.size() == 6;
  }
  bool has_thrust(const StepInput& input) const {
    return p_.control == Control::kThrust && p_.drive.drives(input.control);
  }
  /// Relative to the reference.
  template <typename T>
  static Eigen::Quaternion<T> local_rotation(const T* x) {
    return rotation_quaternion(Vector3<T>(x[kRotation], x[kRotation + 1], x[kRotation + 2]));
  }
  template <typename T>
  Turn<T> turn_of(const StepInput& input, const T* x) const;

  Parameters p_;
};

template <typename T>
RigidBodyMotion::Turn<T> RigidBodyMotion::turn_of(const StepInput& input, const T* x) const {
  Vector3<T> rate(x[kRate], x[kRate + 1], x[kRate + 2]);
  if (p_.control == Control::kThrust) {
    const Eigen::Quaternion<T> attitude = input.last_reference.cast<T>() * local_rotation(x);
    return p_.drive.turn(input, x, attitude, rate);
  }
  for (int i = 0; i < 3 && has_imu(input); ++i) {
    rate[i] = input.control[i] - p_.gyro_bias[static_cast<std::size_t>(i)].of(x);
  }
  return {Vector3<T>(rate * T(input.dt)), rate};
}

template <typename T>
void RigidBodyMotion::residual_input_values_as(const StepInput& input, const T* x, T* out) const {
  const Turn<T> turned = turn_of(input, x);
  for (int i = 0; i < 3; ++i) {
    out[i] = x[kVelocity + i];
    out[3 + i] = turned.rate[i];
  }
}

template <typename T>
void RigidBodyMotion::move_as(const StepInput& input, const T* x, const T* residual, T* out) const {
  const T dt(input.dt);
  const Turn<T> own = turn_of(input, x);
  Vector3<T> turn = own.turn;
  Vector3<T> slip = Vector3<T>::Zero();
  for (int i = 0; i < 3 && residual != nullptr; ++i) {
    slip[i] = residual[i];
    turn[i] += dt * residual[3 + i];
  }
  const Eigen::Quaternion<T> local = local_rotation(x);
  const Eigen::Quaternion<T> turned = local * rotation_quaternion(turn);
  const Matrix3<T> last_reference = input.last_reference.toRotationMatrix().cast<T>();
  const Matrix3<T> before = last_reference * local.toRotationMatrix();
  // From the body as it was to the world, averaged over the step.
  const Matrix3<T> during = before * left_jacobian(turn);

  Vector3<T> velocity(x[kVelocity], x[kVelocity + 1], x[kVelocity + 2]);
  Vector3<T> path = during * slip * dt;
  if (has_imu(input)) {
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
  } else if (p_.control == Control::kThrust) {
    const Vector3<T> world = before * velocity;
    ThrustDrive::Flight<T> flight{world, Vector3<T>(world * dt)};
    if (has_thrust(input)) {
      const Vector3<T> half_turn = turn * T(0.5);
      const Matrix3<T> middle = before * rotation_quaternion(half_turn).toRotationMatrix();
      flight = p_.drive.fly(input, x, middle, world);
    }
    path += flight.path;
    const Matrix3<T> after = last_reference * turned.toRotationMatrix();
    velocity = after.transpose() * flight.velocity;
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
    out[kRate + i] = own.rate[i];
  }
}

template <typename T>
Kinematics<T> RigidBodyMotion::kinematics_as(const StepInput& input, const T* x) const {
  const Matrix3<T> reference = input.reference.toRotationMatrix().cast<T>();
  Kinematics<T> body;
  body.position << x[kPosition], x[kPosition + 1], x[kPosition + 2];
  body.rotation = reference * local_rotation(x).toRotationMatrix();
  body.velocity << x[kVelocity], x[kVelocity + 1], x[kVelocity + 2];
  body.rate << x[kRate], x[kRate + 1], x[kRate + 2];
  if (has_thrust(input)) {
    const Vector3<T> world = body.rotation * body.velocity;
    body.specific_force = p_.drive.specific_force(input, x, body.rotation, world);
  }
  return body;
}

}  // namespace ovf
