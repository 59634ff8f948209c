#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "ovf/config/yaml.hpp"
#include "ovf/estimator/planar_simulator_config.hpp"

// As in the filter's schema, each struct is taken apart into all of its members.
namespace ovf {
namespace {

constexpr NumberRange kRate{.lowest = 0.0, .highest = 1000.0};
constexpr NumberRange kShare{.lowest = 0.0, .highest = 1.0};
constexpr NumberRange kLength{.lowest = 0.0, .highest = 1e4};
constexpr NumberRange kSpread{.lowest = 0.0, .highest = 1e3};
constexpr NumberRange kBias{.lowest = -1e3, .highest = 1e3};
constexpr NumberRange kGain{.lowest = 0.1, .highest = 10.0};
constexpr NumberRange kSeconds{.lowest = 1e-3, .highest = 1e6};
constexpr NumberRange kNu{.lowest = 0.0, .highest = 1e3};

void visit(ConfigVisitor& visitor, SimulatedDriving& config) {
  auto& [pattern, length, width, lowest_speed, highest_speed, turn_rate, waypoints, rate] = config;
  visitor.choice("pattern", pattern, {{"random", Driving::kRandom}, {"tour", Driving::kTour}},
                 "Velocities drawn every few seconds, or drawn waypoints one after the other.");
  visitor.field("arena_length", length, {1.0, 1e4}, "Of the arena along x, in metres.");
  visitor.field("arena_width", width, {1.0, 1e4}, "Of the arena along y, in metres.");
  visitor.field("lowest_speed", lowest_speed, {-100.0, 100.0},
                "Lowest forward velocity that is asked for, in m/s.");
  visitor.field("highest_speed", highest_speed, {0.01, 100.0},
                "Highest forward velocity that is asked for, in m/s.");
  visitor.field("highest_turn_rate", turn_rate, {0.01, 10.0},
                "Highest yaw rate that is asked for, in rad/s.");
  visitor.field("waypoints", waypoints, {2, 1000}, "Of a tour.");
  visitor.field("command_rate", rate, {1.0, 100.0}, "New commands per second.");
}

void visit(ConfigVisitor& visitor, SimulatedSlip& config) {
  auto& [forward_gain, turn_gain, slip, drag, turn_loss, response_time, speed_disturbance,
         turn_disturbance, disturbance_time] = config;
  visitor.field("forward_gain", forward_gain, kGain, "Forward velocity per unit of the wheels'.");
  visitor.field("turn_gain", turn_gain, kGain, "Yaw rate per unit of the wheels'.");
  visitor.field("slip", slip, {-10.0, 10.0},
                "Sideways velocity per forward velocity and yaw rate, in s.");
  visitor.field("drag", drag, {0.0, 10.0}, "Loss of forward velocity v, per v abs(v), in s/m.");
  visitor.field("turn_loss", turn_loss, {0.0, 10.0},
                "Share of the forward velocity lost per yaw rate, in s/rad.");
  visitor.field("response_time", response_time, {1e-3, 10.0},
                "Of the wheels to a command, in seconds.");
  visitor.field("speed_disturbance", speed_disturbance, kSpread,
                "Standard deviation of a wandering forward velocity, in m/s.");
  visitor.field("turn_disturbance", turn_disturbance, kSpread,
                "Standard deviation of a wandering yaw rate, in rad/s.");
  visitor.field("disturbance_time", disturbance_time, kSeconds,
                "Time over which these are remembered, in seconds.");
}

void visit(ConfigVisitor& visitor, SimulatedMotion& config) {
  auto& [scale, turn_scale, yaw_rate_bias, yaw_rate_drift, slip, turn_drag, position_noise,
         angle_noise, velocity_noise, rate_noise, start_position, start_yaw] = config;
  visitor.field("scale", scale, kGain,
                "With well_specified, as all of motion: true forward velocity per control.");
  visitor.field("turn_scale", turn_scale, kGain, "True yaw rate per unit of the control's.");
  visitor.field("yaw_rate_bias", yaw_rate_bias, {-10.0, 10.0}, "At the start, in rad/s.");
  visitor.field("yaw_rate_drift", yaw_rate_drift, {0.0, 1.0},
                "Standard deviation of its change in one second, in rad/s.");
  visitor.field("slip", slip, {-10.0, 10.0},
                "Sideways velocity per forward velocity and yaw rate, in s.");
  visitor.field("turn_drag", turn_drag, {-10.0, 10.0},
                "exp(-turn_drag abs(yaw rate of the control)) scales the forward velocity, in s.");
  visitor.field("position_noise", position_noise, kSpread,
                "Standard deviation of the process noise after one second, in metres.");
  visitor.field("angle_noise", angle_noise, kSpread, "The same of the yaw, in radians.");
  visitor.field("velocity_noise", velocity_noise, kSpread, "The same of the velocity, in m/s.");
  visitor.field("rate_noise", rate_noise, kSpread, "The same of the yaw rate, in rad/s.");
  visitor.field("start_position", start_position, kSpread,
                "Standard deviation of the true start in x and y, in metres.");
  visitor.field("start_yaw", start_yaw, kSpread,
                "Standard deviation of the true start in yaw, in radians.");
}

void visit(ConfigVisitor& visitor, SimulatedTiming& config) {
  auto& [rate, every, length] = config;
  visitor.field("rate", rate, kRate, "Per second; 0.0: the sensor is off.");
  visitor.field("drop_out_every", every, {0.0, 1e6},
                "Mean time between drop-outs, in seconds; 0.0: there are none.");
  visitor.field("drop_out_length", length, kSeconds, "Mean length of a drop-out, in seconds.");
}

void visit_nu(ConfigVisitor& visitor, double& nu) {
  visitor.field("nu", nu, kNu, "Degrees of freedom of Student-t noise; 0.0: Gaussian.");
}

void visit(ConfigVisitor& visitor, SimulatedTails& config) {
  auto& [nu, outliers] = config;
  visit_nu(visitor, nu);
  visitor.field("outliers", outliers, kShare, "Share of messages that are gross errors.");
}

void visit(ConfigVisitor& visitor, SimulatedOdometry& config) {
  auto& [timing, nu, scale, turn_scale, yaw_rate_bias, speed_noise, turn_noise] = config;
  visit(visitor, timing);
  visit_nu(visitor, nu);
  visitor.field("scale", scale, kGain, "Measured forward velocity per unit of the wheels'.");
  visitor.field("turn_scale", turn_scale, kGain, "Measured yaw rate per unit of the wheels'.");
  visitor.field("yaw_rate_bias", yaw_rate_bias, {-10.0, 10.0}, "Added to it, in rad/s.");
  visitor.field("speed_noise", speed_noise, kSpread, "Scale of the noise, in m/s.");
  visitor.field("turn_noise", turn_noise, kSpread, "Scale of the noise, in rad/s.");
}

void visit(ConfigVisitor& visitor, SimulatedUwb& config) {
  auto& [timing, tails, beacons, scale, bias, bias_spread, noise, outlier_length] = config;
  visit(visitor, timing);
  visit(visitor, tails);
  visitor.field("beacons", beacons, {1, 100}, "On the walls.");
  visitor.field("scale", scale, kGain, "Measured range per distance.");
  visitor.field("bias", bias, kBias, "Mean bias of beacons, in metres.");
  visitor.field("bias_spread", bias_spread, kSpread, "Standard deviation among them, in metres.");
  visitor.field("noise", noise, kSpread, "Scale of the noise, in metres.");
  visitor.field("outlier_length", outlier_length, kLength,
                "By how much an outlier is too long, on average, in metres.");
}

void visit(ConfigVisitor& visitor, SimulatedCamera& config) {
  auto& [timing, tails, landmarks, reach, field_of_view, range_scale, range_bias, bearing_bias,
         range_noise, bearing_noise] = config;
  visit(visitor, timing);
  visit(visitor, tails);
  visitor.field("landmarks", landmarks, {1, 10000}, "In the arena.");
  visitor.field("reach", reach, {0.01, 1e4}, "Farthest landmark that is seen, in metres.");
  visitor.field("field_of_view", field_of_view, {0.01, 6.2831853}, "Full angle, in radians.");
  visitor.field("range_scale", range_scale, kGain, "Measured range per distance.");
  visitor.field("range_bias", range_bias, kBias, "Added to it, in metres.");
  visitor.field("bearing_bias", bearing_bias, {-3.15, 3.15}, "Added to the bearing, in radians.");
  visitor.field("range_noise", range_noise, kSpread, "Scale of the noise, in metres.");
  visitor.field("bearing_noise", bearing_noise, kSpread, "Scale of the noise, in radians.");
}

void visit(ConfigVisitor& visitor, SimulatedGnss& config) {
  auto& [timing, tails, noise, noise_floor, wander, wander_time, outlier_length] = config;
  visit(visitor, timing);
  visit(visitor, tails);
  visitor.field("noise", noise, kSpread, "Scale of the noise, in metres.");
  visitor.field("noise_floor", noise_floor, kSpread,
                "With well_specified: added to it as the root of the sum of squares, in metres.");
  visitor.field("wander", wander, kSpread,
                "Standard deviation of a wandering error in each direction, in metres.");
  visitor.field("wander_time", wander_time, kSeconds,
                "Time over which it is remembered, in seconds.");
  visitor.field("outlier_length", outlier_length, kLength,
                "How far an outlier is off, on average, in metres.");
}

void visit(ConfigVisitor& visitor, SimulatedImu& config) {
  auto& [timing, nu, bias, bias_drift, noise] = config;
  visit(visitor, timing);
  visit_nu(visitor, nu);
  visitor.field("bias", bias, {-10.0, 10.0}, "Of the yaw rate at the start, in rad/s.");
  visitor.field("bias_drift", bias_drift, {0.0, 1.0},
                "Standard deviation of its change in one second, in rad/s.");
  visitor.field("noise", noise, kSpread, "Scale of the noise, in rad/s.");
}

}  // namespace

void visit(ConfigVisitor& visitor, PlanarSimulatorConfig& config) {
  auto& [seed, well_specified, control, driving, slip, motion, odometry, uwb, camera, gnss, imu] =
      config;
  visitor.field("seed", seed, "Of everything that is drawn.");
  visitor.field("well_specified", well_specified,
                "Robot and sensors are exactly as config/planar_all_sensors.yaml models them.");
  visitor.choice("control", control,
                 {{"odometry", ControlSource::kOdometry}, {"commands", ControlSource::kCommands}},
                 "What the controls in the log are.");
  visitor.group("driving", driving, visit);
  visitor.group("slip", slip, visit);
  visitor.group("motion", motion, visit);
  visitor.group("odometry", odometry, visit);
  visitor.group("uwb", uwb, visit);
  visitor.group("camera", camera, visit);
  visitor.group("gnss", gnss, visit);
  visitor.group("imu", imu, visit);
}

void validate(const PlanarSimulatorConfig& config) {
  // The ranges are in the schema, and reading is what checks them.
  PlanarSimulatorConfig copy = config;
  read_yaml(write_simulator_config(config), "the simulator's configuration",
            [&](ConfigVisitor& visitor) { visit(visitor, copy); });

  const SimulatedDriving& driving = config.driving;
  const auto refuse = [](const std::string& reason) { throw std::invalid_argument(reason); };
  if (driving.lowest_speed > driving.highest_speed ||
      -driving.lowest_speed > driving.highest_speed) {
    refuse(fmt::format(
        "driving.lowest_speed is {}; expected at most driving.highest_speed ({}), backwards too",
        driving.lowest_speed, driving.highest_speed));
  }
  // Two seconds to turn back before each wall, and as much between.
  const double shortest = 8.0 * driving.highest_speed;
  if (driving.arena_length < shortest || driving.arena_width < shortest) {
    refuse(
        fmt::format("driving.arena_length and arena_width are {} and {}; expected at least 8 "
                    "seconds of driving.highest_speed, {}",
                    driving.arena_length, driving.arena_width, shortest));
  }
  const std::pair<const char*, const SimulatedTiming*> sensors[] = {
      {"odometry", &config.odometry.timing},
      {"uwb", &config.uwb.timing},
      {"camera", &config.camera.timing},
      {"gnss", &config.gnss.timing},
      {"imu", &config.imu.timing}};
  for (const auto& [name, timing] : sensors) {
    if (timing->rate > 0.0 && timing->rate < 1e-3) {
      refuse(fmt::format("{}.rate is {}; expected 0 or at least 0.001", name, timing->rate));
    }
    if (timing->drop_out_every > 0.0 && timing->drop_out_every < 1.0) {
      refuse(fmt::format("{}.drop_out_every is {}; expected 0 or at least 1", name,
                         timing->drop_out_every));
    }
  }
  if (config.control == ControlSource::kOdometry && config.odometry.timing.rate == 0.0) {
    refuse("odometry.rate is 0 while control is odometry; expected a positive rate");
  }
  if (config.well_specified && config.control != ControlSource::kOdometry) {
    refuse("control is commands while well_specified is true; expected odometry");
  }
}

PlanarSimulatorConfig read_simulator_config(const std::string& text,
                                            const std::string& source_name) {
  PlanarSimulatorConfig config;
  read_yaml(text, source_name, [&](ConfigVisitor& visitor) { visit(visitor, config); });
  try {
    validate(config);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", source_name, error.what()));
  }
  return config;
}

PlanarSimulatorConfig load_simulator_config(const std::filesystem::path& path) {
  return read_simulator_config(read_config_file(path), path.string());
}

std::string write_simulator_config(const PlanarSimulatorConfig& config,
                                   const std::string& node_name) {
  PlanarSimulatorConfig copy = config;
  return write_yaml(node_name, [&](ConfigVisitor& visitor) { visit(visitor, copy); });
}

}  // namespace ovf
