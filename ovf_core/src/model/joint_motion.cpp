#include "ovf/model/joint_motion.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace ovf {

JointMotion::JointMotion(Parameters parameters) : p_(std::move(parameters)) {
  if (p_.joints.empty()) throw std::invalid_argument("joints: none is given; expected one or more");
  if (!std::isfinite(p_.response_time) || p_.response_time <= 0.0) {
    throw std::invalid_argument(fmt::format(
        "joints: the response time is {}; expected a positive number", p_.response_time));
  }
  for (const std::string& joint : p_.joints) states_.push_back({joint + ".position"});
  for (const std::string& joint : p_.joints) states_.push_back({joint + ".velocity"});
}

std::vector<ResidualInput> JointMotion::residual_inputs() const {
  std::vector<ResidualInput> inputs;
  for (const std::string& joint : p_.joints) inputs.push_back({joint});
  for (const std::string& joint : p_.joints) {
    if (p_.commanded) inputs.push_back({joint + "_lag", false});
  }
  return inputs;
}

}  // namespace ovf
