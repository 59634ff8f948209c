#include "ovf/model/planar_motion.hpp"

namespace ovf {

const std::vector<MotionState>& PlanarMotion::states() const {
  static const std::vector<MotionState> kStates = {
      {"x"}, {"y"}, {"yaw", true}, {"velocity"}, {"yaw_rate"}};
  return kStates;
}

std::string PlanarMotion::residual_name(int i) const {
  static const std::vector<std::string> kNames = {"forward", "left", "turn"};
  return kNames[static_cast<std::size_t>(i)];
}

std::vector<ResidualInput> PlanarMotion::residual_inputs() const {
  std::vector<ResidualInput> inputs = {{"speed"}, {"turn"}};
  if (p_.control == Control::kCommand) {
    // How the robot answers to a change: once it has answered these are zero.
    inputs.push_back({"speed_lag", false});
    inputs.push_back({"turn_lag", false});
  }
  return inputs;
}

}  // namespace ovf
