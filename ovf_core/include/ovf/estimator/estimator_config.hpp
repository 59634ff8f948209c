#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ovf/config/schema.hpp"
#include "ovf/estimator/rollout.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"
#include "ovf/model/state_layout.hpp"

namespace ovf {

enum class MotionKind { kPlanar, kConstantVelocity, kConstantAcceleration, kRigidBody, kJoints };

enum class ControlKind {
  kNone,
  kOdometry,  ///< planar: forward velocity and yaw rate as the wheels measured them
  kCommand,   ///< planar, joints: velocities that were asked for
  kImu,       ///< rigid body: gyroscope and accelerometer
  kAttitude,  ///< rigid body: thrust and attitude that were commanded (multirotor)
  kBodyRate,  ///< rigid body: thrust and body rates that were commanded (multirotor)
};

/// Whether it is what a multirotor is commanded to do.
constexpr bool is_thrust(ControlKind kind) {
  return kind == ControlKind::kAttitude || kind == ControlKind::kBodyRate;
}

enum class ResidualKind { kNone, kFeatures, kNetwork };

/// Process noise: standard deviations after one second, by kind of state.
struct MotionNoiseConfig {
  double position = 0.05;
  double angle = 0.02;
  double velocity = 0.2;
  double rate = 0.2;
  double acceleration = 0.5;
  bool learn = true;
  /// How far off learned ones may be: one standard deviation, as a factor.
  double factor = 3.0;
  /// Share of it that is left while the control is zero.
  double at_rest = 1.0;
};

/// What no robot of a kind does. A control beyond it is not used.
struct MotionLimits {
  double speed = 100.0;         ///< m/s
  double turn_rate = 50.0;      ///< rad/s, and joints
  double acceleration = 200.0;  ///< m/s^2
};

struct MotionConfig {
  MotionKind kind = MotionKind::kPlanar;
  ControlKind control = ControlKind::kOdometry;
  /// Where controls come from; empty: there are none.
  std::string control_topic = {};
  /// Roll, pitch, yaw from the body to the IMU that drives it; empty: aligned.
  std::vector<double> control_rotation = {};
  double control_timeout = 0.5;
  MotionLimits limits = {};
  double response_time = 0.3;
  double error_time = 0.0;
  LearnedQuantity scale{.value = 1.0};
  LearnedQuantity turn_scale{.value = 1.0};
  LearnedQuantity yaw_rate_bias = {};
  LearnedQuantity slip = {};
  LearnedQuantity turn_drag = {};
  LearnedQuantity gyro_bias = {};
  LearnedQuantity accelerometer_bias = {};
  LearnedQuantity thrust_scale{.value = 20.0};
  LearnedQuantity drag = {};
  LearnedQuantity wind = {};
  LearnedQuantity attitude_lag{.value = 0.2};
  double idle_thrust = 0.05;
  std::vector<std::string> joints = {};
  MotionNoiseConfig noise;
  ResidualKind residual = ResidualKind::kNone;
  /// Units of the hidden layer of a network.
  int residual_units = 8;
  /// How large the learned part may be, in the units of what it adds.
  double residual_deviation = 0.3;
};

enum class SensorKind {
  kPose,
  kPosition,
  kAltitude,
  kVelocity,
  kYaw,
  kTurnRate,
  kImu,
  kRange,
  kRangeBearing,
  kJointPositions,
  kJointVelocities,
  kLinear,
};

/// Where the noise of a message comes from.
enum class NoiseSource {
  kConfigured,  ///< the configured standard deviations, whatever the message says
  kMessage,     ///< the message's covariance; the configured ones where it has none
};

struct SensorConfig {
  std::string name = {};
  /// Where its messages come from; empty: the topic of its name.
  std::string topic = {};
  SensorKind kind = SensorKind::kPosition;
  /// Which of x, y, z (forward, left, up) a position, velocity or turn rate has.
  std::vector<int> axes = {};
  /// Numbers of the landmarks that it can see; empty: all.
  std::vector<int> targets = {};

  NoiseSource noise_source = NoiseSource::kConfigured;
  std::vector<double> noise = {};
  std::vector<double> noise_floor = {};
  bool learn_noise = true;
  /// How far off `noise` may be: one standard deviation, as a factor.
  double noise_factor = 3.0;
  double nu = 0.0;
  bool learn_nu = false;

  /// Where errors are alike from one message to the next they are taken to last for as long as the
  /// motion can be predicted, and at most so long, in seconds; 0: they are taken for independent,
  /// whatever they look like.
  double error_time = 3.0;

  /// Probability with which a good measurement passes; 1: there is no gate.
  double gate = 1.0;
  /// After so many rejections in a row one is let through: then it is the belief that is wrong.
  int gate_patience = 20;
  /// Older messages are not used, in seconds.
  double delay_limit = 1.0;
  /// After this silence an event says so, in seconds.
  double timeout = 2.0;

  LearnedQuantity offset_x = {};
  LearnedQuantity offset_y = {};
  LearnedQuantity offset_z = {};
  LearnedQuantity roll = {};
  LearnedQuantity pitch = {};
  LearnedQuantity yaw = {};
  LearnedQuantity latency = {};
  LearnedQuantity bias = {};
  LearnedQuantity scale{.value = 1.0};
  LearnedQuantity depth = {};
  bool learn_drift = false;
  /// Linear: rows of a matrix over the motion's own states.
  std::vector<double> matrix = {};
};

enum class InitialRule {
  kGiven,        ///< the configured state, at the first message
  kMeasurement,  ///< the first pose or position, the rest as configured
  kCourse,       ///< planar: place and heading from the first positions and the way driven
  kCall,         ///< whatever Estimator::initialise says; nothing is used before it
};

struct InitialConfig {
  InitialRule rule = InitialRule::kGiven;
  /// Of the motion's own states; empty: zeros. One deviation may stand for all.
  std::vector<double> mean = {};
  std::vector<double> deviations = {1.0};
  /// So far the robot drives before its course is known, in metres.
  double course_distance = 5.0;
  /// Noise levels are not learned before place, heading and biases have settled, in seconds.
  double settling_time = 2.0;
};

enum class LatePolicy {
  kDrop,
  kRerun,  ///< go back to the belief before it, and process what came since once more
};

struct StreamConfig {
  LatePolicy late = LatePolicy::kRerun;
  /// Messages that can be gone back over.
  int history = 100;
  /// Messages of all inputs that are older than the newest by more than this mean that the clock
  /// was set back (a recording that starts again), in seconds.
  double clock_jump = 5.0;
  /// A stamp may be ahead of the other inputs and of the receiver's clock by so much, in seconds.
  double ahead_tolerance = 0.5;
  /// Stamps of an input whose clock is off by a constant are corrected by it.
  bool correct_clock_offsets = false;
  bool keep_parameters_on_jump = true;
  /// Longer silences are crossed in steps of this length, in seconds.
  double longest_step = 0.5;
  /// A longer silence counts as this long, in seconds.
  double longest_gap = 60.0;
  /// Per message, in milliseconds; 0: none. Iterations are left out when it is used up.
  double time_budget = 0.0;
};

struct GuardConfig {
  /// Learned parameters fall back to the last good ones when the predictive log-likelihood of a
  /// message falls below its usual level by this many nats, averaged over `window` messages; 0:
  /// off.
  double collapse = 10.0;
  int window = 100;
  /// The window lasts at least so long, in seconds: messages of a fast sensor count less.
  double window_seconds = 20.0;
  /// Growth of the mean normalised innovation squared, over `window` messages against its usual
  /// level, that means an abrupt change; 0: off.
  double change = 1.5;
};

/// What is published, live or in a replay's recording.
struct OutputConfig {
  std::string world_frame = "map";
  std::string body_frame = "base_link";
  /// Of rollouts: how far ahead, in which steps, how often (0: never), all in seconds.
  double rollout_horizon = 2.0;
  double rollout_step = 0.1;
  double rollout_period = 1.0;
  int rollout_paths = 0;
  ControlPlan rollout_plan = ControlPlan::kUnknown;
  /// Seconds between two messages of learned parameters, and of the status.
  double parameters_period = 1.0;
  double status_period = 1.0;

  /// The rollout that is made periodically.
  RolloutRequest rollout() const {
    return {.horizon = rollout_horizon,
            .step = rollout_step,
            .plan = rollout_plan,
            .samples = rollout_paths};
  }
};

struct EstimatorConfig {
  MotionConfig motion;
  InitialConfig initial;
  std::vector<SensorConfig> sensors = {};
  /// Numbers and places of beacons or landmarks.
  std::vector<int> landmark_ids = {};
  std::vector<double> landmark_x = {};
  std::vector<double> landmark_y = {};
  std::vector<double> landmark_z = {};
  /// Latitude, longitude (degrees) and altitude (m) of the world's origin; empty: the first fix.
  std::vector<double> gnss_origin = {};
  OutputConfig output;
  StreamConfig stream;
  GuardConfig guard;
  /// Steps whose smoothed states can be asked for.
  int smoothing_lag = 20;
  /// Lines through sigma points instead of tangents stand for the motion and the sensors, as in an
  /// unscented Kalman filter: only with Gaussian noise and without learning.
  bool sigma_points = false;
  OnlineVariationalFilterConfig filter = default_filter();

  /// fast, learning by the second order.
  static OnlineVariationalFilterConfig default_filter();
};

inline constexpr NameListRange kSensorNames{.longest = 64};

/// The schema. Sensors have to be named before: each is a group of its own name.
void visit(ConfigVisitor& visitor, EstimatorConfig& config);
void visit(ConfigVisitor& visitor, GuardConfig& config);

/// Throws std::invalid_argument naming the key, the value and what was expected.
void validate(const EstimatorConfig& config);

/// Throws std::invalid_argument as read_yaml and validate do, with the source name.
EstimatorConfig read_estimator_config(const std::string& text, const std::string& source_name);
/// The same from a file; also throws std::runtime_error if it cannot be read.
EstimatorConfig load_estimator_config(const std::filesystem::path& path);
/// From several files: keys of a later one replace those of the ones before.
EstimatorConfig load_estimator_config(const std::vector<std::filesystem::path>& paths);
/// The second part of docs/parameters.md.
std::string estimator_parameter_reference();
/// A ROS parameter file with every key; read_estimator_config gives the same configuration back.
std::string write_estimator_config(const EstimatorConfig& config,
                                   const std::string& node_name = "ovf");

}  // namespace ovf
