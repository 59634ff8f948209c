#include "estimator/plausible_control.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// Velocities are averages over about so long: neighbouring ones differ by what this time allows.
constexpr double kShortestInterval = 0.1;
// Wheels do not grip beyond 1 g, and few robots begin to turn faster. One that does is only less
// sure of its place for a moment.
constexpr double kUsualAcceleration = 10.0;      // m/s^2
constexpr double kUsualTurnAcceleration = 20.0;  // rad/s^2

std::string check(const char* what, double value, const char* unit, const char* limit, double max) {
  if (std::abs(value) <= max) return {};
  return fmt::format("a control with a {} of {:.6g} {}; motion.limits.{} is {:g}", what, value,
                     unit, limit, max);
}

std::string planar_implausibility(const Control& control, const Control& last,
                                  const MotionLimits& limits) {
  std::string reason = check("speed", control.u[0], "m/s", "speed", limits.speed);
  if (reason.empty()) {
    reason = check("turn rate", control.u[1], "rad/s", "turn_rate", limits.turn_rate);
  }
  if (!reason.empty() || last.u.size() == 0 || control.stamp <= last.stamp) return reason;
  const double interval = std::max(kShortestInterval, seconds_between(last.stamp, control.stamp));
  return check("change of speed", (control.u[0] - last.u[0]) / interval, "m/s^2", "acceleration",
               limits.acceleration);
}

}  // namespace

std::string implausibility(const Control& control, const Control& last,
                           const MotionConfig& motion) {
  const MotionLimits& limits = motion.limits;
  std::string reason;
  switch (motion.control) {
    case ControlKind::kNone:
      break;
    case ControlKind::kOdometry:
    case ControlKind::kCommand:
      if (motion.kind == MotionKind::kPlanar) return planar_implausibility(control, last, limits);
      return check("joint velocity", control.u.lpNorm<Eigen::Infinity>(), "rad/s or m/s",
                   "turn_rate", limits.turn_rate);
    case ControlKind::kImu:
      reason =
          check("turn rate", control.u.head<3>().norm(), "rad/s", "turn_rate", limits.turn_rate);
      if (!reason.empty()) return reason;
      return check("specific force", control.u.tail<3>().norm(), "m/s^2", "acceleration",
                   limits.acceleration);
    case ControlKind::kBodyRate:
      reason =
          check("turn rate", control.u.tail<3>().norm(), "rad/s", "turn_rate", limits.turn_rate);
      [[fallthrough]];
    case ControlKind::kAttitude:
      if (!reason.empty()) return reason;
      return check("thrust acceleration", motion.thrust_scale.value * control.u[0], "m/s^2",
                   "acceleration", limits.acceleration);
  }
  return reason;
}

Eigen::VectorXd doubt(const Control& control, Stamp last_stamp, const Eigen::VectorXd& last,
                      const MotionConfig& motion) {
  if (motion.kind != MotionKind::kPlanar) return {};
  const double interval = std::max(kShortestInterval, seconds_between(last_stamp, control.stamp));
  const Eigen::Vector2d change = (control.u - last).cwiseAbs();
  Eigen::VectorXd rates;
  if (change[0] > kUsualAcceleration * interval) {
    rates.setZero(3);
    rates.head<2>().setConstant(change[0]);
  }
  if (change[1] > kUsualTurnAcceleration * interval) {
    rates.conservativeResizeLike(Eigen::VectorXd::Zero(3));
    rates[2] = change[1];
  }
  return rates;
}

}  // namespace ovf
