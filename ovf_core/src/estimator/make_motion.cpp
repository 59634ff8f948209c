#include "estimator/make_motion.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ovf/model/joint_motion.hpp"
#include "ovf/model/learned_dynamics.hpp"
#include "ovf/model/motion_mean.hpp"
#include "ovf/model/planar_motion.hpp"
#include "ovf/model/point_motion.hpp"
#include "ovf/model/rigid_body_motion.hpp"
#include "ovf/model/sigma_point_mean.hpp"

namespace ovf {
namespace {

enum class StateKind { kPosition, kAngle, kVelocity, kRate, kAcceleration };

std::vector<StateKind> state_kinds(const MotionConfig& config) {
  using enum StateKind;
  switch (config.kind) {
    case MotionKind::kPlanar:
      return {kPosition, kPosition, kAngle, kVelocity, kRate};
    case MotionKind::kConstantVelocity:
      return {kPosition, kPosition, kPosition, kVelocity, kVelocity, kVelocity};
    case MotionKind::kConstantAcceleration:
      return {kPosition, kPosition,     kPosition,     kVelocity,    kVelocity,
              kVelocity, kAcceleration, kAcceleration, kAcceleration};
    case MotionKind::kRigidBody:
      return {kPosition, kPosition, kPosition, kAngle, kAngle, kAngle,
              kVelocity, kVelocity, kVelocity, kRate,  kRate,  kRate};
    case MotionKind::kJoints:
      break;
  }
  std::vector<StateKind> kinds(config.joints.size(), kAngle);
  kinds.resize(2 * config.joints.size(), kRate);
  return kinds;
}

std::pair<const char*, double> noise_of(const MotionNoiseConfig& noise, StateKind kind) {
  switch (kind) {
    case StateKind::kPosition:
      return {"motion.noise.position", noise.position};
    case StateKind::kAngle:
      return {"motion.noise.angle", noise.angle};
    case StateKind::kVelocity:
      return {"motion.noise.velocity", noise.velocity};
    case StateKind::kRate:
      return {"motion.noise.rate", noise.rate};
    case StateKind::kAcceleration:
      break;
  }
  return {"motion.noise.acceleration", noise.acceleration};
}

std::vector<MotionState> states_of(const MotionConfig& config) {
  switch (config.kind) {
    case MotionKind::kPlanar:
      return PlanarMotion({}).states();
    case MotionKind::kConstantVelocity:
      return PointMotion(PointMotion::Constant::kVelocity).states();
    case MotionKind::kConstantAcceleration:
      return PointMotion(PointMotion::Constant::kAcceleration).states();
    case MotionKind::kRigidBody:
      return RigidBodyMotion({}).states();
    case MotionKind::kJoints:
      break;
  }
  return JointMotion({.joints = config.joints}).states();
}

// The numbers for each state: as many as there are, or one for all.
std::vector<double> per_state(const char* key, const std::vector<double>& values, std::size_t count,
                              double if_empty) {
  if (values.empty()) return std::vector<double>(count, if_empty);
  if (values.size() == count) return values;
  if (values.size() == 1) return std::vector<double>(count, values.front());
  throw std::invalid_argument(
      fmt::format("{} has {} numbers; expected one, or {}: one for each of the motion's states",
                  key, values.size(), count));
}

void add_states(const EstimatorConfig& config, StateLayout& layout) {
  const std::vector<MotionState> states = states_of(config.motion);
  const std::vector<StateKind> kinds = state_kinds(config.motion);
  const std::size_t count = states.size();
  const auto mean = per_state("initial.mean", config.initial.mean, count, 0.0);
  const auto deviations = per_state("initial.deviations", config.initial.deviations, count, 1.0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto [group, noise] = noise_of(config.motion.noise, kinds[i]);
    layout.add({.name = states[i].name,
                .start = mean[i],
                .deviation = deviations[i],
                .noise = noise,
                .noise_learned_as = config.motion.noise.learn ? group : "",
                .angle = states[i].angle});
  }
}

std::array<Quantity, 3> add_triple(StateLayout& layout, const std::string& name,
                                   const LearnedQuantity& quantity) {
  return {layout.add(name + "[0]", quantity), layout.add(name + "[1]", quantity),
          layout.add(name + "[2]", quantity)};
}

std::shared_ptr<const Motion> make_planar(const MotionConfig& config, StateLayout& layout) {
  PlanarMotion::Parameters p;
  switch (config.control) {
    case ControlKind::kOdometry:
      p.control = PlanarMotion::Control::kOdometry;
      break;
    case ControlKind::kCommand:
      p.control = PlanarMotion::Control::kCommand;
      break;
    default:
      p.control = PlanarMotion::Control::kNone;
  }
  p.response_time = config.response_time;
  p.error_time = config.error_time;
  p.scale = layout.add("motion.scale", config.scale);
  p.turn_scale = layout.add("motion.turn_scale", config.turn_scale);
  p.yaw_rate_bias = layout.add("motion.yaw_rate_bias", config.yaw_rate_bias);
  p.slip = layout.add("motion.slip", config.slip);
  p.turn_drag = layout.add("motion.turn_drag", config.turn_drag);
  return std::make_shared<PlanarMotion>(p);
}

ThrustDrive make_drive(const MotionConfig& config, StateLayout& layout) {
  ThrustDrive drive;
  drive.turning = config.control == ControlKind::kAttitude ? ThrustDrive::Turning::kAttitude
                                                           : ThrustDrive::Turning::kBodyRate;
  drive.thrust_scale = layout.add("motion.thrust_scale", config.thrust_scale);
  drive.drag = add_triple(layout, "motion.drag", config.drag);
  drive.wind = {layout.add("motion.wind[0]", config.wind),
                layout.add("motion.wind[1]", config.wind)};
  drive.attitude_lag = add_triple(layout, "motion.attitude_lag", config.attitude_lag);
  drive.idle_thrust = config.idle_thrust;
  return drive;
}

std::shared_ptr<const Motion> make_rigid_body(const MotionConfig& config, StateLayout& layout) {
  RigidBodyMotion::Parameters p;
  if (config.control == ControlKind::kImu) {
    p.control = RigidBodyMotion::Control::kImu;
    p.gyro_bias = add_triple(layout, "motion.gyro_bias", config.gyro_bias);
    p.accelerometer_bias =
        add_triple(layout, "motion.accelerometer_bias", config.accelerometer_bias);
  } else if (is_thrust(config.control)) {
    p.control = RigidBodyMotion::Control::kThrust;
    p.drive = make_drive(config, layout);
  }
  return std::make_shared<RigidBodyMotion>(p);
}

}  // namespace

std::shared_ptr<const Motion> make_motion(const EstimatorConfig& config, StateLayout& layout) {
  const MotionConfig& motion = config.motion;
  add_states(config, layout);
  switch (motion.kind) {
    case MotionKind::kPlanar:
      return make_planar(motion, layout);
    case MotionKind::kConstantVelocity:
      return std::make_shared<PointMotion>(PointMotion::Constant::kVelocity);
    case MotionKind::kConstantAcceleration:
      return std::make_shared<PointMotion>(PointMotion::Constant::kAcceleration);
    case MotionKind::kRigidBody:
      return make_rigid_body(motion, layout);
    case MotionKind::kJoints:
      break;
  }
  JointMotion::Parameters p{.joints = motion.joints,
                            .commanded = motion.control == ControlKind::kCommand,
                            .response_time = motion.response_time};
  return std::make_shared<JointMotion>(std::move(p));
}

std::unique_ptr<MeanFunction> make_transition_mean(const EstimatorConfig& robot,
                                                   std::shared_ptr<const Motion> motion,
                                                   int state_dim) {
  const MotionConfig& config = robot.motion;
  std::unique_ptr<MeanFunction> mean;
  if (config.residual == ResidualKind::kNone) {
    mean = make_motion_mean(std::move(motion), state_dim);
  } else {
    const bool network = config.residual == ResidualKind::kNetwork;
    mean = std::make_unique<LearnedDynamics>(LearnedDynamicsSpec{
        .motion = std::move(motion),
        .state_dim = state_dim,
        .family = network ? ResidualFamily::kNetwork : ResidualFamily::kFeatures,
        .hidden = config.residual_units,
        .prior_deviation = config.residual_deviation});
  }
  if (robot.sigma_points) return std::make_unique<SigmaPointMean>(std::move(mean));
  return mean;
}

}  // namespace ovf
