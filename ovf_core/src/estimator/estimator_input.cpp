// What goes into a step: checks of a message, its noise, and the noise of the process.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "estimator/plausible_control.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/message_noise.hpp"
#include "ovf/model/nonlinear_transition.hpp"
#include "ovf/model/pose_sensors.hpp"

namespace ovf {
namespace {

// What is left of the drift of a learned quantity that is not to move.
constexpr double kFrozenDrift = 1e-3;
// Controls below this are at rest.
constexpr double kAtRest = 1e-6;
// No sensor knows a place or a heading better, in metres and radians, whatever its message says.
constexpr double kLeastPlaceDeviation = 1e-3;
// In metres, radians or per second: further than any place on Earth is from another.
constexpr double kMaxValue = 1e8;
// A control changes by more than its usual change in a second beyond so many standard deviations.
constexpr double kUnusualChange = 3.0;
// So many controls in a row may be lost before one that makes up for them.
constexpr double kMaxLost = 5.0;
// A quaternion shorter than this has no direction.
constexpr double kShortestQuaternion = 1e-3;

}  // namespace

bool Estimator::sees(int sensor, int target) const {
  const std::vector<int>& own = sensor_config(sensor).targets;
  if (!own.empty() && std::find(own.begin(), own.end(), target) == own.end()) return false;
  return robot_.target_of_id.contains(target);
}

bool Estimator::check(const Message& message) {
  const Stamp stamp = stamp_of(message);
  if (stamp < -kFarthestStamp || stamp > kFarthestStamp) {
    count(Outcome::kNotFinite, fmt::format("a stamp of {} ns; expected one within {} ns of zero",
                                           stamp, kFarthestStamp));
    return false;
  }
  return std::visit([this](const auto& m) { return check(m); }, message);
}

bool Estimator::check(const Control& control) {
  if (control.u.size() != robot_.motion->control_dim()) {
    count(Outcome::kWrongSize, fmt::format("a control of {} numbers; motion.control expects {}",
                                           control.u.size(), robot_.motion->control_dim()));
    return false;
  }
  if (!control.u.allFinite()) {
    count(Outcome::kNotFinite, "a control has a NaN or an infinity");
    return false;
  }
  const bool has_quaternion = config_.motion.control == ControlKind::kAttitude;
  if (has_quaternion && !(control.u.tail<4>().norm() > kShortestQuaternion)) {
    count(Outcome::kNotFinite, "a commanded attitude is a quaternion of zeros");
    return false;
  }
  Control last;
  if (state_.has_control) last = {state_.control_stamp, state_.control};
  std::string reason = implausibility(control, last, config_.motion);
  if (!reason.empty()) {
    count(Outcome::kGated, std::move(reason));
    return false;
  }
  return true;
}

bool Estimator::check(const Measurement& measurement) {
  const int sensor = sensor_index(measurement.sensor);
  if (sensor < 0) {
    count(Outcome::kUnknownSensor,
          fmt::format("there is no sensor '{}' in the configuration", measurement.sensor));
    return false;
  }
  result_.sensor = sensor;
  const SensorInfo& info = sensor_info(sensor);
  if (measurement.y.size() != info.dim) {
    count(Outcome::kWrongSize, fmt::format("{} sent {} numbers; expected {}", measurement.sensor,
                                           measurement.y.size(), info.dim));
    return false;
  }
  const bool no_direction =
      info.has_quaternion && !(measurement.y.tail<4>().norm() > kShortestQuaternion);
  if (!measurement.y.allFinite() || no_direction) {
    count(Outcome::kNotFinite,
          fmt::format("{} sent a NaN, an infinity or a quaternion of zeros", measurement.sensor));
    return false;
  }
  if (sensor_config(sensor).kind != SensorKind::kLinear &&
      measurement.y.lpNorm<Eigen::Infinity>() > kMaxValue) {
    count(Outcome::kGated,
          fmt::format("{} sent {:.6g}; no sensor of a robot measures more than {:g}",
                      measurement.sensor, measurement.y.lpNorm<Eigen::Infinity>(), kMaxValue));
    return false;
  }
  if (info.has_targets && !sees(sensor, measurement.target)) {
    count(Outcome::kUnknownTarget, fmt::format("{} saw landmark {}, which is not configured",
                                               measurement.sensor, measurement.target));
    return false;
  }
  return true;
}

// An odometer does not leap: one control that does is an error of its message, unless the next one
// says the same. Then the robot may have moved by as much in between.
bool Estimator::is_confirmed(const Control& control) {
  state_.control_doubt.resize(0);
  const Control& before = state_.unconfirmed;
  Eigen::VectorXd rates;
  if (state_.has_control) {
    const Stamp last = before.u.size() > 0 ? before.stamp : state_.control_stamp;
    rates = doubt(control, last, state_.control, config_.motion);
  }
  const bool jumps = config_.motion.control == ControlKind::kOdometry && rates.size() > 0 &&
                     is_unusual(control.u - state_.control);
  const bool agrees =
      before.u.size() > 0 && doubt(control, before.stamp, before.u, config_.motion).size() == 0;
  if (jumps && !agrees) {
    state_.unconfirmed = control;
    state_.control_doubt = catching_up(rates);
    return false;
  }
  if (jumps) {
    for (Watch& watch : state_.watches) watch.agreement.doubt_belief();
  }
  state_.control_doubt = std::move(rates);
  state_.unconfirmed.u.resize(0);
  return true;
}

// Of a control that is not used because it jumps: it may make up for lost ones, a few of them.
Eigen::VectorXd Estimator::catching_up(const Eigen::VectorXd& doubt) const {
  const Eigen::Vector2d most = kMaxLost * state_.control.head<2>().cwiseAbs();
  return doubt.cwiseMin(Eigen::Vector3d(most[0], most[0], most[1]));
}

// Some odometers do leap all the time: encoders that are read out of step.
bool Estimator::is_unusual(const Eigen::VectorXd& change) const {
  const Eigen::VectorXd usual = state_.volatility.deviations();
  return usual.size() == change.size() &&
         (change.array().abs() > kUnusualChange * usual.array()).any();
}

// A receiver that hangs sends what it sent before, which is no new evidence.
bool Estimator::is_repeated(const Measurement& measurement, int sensor) {
  const Eigen::VectorXd& last = watches(sensor).last_used;
  return may_dispute(sensor) && last.size() == measurement.y.size() && last == measurement.y;
}

void Estimator::set_observation(const Measurement& measurement, int sensor) {
  const SensorConfig& config = sensor_config(sensor);
  const SensorInfo& info = sensor_info(sensor);
  input_.sensor = sensor;
  input_.target = info.has_targets ? robot_.target_of_id.find(measurement.target)->second : 0;
  covariance_ = measurement.covariance;
  if (info.has_quaternion) {
    const Eigen::Quaterniond orientation = measured_orientation(measurement);
    y_.resize(6);
    y_.head<3>() = measurement.y.head<3>();
    y_.tail<3>() = relative_rotation(input_, orientation);
    if (covariance_.rows() == 6 && covariance_.cols() == 6) {
      covariance_.bottomRightCorner<3, 3>() = relative_covariance(
          input_, orientation, Eigen::Matrix3d(covariance_.bottomRightCorner<3, 3>()));
    }
  } else {
    y_ = measurement.y;
  }

  CovarianceState state = CovarianceState::kUnset;
  if (config.noise_source == NoiseSource::kMessage) {
    state =
        message_noise_factor(covariance_, static_cast<int>(y_.size()),
                             sees_place(sensor) ? kLeastPlaceDeviation : 0.0, input_.message_noise);
  }
  if (state != CovarianceState::kUsable) input_.message_noise.resize(0, 0);
  if (state == CovarianceState::kUnusable) add_event(EventKind::kCovarianceReplaced, sensor);

  Watch& watch = watches(sensor);
  input_.gate = gates_[static_cast<std::size_t>(sensor)];
  if (watch.gated_in_row >= config.gate_patience) {
    input_.gate = std::numeric_limits<double>::infinity();
    add_event(EventKind::kGateOverridden, sensor);
  }
}

void Estimator::set_noise_gain(double seconds) {
  const StateLayout& states = robot_.layout;
  const Eigen::MatrixXd& lower = filter_.belief().factor.lower();
  const auto& transition = static_cast<const NonlinearTransition&>(filter_.model().transition());
  const bool at_rest = input_.control.size() > 0 && input_.control.norm() < kAtRest;
  const bool doubted = state_.motion_doubt.size() > 0 && state_.now < state_.motion_doubt_until;
  input_.noise_gain.setOnes(states.dim());
  for (int i = 0; i < states.dim(); ++i) {
    const StateEntry& entry = states.entry(i);
    double& gain = input_.noise_gain[i];
    if (!entry.parameter) {
      if (at_rest) gain = config_.motion.noise.at_rest;
      double spread = state_.spread.size() > 0 ? state_.spread[i] : 0.0;
      if (input_.control.size() > 0 && i < state_.control_doubt.size()) {
        spread = std::hypot(spread, state_.control_doubt[i] * seconds);
      }
      const double root = std::sqrt(std::max(seconds, kShortestStep));
      if (doubted) spread = std::hypot(spread, state_.motion_doubt[i] * root);
      if (spread > 0.0) {
        gain = std::hypot(gain, spread / (root * transition.noise().lower()(i, i)));
      }
    } else if (!state_.learning) {
      gain = kFrozenDrift;
    } else {
      // What the data say nothing of is as uncertain as it was at first, and stays so.
      const double missing = entry.deviation * entry.deviation - lower.row(i).squaredNorm();
      if (missing <= 0.0) {
        gain = kFrozenDrift;
      } else if (state_.widen) {
        const double drift = transition.noise().lower()(i, i);
        gain = std::sqrt(missing / std::max(seconds, kShortestStep)) / drift;
      }
    }
  }
}

}  // namespace ovf
