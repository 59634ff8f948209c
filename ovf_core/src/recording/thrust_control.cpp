#include "recording/thrust_control.hpp"

#include <cmath>

namespace ovf {
namespace {

constexpr double kMinQuaternion = 1e-3;

// Of a control whose size is right.
std::string problem_of(ControlKind kind, const Eigen::VectorXd& u) {
  if (!std::isfinite(u[0])) return "a thrust that is NaN or infinite";
  if (u[0] < 0.0) return "a negative thrust";
  if (kind == ControlKind::kBodyRate) {
    return u.tail<3>().allFinite() ? "" : "a body rate that is NaN or infinite";
  }
  if (!u.tail<4>().allFinite()) return "an attitude that is NaN or infinite";
  if (!(u.tail<4>().norm() > kMinQuaternion)) return "an attitude of zeros";
  return {};
}

std::string take_numbers(ControlKind kind, const Eigen::VectorXd& values, Eigen::VectorXd& u) {
  if (kind == ControlKind::kAttitude && values.size() != 5) {
    return "not five numbers: thrust, then the attitude as a quaternion x, y, z, w";
  }
  if (kind == ControlKind::kBodyRate && values.size() != 4) {
    return "not four numbers: thrust, then the body rates about x, y, z";
  }
  u = values;
  return problem_of(kind, u);
}

}  // namespace

std::string thrust_control(ControlKind kind, const Sensed& sensed, Eigen::VectorXd& u) {
  if (!sensed.sightings.empty()) return take_numbers(kind, sensed.sightings.front().values, u);
  if (!sensed.thrust_command) return "no commanded thrust";
  const ThrustCommand& command = *sensed.thrust_command;
  if (!command.thrust) return "its type_mask says to ignore the thrust";
  if (kind == ControlKind::kAttitude) {
    if (!command.attitude) {
      return "its type_mask says to ignore the attitude: set motion.control: body_rate";
    }
    u.resize(5);
    u << *command.thrust, command.attitude->coeffs();
  } else {
    if (!command.body_rate) {
      return "its type_mask says to ignore a body rate: set motion.control: attitude";
    }
    u.resize(4);
    u << *command.thrust, *command.body_rate;
  }
  std::string problem = problem_of(kind, u);
  if (problem.empty() && u[0] > 1.0) {
    problem = "a thrust above 1: this message has it from 0 to 1";
  }
  return problem;
}

}  // namespace ovf
