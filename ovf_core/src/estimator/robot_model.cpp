#include "ovf/estimator/robot_model.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "estimator/make_motion.hpp"
#include "estimator/make_sensor.hpp"
#include "ovf/model/sensor_suite.hpp"

namespace ovf {
namespace {

bool is_velocity(const StateEntry& entry) {
  return entry.noise_learned_as == "motion.noise.velocity" ||
         entry.noise_learned_as == "motion.noise.rate";
}

bool sees_velocity(const EstimatorConfig& config) {
  for (const SensorConfig& sensor : config.sensors) {
    if (sensor.kind == SensorKind::kVelocity || sensor.kind == SensorKind::kTurnRate ||
        sensor.kind == SensorKind::kImu || sensor.kind == SensorKind::kLinear) {
      return true;
    }
  }
  return false;
}

ProcessNoise process_noise(const EstimatorConfig& config, const StateLayout& layout) {
  ProcessNoise noise = layout.process_noise();
  noise.factor = config.motion.noise.factor;
  // Measured velocities replace the state's at every step: nothing shows how they would wander.
  const bool replaced = config.motion.control == ControlKind::kOdometry &&
                        config.motion.error_time == 0.0 && !sees_velocity(config);
  for (int i = 0; i < layout.dim() && replaced; ++i) {
    if (is_velocity(layout.entry(i))) noise.learned_as[static_cast<std::size_t>(i)].clear();
  }
  return noise;
}

Targets targets_of(const EstimatorConfig& config) {
  Targets targets;
  for (std::size_t i = 0; i < config.landmark_ids.size(); ++i) {
    const double z = config.landmark_z.empty() ? 0.0 : config.landmark_z[i];
    targets.emplace_back(config.landmark_x[i], config.landmark_y[i], z);
  }
  return targets;
}

// Anchors far to one side of the robot do not tell a range's scale from its distance; only
// something that has the motion in metres does.
bool knows_motion(const EstimatorConfig& config) {
  return config.motion.control != ControlKind::kNone || sees_velocity(config);
}

// How late a position is shows only beside a measurement of the motion: after a command the robot
// itself may be late.
bool measures_motion(const EstimatorConfig& config) {
  return config.motion.control == ControlKind::kOdometry ||
         config.motion.control == ControlKind::kImu || sees_velocity(config);
}

// A velocity in the body's frame tells nothing of how late it is.
bool sees_place(SensorKind kind) {
  switch (kind) {
    case SensorKind::kPose:
    case SensorKind::kPosition:
    case SensorKind::kAltitude:
    case SensorKind::kYaw:
    case SensorKind::kRange:
    case SensorKind::kRangeBearing:
      return true;
    default:
      return false;
  }
}

}  // namespace

RobotModel make_robot_model(const EstimatorConfig& config) {
  validate(config);
  StateLayout layout;
  std::shared_ptr<const Motion> motion = make_motion(config, layout);

  // Everything that is learned has its place in the state before any equation is made.
  std::vector<SensorQuantities> quantities;
  for (SensorConfig sensor : config.sensors) {
    if (!knows_motion(config)) sensor.scale.deviation = 0.0;
    if (!measures_motion(config) || !sees_place(sensor.kind)) sensor.latency.deviation = 0.0;
    quantities.push_back(add_quantities(sensor, config.motion, config.landmark_ids, layout));
  }
  const Targets targets = targets_of(config);
  std::vector<std::unique_ptr<Sensor>> sensors;
  std::vector<SensorInfo> infos;
  for (std::size_t i = 0; i < config.sensors.size(); ++i) {
    infos.emplace_back();
    sensors.push_back(make_sensor(config, config.sensors[i], motion, quantities[i], targets,
                                  layout.dim(), infos.back()));
  }

  auto transition = std::make_unique<NonlinearTransition>(
      make_transition_mean(config, motion, layout.dim()), process_noise(config, layout));
  Gaussian prior = layout.prior();
  std::map<int, int> target_of_id;
  for (std::size_t i = 0; i < config.landmark_ids.size(); ++i) {
    target_of_id[config.landmark_ids[i]] = static_cast<int>(i);
  }
  return {std::move(motion), std::move(layout), std::move(infos), std::move(target_of_id),
          StateSpaceModel(std::move(prior), std::move(transition),
                          std::make_unique<SensorSuite>(std::move(sensors)))};
}

}  // namespace ovf
