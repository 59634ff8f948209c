#include "ovf/model/rigid_body_motion.hpp"

namespace ovf {

const std::vector<MotionState>& RigidBodyMotion::states() const {
  static const std::vector<MotionState> kStates = {{"x"},          {"y"},          {"z"},
                                                   {"rotation_x"}, {"rotation_y"}, {"rotation_z"},
                                                   {"velocity_x"}, {"velocity_y"}, {"velocity_z"},
                                                   {"rate_x"},     {"rate_y"},     {"rate_z"}};
  return kStates;
}

int RigidBodyMotion::control_dim() const {
  switch (p_.control) {
    case Control::kImu:
      return 6;
    case Control::kThrust:
      return p_.drive.control_dim();
    case Control::kNone:
      break;
  }
  return 0;
}

std::string RigidBodyMotion::residual_name(int i) const {
  return residual_inputs()[static_cast<std::size_t>(i)].name;
}

std::vector<ResidualInput> RigidBodyMotion::residual_inputs() const {
  return {{"forward"}, {"left"}, {"up"}, {"roll"}, {"pitch"}, {"yaw"}};
}

Eigen::Quaterniond RigidBodyMotion::next_reference(const StepInput& input,
                                                   const Eigen::VectorXd& mean) const {
  const Vector3<double> turn = turn_of(input, mean.data()).turn;
  // Normalised, because it is multiplied on and on.
  return (input.last_reference * local_rotation(mean.data()) * rotation_quaternion(turn))
      .normalized();
}

}  // namespace ovf
