// What can be asked of an estimator.
#include <cmath>
#include <stdexcept>

#include "ovf/estimator/estimator.hpp"
#include "ovf/model/nonlinear_transition.hpp"
#include "ovf/model/rigid_body_motion.hpp"
#include "ovf/model/sensor_suite.hpp"

namespace ovf {
namespace {

// A noise is at its floor unless it is larger than the floor by this factor, and surely so: those
// that chance takes two deviations beyond would all be stated two deviations too large.
constexpr double kAboveFloor = 1.05;
constexpr double kSurely = 4.0;  // standard deviations

}  // namespace

Kinematics<double> Estimator::body() const {
  StepInput input;
  input.reference = state_.reference;
  return robot_.motion->kinematics(input, filter_.belief().mean.data());
}

std::vector<ParameterEstimate> Estimator::parameters() const {
  std::vector<ParameterEstimate> estimates;
  const Eigen::VectorXd deviations = filter_.belief().factor.standard_deviations();
  for (int i = 0; i < robot_.layout.dim(); ++i) {
    const StateEntry& entry = robot_.layout.entry(i);
    if (!entry.parameter) continue;
    estimates.push_back({.name = entry.name,
                         .value = filter_.belief().mean[i],
                         .deviation = deviations[i],
                         .status = status_of(deviations[i], entry.deviation)});
  }

  const ParameterVector& theta = filter_.model().parameters();
  const Eigen::VectorXd known = filter_.learner().standard_deviations();
  const std::vector<ParameterStatus> statuses = filter_.learner().statuses();
  const auto& sensors = static_cast<const SensorSuite&>(filter_.model().observation());
  const int split = filter_.model().transition_parameter_count();
  for (int i = 0; i < theta.size(); ++i) {
    ParameterEstimate estimate{.name = theta.info(i).name, .value = filter_.parameters()[i]};
    if (known.size() > 0) {
      estimate.deviation = known[i];
      estimate.status = statuses[static_cast<std::size_t>(i)];
    }
    const bool lasting =
        i >= split && error_correlation(judging_sensor(sensors.sensor_of(i - split))).found();
    // Errors that last are no noise: what was learned is not that of the sensor alone.
    if (lasting && estimate.status == ParameterStatus::kIdentified) {
      estimate.status = ParameterStatus::kInDoubt;
    }
    const double floor = i < split ? 0.0 : sensors.noise_floor(i - split, lasting);
    if (floor > 0.0) {
      const double learned = estimate.value;
      estimate.value = std::hypot(learned, floor);
      estimate.deviation *= learned / estimate.value;
      if (estimate.value - kSurely * estimate.deviation < kAboveFloor * floor) {
        estimate.status = ParameterStatus::kAtFloor;
      }
    }
    estimates.push_back(estimate);
  }
  return estimates;
}

Rollout Estimator::rollout(const RolloutRequest& request) const {
  if (!state_.initialised) {
    throw std::invalid_argument("rollout: there is no belief yet; expected a first message");
  }
  if (request.plan == ControlPlan::kZero && is_thrust(config_.motion.control)) {
    throw std::invalid_argument(
        "rollout: the plan is zero, but a multirotor without thrust falls; expected held, given or "
        "unknown");
  }
  StepInput input;
  input.reference = state_.reference;
  if (state_.has_control) input.control = state_.control;
  input.last_control = state_.last_control;
  if (request.plan == ControlPlan::kUnknown) leave_control_open(input);
  return roll_out(filter_, belief(), *robot_.motion, input, request);
}

Control Estimator::driving_part(const Control& control) const {
  if (!is_thrust(config_.motion.control)) return control;
  return {control.stamp, control.u[0] * body().rotation.col(2)};
}

void Estimator::leave_control_open(StepInput& input) const {
  input.control.resize(0);
  Eigen::VectorXd changes = state_.volatility.deviations();
  if (changes.size() == 0) return;
  // A control sets velocities, which in a joint or planar motion are the last of its own states.
  Eigen::Index first = robot_.motion->state_dim() - changes.size();
  if (is_thrust(config_.motion.control)) {
    // A thrust accelerates them, in any direction. One that is drawn anew about every second
    // changes velocities by half of what it changes itself.
    const int scale = robot_.layout.find("motion.thrust_scale");
    const double gain =
        scale >= 0 ? filter_.belief().mean[scale] : config_.motion.thrust_scale.value;
    changes.setConstant(0.5 * std::abs(gain) * std::sqrt(changes.squaredNorm() / 3.0));
    first = RigidBodyMotion::kVelocity;
  } else if (config_.motion.control == ControlKind::kImu) {
    return;
  }
  const auto& transition = static_cast<const NonlinearTransition&>(filter_.model().transition());
  input.noise_gain.setOnes(robot_.layout.dim());
  for (Eigen::Index i = 0; i < changes.size(); ++i) {
    const double noise = transition.noise().lower()(first + i, first + i);
    input.noise_gain[first + i] = std::hypot(noise, changes[i]) / noise;
  }
}

}  // namespace ovf
