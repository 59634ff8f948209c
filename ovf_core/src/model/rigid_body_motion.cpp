#include "ovf/model/rigid_body_motion.hpp"

namespace ovf {

const std::vector<MotionState>& RigidBodyMotion::states() const {
  static const std::vector<MotionState> kStates = {{"x"},          {"y"},          {"z"},
                                                   {"rotation_x"}, {"rotation_y"}, {"rotation_z"},
                                                   {"velocity_x"}, {"velocity_y"}, {"velocity_z"},
                                                   {"rate_x"},     {"rate_y"},     {"rate_z"}};
  return kStates;
}

std::string RigidBodyMotion::residual_name(int i) const {
  return residual_inputs()[static_cast<std::size_t>(i)].name;
}

std::vector<ResidualInput> RigidBodyMotion::residual_inputs() const {
  return {{"forward"}, {"left"}, {"up"}, {"roll"}, {"pitch"}, {"yaw"}};
}

Eigen::Quaterniond RigidBodyMotion::next_reference(const StepInput& input,
                                                   const Eigen::VectorXd& mean) const {
  const Vector3<double> local = mean.segment<3>(kRotation);
  const Vector3<double> turn = input.dt * rate(input, mean.data());
  // Normalised, because it is multiplied on and on.
  return (input.last_reference * rotation_quaternion(local) * rotation_quaternion(turn))
      .normalized();
}

}  // namespace ovf
