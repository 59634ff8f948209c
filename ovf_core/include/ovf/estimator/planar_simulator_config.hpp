#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "ovf/config/schema.hpp"

namespace ovf {

/// How a simulated robot is driven.
enum class Driving {
  kRandom,  ///< velocities drawn anew every few seconds, and back to the middle near a wall
  kTour,    ///< from one drawn waypoint to the next, around and around
};

/// What a simulated robot's controls are.
enum class ControlSource {
  kOdometry,  ///< what the wheels measured over the interval that ends at the stamp
  kCommands,  ///< what the wheels are asked for from the stamp on
};

struct SimulatedDriving {
  Driving pattern = Driving::kRandom;
  double arena_length = 20.0;  ///< along x, around zero
  double arena_width = 14.0;   ///< along y, around zero
  double lowest_speed = -0.2;
  double highest_speed = 1.2;
  double highest_turn_rate = 0.9;
  int waypoints = 8;
  double command_rate = 10.0;
};

/// How the body moves when the wheels turn: what no nominal model knows. With the wheels' forward
/// velocity v and yaw rate w the body has
///   forward    forward_gain v - drag v |v| - turn_loss v |w| + disturbance
///   yaw rate   turn_gain w + disturbance
///   sideways   slip * forward * yaw rate.
struct SimulatedSlip {
  double forward_gain = 0.95;
  double turn_gain = 0.85;
  double slip = 0.15;          ///< in seconds
  double drag = 0.05;          ///< in seconds per metre
  double turn_loss = 0.1;      ///< in seconds per radian
  double response_time = 0.3;  ///< of the wheels to a command, in seconds
  double speed_disturbance = 0.02;
  double turn_disturbance = 0.02;
  double disturbance_time = 1.0;  ///< over which a disturbance is remembered, in seconds
};

/// The motion of a well-specified robot: PlanarMotion with odometry, under the estimator's names.
struct SimulatedMotion {
  double scale = 0.92;
  double turn_scale = 0.88;
  double yaw_rate_bias = -0.01;    ///< at the start, in rad/s
  double yaw_rate_drift = 0.0005;  ///< standard deviation of its change in one second
  double slip = 0.15;              ///< in seconds
  double turn_drag = 0.1;          ///< in seconds
  /// Standard deviations of the white process noise after one second.
  double position_noise = 0.03;
  double angle_noise = 0.02;
  double velocity_noise = 0.05;
  double rate_noise = 0.05;
  /// Standard deviations of the true start around PlanarSimulator::expected_start().
  double start_position = 0.0;
  double start_yaw = 0.0;
};

/// When a sensor speaks. Drop-outs come at random; during one nothing is sent.
struct SimulatedTiming {
  double rate = 10.0;            ///< messages, or looks, per second; 0: the sensor is off
  double drop_out_every = 0.0;   ///< mean time between drop-outs in seconds; 0: there are none
  double drop_out_length = 5.0;  ///< mean, in seconds
};

/// How a sensor's noise is spread beyond its scale.
struct SimulatedTails {
  double nu = 0.0;        ///< degrees of freedom of a Student-t; 0: Gaussian
  double outliers = 0.0;  ///< share of messages that are gross errors
};

/// Velocities as the wheels measure them: scale times theirs, plus bias and noise. Where the
/// controls are commands, only its drop-outs matter.
struct SimulatedOdometry {
  SimulatedTiming timing{.rate = 20.0};
  double nu = 0.0;
  double scale = 1.03;
  double turn_scale = 0.97;
  double yaw_rate_bias = 0.01;
  double speed_noise = 0.01;
  double turn_noise = 0.01;
};

/// Ranges to beacons on the walls, one after the other: scale times the distance, plus a bias of
/// each beacon and noise. An outlier is too long, by an exponentially distributed length.
struct SimulatedUwb {
  SimulatedTiming timing{.rate = 10.0, .drop_out_every = 60.0};
  SimulatedTails tails{.nu = 4.0, .outliers = 0.03};
  int beacons = 6;
  double scale = 1.02;
  double bias = 0.2;         ///< mean over all beacons imaginable
  double bias_spread = 0.1;  ///< standard deviation from beacon to beacon
  double noise = 0.1;
  double outlier_length = 3.0;
};

/// Range and bearing to all landmarks in reach and in the field of view. An outlier is anywhere
/// there.
struct SimulatedCamera {
  SimulatedTiming timing{.rate = 5.0, .drop_out_every = 60.0};
  SimulatedTails tails{.nu = 5.0, .outliers = 0.02};
  int landmarks = 12;
  double reach = 6.0;
  double field_of_view = 2.0;
  double range_scale = 1.0;
  double range_bias = 0.03;
  double bearing_bias = 0.01;
  double range_noise = 0.05;
  double bearing_noise = 0.02;
};

/// Position, with an error that wanders. An outlier is a jump in a random direction, by an
/// exponentially distributed length.
struct SimulatedGnss {
  SimulatedTiming timing{.rate = 2.0, .drop_out_every = 120.0, .drop_out_length = 15.0};
  SimulatedTails tails{.nu = 5.0, .outliers = 0.02};
  double noise = 0.3;
  /// Of a well-specified robot, as the estimator's: noise of standard deviation
  /// sqrt(noise^2 + noise_floor^2).
  double noise_floor = 1.0;
  double wander = 0.3;        ///< standard deviation of the wandering error, in each direction
  double wander_time = 60.0;  ///< over which it is remembered, in seconds
  double outlier_length = 10.0;
};

/// Yaw rate, with a bias that drifts.
struct SimulatedImu {
  SimulatedTiming timing{.rate = 50.0};
  double nu = 0.0;
  double bias = 0.02;
  double bias_drift = 0.0005;  ///< standard deviation of its change in one second
  double noise = 0.01;
};

/// A planar robot among beacons and landmarks. The defaults are a robot with every fault.
struct PlanarSimulatorConfig {
  std::uint64_t seed = 1;
  /// The robot and its sensors are exactly as the estimator of config/planar_all_sensors.yaml
  /// models them (see WellSpecifiedRobot): no outliers, no wandering error, no unmodelled motion.
  bool well_specified = false;
  ControlSource control = ControlSource::kOdometry;
  SimulatedDriving driving;
  SimulatedSlip slip;
  SimulatedMotion motion;
  SimulatedOdometry odometry;
  SimulatedUwb uwb;
  SimulatedCamera camera;
  SimulatedGnss gnss;
  SimulatedImu imu;
};

/// The schema: every field with key, range and meaning.
void visit(ConfigVisitor& visitor, PlanarSimulatorConfig& config);

/// Throws std::invalid_argument naming a value out of its range, or values that do not go together.
void validate(const PlanarSimulatorConfig& config);

/// The defaults with the keys of the text (YAML) applied, and validated.
PlanarSimulatorConfig read_simulator_config(const std::string& text,
                                            const std::string& source_name);
PlanarSimulatorConfig load_simulator_config(const std::filesystem::path& path);

/// A ROS parameter file with every key.
std::string write_simulator_config(const PlanarSimulatorConfig& config,
                                   const std::string& node_name = "ovf_simulator");

}  // namespace ovf
