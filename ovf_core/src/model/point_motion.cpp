#include "ovf/model/point_motion.hpp"

namespace ovf {

const std::vector<MotionState>& PointMotion::states() const {
  static const std::vector<MotionState> kWithVelocity = {
      {"x"}, {"y"}, {"z"}, {"velocity_x"}, {"velocity_y"}, {"velocity_z"}};
  static const std::vector<MotionState> kWithAcceleration = [] {
    std::vector<MotionState> states = kWithVelocity;
    for (const char* name : {"acceleration_x", "acceleration_y", "acceleration_z"}) {
      states.push_back({name});
    }
    return states;
  }();
  return constant_ == Constant::kAcceleration ? kWithAcceleration : kWithVelocity;
}

std::string PointMotion::residual_name(int i) const {
  static const std::vector<std::string> kNames = {"x", "y", "z"};
  return kNames[static_cast<std::size_t>(i)];
}

std::vector<ResidualInput> PointMotion::residual_inputs() const {
  return {{"velocity_x"}, {"velocity_y"}, {"velocity_z"}};
}

}  // namespace ovf
