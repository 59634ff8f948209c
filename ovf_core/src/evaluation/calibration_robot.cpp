#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include "evaluation/calibration_run.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/estimator/robot_model.hpp"
#include "ovf/evaluation/calibration_study.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/math/angle.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 123;

using Set = std::function<void(PlanarSimulatorConfig&, double)>;

// What the simulator has of the estimator's parameters.
const std::map<std::string, Set>& setters() {
  using Config = PlanarSimulatorConfig;
  static const std::map<std::string, Set> kSetters = {
      {"motion.scale", [](Config& c, double v) { c.motion.scale = v; }},
      {"motion.turn_scale", [](Config& c, double v) { c.motion.turn_scale = v; }},
      {"motion.yaw_rate_bias", [](Config& c, double v) { c.motion.yaw_rate_bias = v; }},
      {"motion.slip", [](Config& c, double v) { c.motion.slip = v; }},
      {"motion.turn_drag", [](Config& c, double v) { c.motion.turn_drag = v; }},
      {"motion.noise.position", [](Config& c, double v) { c.motion.position_noise = v; }},
      {"motion.noise.angle", [](Config& c, double v) { c.motion.angle_noise = v; }},
      {"motion.noise.velocity", [](Config& c, double v) { c.motion.velocity_noise = v; }},
      {"motion.noise.rate", [](Config& c, double v) { c.motion.rate_noise = v; }},
      {"uwb.scale", [](Config& c, double v) { c.uwb.scale = v; }},
      {"uwb.noise", [](Config& c, double v) { c.uwb.noise = v; }},
      {"uwb.nu", [](Config& c, double v) { c.uwb.tails.nu = v; }},
      {"camera.yaw", [](Config& c, double v) { c.camera.bearing_bias = -v; }},
      {"camera.bias", [](Config& c, double v) { c.camera.range_bias = v; }},
      {"camera.noise[0]", [](Config& c, double v) { c.camera.range_noise = v; }},
      {"camera.noise[1]", [](Config& c, double v) { c.camera.bearing_noise = v; }},
      {"camera.nu", [](Config& c, double v) { c.camera.tails.nu = v; }},
      // One for both directions.
      {"gnss.noise[0]", [](Config& c, double v) { c.gnss.noise = v; }},
      {"gnss.noise[1]", [](Config&, double) {}},
      {"gnss.nu", [](Config& c, double v) { c.gnss.tails.nu = v; }},
      {"imu.bias", [](Config& c, double v) { c.imu.bias = v; }},
      {"imu.noise", [](Config& c, double v) { c.imu.noise = v; }},
  };
  return kSetters;
}

void set_parameter(const std::string& name, double value, PlanarSimulatorConfig& simulation) {
  // Drawn by the simulator itself, from beacon to beacon.
  if (name.starts_with("uwb.bias[")) return;
  const auto found = setters().find(name);
  if (found == setters().end()) {
    throw std::invalid_argument(
        fmt::format("calibration: {} is learned, but no parameter of the simulated robot; expected "
                    "those of config/planar_all_sensors.yaml",
                    name));
  }
  found->second(simulation, value);
}

void take_sensors(const EstimatorConfig& config, PlanarSimulatorConfig& simulation) {
  simulation.motion.yaw_rate_drift = config.motion.yaw_rate_bias.drift;
  for (const SensorConfig& sensor : config.sensors) {
    if (sensor.name == "uwb") {
      simulation.uwb.bias = sensor.bias.value;
      simulation.uwb.bias_spread = sensor.bias.deviation;
    } else if (sensor.name == "gnss") {
      simulation.gnss.noise_floor = sensor.noise_floor.empty() ? 0.0 : sensor.noise_floor.front();
    } else if (sensor.name == "imu") {
      simulation.imu.bias_drift = sensor.bias.drift;
    }
  }
}

PlanarSimulatorConfig draw_robot(const EstimatorConfig& config, const RobotModel& robot,
                                 std::uint64_t seed) {
  RandomStream random(seed, kStream);
  PlanarSimulatorConfig simulation;
  simulation.seed = seed;
  simulation.well_specified = true;
  simulation.motion.start_position = robot.layout.entry(0).deviation;
  simulation.motion.start_yaw = robot.layout.entry(2).deviation;
  take_sensors(config, simulation);
  for (const StateEntry& entry : robot.layout.entries()) {
    if (!entry.parameter) continue;
    set_parameter(entry.name, entry.start + entry.deviation * random.normal(), simulation);
  }
  const ParameterVector& theta = robot.state_space.parameters();
  const Eigen::VectorXd values = draw_from_prior(theta, config.filter.learning, random);
  for (int j = 0; j < theta.size(); ++j) set_parameter(theta.info(j).name, values[j], simulation);
  return simulation;
}

void add_states(const Estimator& estimator, const SimulatedMessage& message, CalibrationRun& run) {
  const Eigen::VectorXd& mean = estimator.belief().mean;
  const Eigen::VectorXd deviations = estimator.belief().factor.standard_deviations();
  Eigen::VectorXd truth(5);
  truth << message.pose.x, message.pose.y, mean[2] + wrapped(message.pose.yaw - mean[2]),
      message.velocity[0], message.velocity[2];
  for (int i = 0; i < truth.size(); ++i) {
    run.samples.push_back({.quantity = estimator.layout().entry(i).name,
                           .truth = truth[i],
                           .value = mean[i],
                           .deviation = deviations[i]});
  }
}

void add_parameters(const Estimator& estimator, const PlanarSimulator& simulator,
                    CalibrationRun& run) {
  const auto values = simulator.true_parameters();
  const std::map<std::string, double> truth(values.begin(), values.end());
  for (const ParameterEstimate& parameter : estimator.parameters()) {
    // Noise levels and degrees of freedom; all else is a part of the state, and normal.
    const bool positive = estimator.layout().find(parameter.name) < 0;
    run.samples.push_back({.quantity = parameter.name,
                           .truth = truth.at(parameter.name),
                           .value = parameter.value,
                           .deviation = parameter.deviation,
                           .positive = positive,
                           .parameter = true,
                           .identified = parameter.status == ParameterStatus::kIdentified});
  }
}

}  // namespace

CalibrationRun calibrate_robot(const CalibrationOptions& options, const EstimatorConfig& config,
                               std::uint64_t seed) {
  // The places of the landmarks depend on the seed alone.
  PlanarSimulatorConfig simulation;
  simulation.seed = seed;
  RobotLog places;
  places.landmarks = PlanarSimulator(simulation).landmarks();
  EstimatorConfig known = config;
  take_landmarks(places, known);
  known.initial.rule = InitialRule::kCall;
  const RobotModel robot = make_robot_model(known);
  PlanarSimulator simulator(draw_robot(known, robot, seed));

  Estimator estimator(known);
  const Gaussian prior = robot.layout.prior();
  Eigen::VectorXd mean = prior.mean.head(robot.motion->state_dim());
  const TruePose& start = simulator.expected_start();
  mean.head<3>() << start.x, start.y, start.yaw;
  estimator.initialise(0, mean, prior.covariance().topLeftCorner(mean.size(), mean.size()));

  CalibrationRun run;
  const Stamp end = std::llround(options.seconds / kSecondsPerNanosecond);
  int compared = 0;
  while (simulator.next_stamp() <= end) {
    const SimulatedMessage message = simulator.next();
    const EstimatorResult& result = estimator.process(message.message);
    if (result.outcome == Outcome::kNumericalFailure) {
      return {.failure = fmt::format("at {:.3f} s: {}", seconds_between(0, message.pose.stamp),
                                     result.reason)};
    }
    // The last time is before the end, for there is a message after it.
    const double due = options.seconds * (compared + 0.9) / options.times;
    if (compared == options.times || seconds_between(0, message.pose.stamp) < due) continue;
    ++compared;
    add_states(estimator, message, run);
  }
  add_parameters(estimator, simulator, run);
  return run;
}

}  // namespace ovf
