#include <fmt/format.h>

#include "ovf/config/parameter_list.hpp"
#include "ovf/estimator/estimator_config.hpp"
#include "ovf/filter/filter_schema.hpp"

// Each struct is taken apart into all of its members: one that is added to the struct does not
// compile here until it is in the schema too.
namespace ovf {
namespace {

constexpr int kMostLandmarks = 1000;
constexpr int kMostNumbers = 1000;
constexpr int kMostHistory = 100'000;
constexpr int kMostJoints = 16;

// `meaning` is what its start value stands for.
void visit_quantity(ConfigVisitor& visitor, LearnedQuantity& quantity, const char* meaning) {
  auto& [value, deviation, drift] = quantity;
  visitor.field("value", value, {}, meaning);
  visitor.field("deviation", deviation, at_least(0.0),
                "How far off it may be (standard deviation); 0: known, not learned.");
  visitor.field("drift", drift, at_least(0.0),
                "How fast it changes (standard deviation after one second).");
}

void visit(ConfigVisitor& visitor, LearnedQuantity& quantity) {
  visit_quantity(visitor, quantity, "Start value.");
}

void visit_thrust_scale(ConfigVisitor& visitor, LearnedQuantity& quantity) {
  visit_quantity(visitor, quantity,
                 "Multirotor: acceleration per unit of commanded thrust, m/s^2: 9.81 divided by "
                 "the thrust that hovers. 1 where thrust is commanded in m/s^2.");
}

void visit_drag(ConfigVisitor& visitor, LearnedQuantity& quantity) {
  visit_quantity(visitor, quantity,
                 "Multirotor: deceleration per unit of airspeed, 1/s; one for each body axis.");
}

void visit_wind(ConfigVisitor& visitor, LearnedQuantity& quantity) {
  visit_quantity(visitor, quantity,
                 "Multirotor: velocity of the air, east and north, m/s; acts through the drag.");
}

void visit_attitude_lag(ConfigVisitor& visitor, LearnedQuantity& quantity) {
  visit_quantity(visitor, quantity,
                 "Multirotor: how late attitude or body rates follow a command, in seconds; one "
                 "for each body axis.");
}

void visit(ConfigVisitor& visitor, MotionNoiseConfig& config) {
  auto& [position, angle, velocity, rate, acceleration, learn, factor_off, at_rest] = config;
  visitor.field("position", position, above(0.0), "Of positions, m after one second.");
  visitor.field("angle", angle, above(0.0), "Of angles, rad after one second.");
  visitor.field("velocity", velocity, above(0.0), "Of velocities, m/s after one second.");
  visitor.field("rate", rate, above(0.0), "Of turn rates, rad/s after one second.");
  visitor.field("acceleration", acceleration, above(0.0),
                "Of accelerations, m/s^2 after one second.");
  visitor.field("learn", learn, "Learn these from the data; the values above are the start.");
  visitor.field(
      "factor", factor_off, above(1.0),
      "How far off they may be when they are learned, as a factor: they are expected within "
      "it in two cases of three, and data overrule it.");
  visitor.field("at_rest", at_rest, factor(),
                "Share of it that is left while the control is zero.");
}

void visit(ConfigVisitor& visitor, MotionLimits& config) {
  auto& [speed, turn_rate, acceleration] = config;
  visitor.field("speed", speed, above(0.0), "Of odometry and commands, in m/s.");
  visitor.field("turn_rate", turn_rate, above(0.0),
                "Of odometry, commands, gyroscopes and joints, in rad/s.");
  visitor.field("acceleration", acceleration, above(0.0),
                "Of an IMU or a thrust, and from one planar control to the next, in m/s^2.");
}

void visit(ConfigVisitor& visitor, MotionConfig& config) {
  auto& [kind, control, control_topic, control_rotation, control_timeout, limits, response_time,
         error_time, scale, turn_scale, yaw_rate_bias, slip, turn_drag, gyro_bias,
         accelerometer_bias, thrust_scale, drag, wind, attitude_lag, idle_thrust, joints, noise,
         residual, residual_units, residual_deviation] = config;
  visitor.choice("kind", kind,
                 {{"planar", MotionKind::kPlanar},
                  {"constant_velocity", MotionKind::kConstantVelocity},
                  {"constant_acceleration", MotionKind::kConstantAcceleration},
                  {"rigid_body", MotionKind::kRigidBody},
                  {"joints", MotionKind::kJoints}},
                 "How the robot moves.");
  visitor.choice("control", control,
                 {{"none", ControlKind::kNone},
                  {"odometry", ControlKind::kOdometry},
                  {"command", ControlKind::kCommand},
                  {"imu", ControlKind::kImu},
                  {"attitude", ControlKind::kAttitude},
                  {"body_rate", ControlKind::kBodyRate}},
                 "What controls are: planar odometry or command, joints command, rigid body imu, "
                 "or thrust with attitude or body_rate as commanded to a multirotor.");
  visitor.field("control_topic", control_topic, "Where controls come from; empty: there are none.");
  visitor.field("control_rotation", control_rotation, {{}, 3},
                "Roll, pitch, yaw from the body to the IMU that drives it, rad; empty: aligned.");
  visitor.field("control_timeout", control_timeout, above(0.0),
                "A control holds for so long after its stamp, and odometry and IMUs for so long "
                "before it, in seconds; beyond that none is known.");
  visitor.group("limits", limits, visit);
  visitor.field("response_time", response_time, above(0.0),
                "Within which velocities follow a command, in seconds.");
  visitor.field(
      "error_time", error_time, at_least(0.0),
      "What odometry misses lasts so long, in seconds: then a gyroscope corrects the way, "
      "too. 0: no longer than a step.");
  visitor.group("scale", scale, visit);
  visitor.group("turn_scale", turn_scale, visit);
  visitor.group("yaw_rate_bias", yaw_rate_bias, visit);
  visitor.group("slip", slip, visit);
  visitor.group("turn_drag", turn_drag, visit);
  visitor.group("gyro_bias", gyro_bias, visit);
  visitor.group("accelerometer_bias", accelerometer_bias, visit);
  visitor.group("thrust_scale", thrust_scale, visit_thrust_scale);
  visitor.group("drag", drag, visit_drag);
  visitor.group("wind", wind, visit_wind);
  visitor.group("attitude_lag", attitude_lag, visit_attitude_lag);
  visitor.field("idle_thrust", idle_thrust, at_least(0.0),
                "Multirotor: with no more commanded thrust than this it stands on the ground, and "
                "the command says nothing of its motion.");
  visitor.field("joints", joints, {kMostJoints}, "Names of the joints.");
  visitor.group("noise", noise, visit);
  visitor.choice("residual", residual,
                 {{"none", ResidualKind::kNone},
                  {"features", ResidualKind::kFeatures},
                  {"network", ResidualKind::kNetwork}},
                 "A part of the dynamics that is learned from nothing.");
  visitor.field("residual_units", residual_units, {1, 100}, "Hidden units of a network.");
  visitor.field("residual_deviation", residual_deviation, above(0.0),
                "How large the weights of the learned part may be.");
}

namespace {

// Clocks never agree exactly and drivers average: where a file or a node's parameters say nothing
// of how late a sensor is, that is learned. In seconds.
constexpr double kLatencyDeviation = 0.1;

// None of its keys has been read yet.
bool has_only_a_name(const SensorConfig& sensor) {
  return sensor.noise.empty() && sensor.topic.empty() && sensor.kind == SensorConfig{}.kind;
}

}  // namespace

void visit(ConfigVisitor& visitor, SensorConfig& config) {
  auto& [name, topic, kind, axes, targets, noise_source, noise, noise_floor, learn_noise,
         noise_factor, nu, learn_nu, error_time, gate, gate_patience, delay_limit, timeout,
         offset_x, offset_y, offset_z, roll, pitch, yaw, latency, bias, scale, depth, learn_drift,
         matrix] = config;
  visitor.field("topic", topic, "Where its messages come from; empty: the topic of its name.");
  visitor.choice("kind", kind,
                 {{"pose", SensorKind::kPose},
                  {"position", SensorKind::kPosition},
                  {"altitude", SensorKind::kAltitude},
                  {"velocity", SensorKind::kVelocity},
                  {"yaw", SensorKind::kYaw},
                  {"turn_rate", SensorKind::kTurnRate},
                  {"imu", SensorKind::kImu},
                  {"range", SensorKind::kRange},
                  {"range_bearing", SensorKind::kRangeBearing},
                  {"joint_positions", SensorKind::kJointPositions},
                  {"joint_velocities", SensorKind::kJointVelocities},
                  {"linear", SensorKind::kLinear}},
                 "What it measures.");
  visitor.field("axes", axes, {{0, 2}, 3},
                "Which of x, y, z it has (position, velocity, turn rate); empty: all that move.");
  visitor.field("targets", targets, {{0}, kMostLandmarks},
                "Numbers of the landmarks that it can see; empty: all.");
  visitor.choice("noise_source", noise_source,
                 {{"configured", NoiseSource::kConfigured}, {"message", NoiseSource::kMessage}},
                 "Where the noise of a message comes from.");
  visitor.field("noise", noise, {above(0.0), kMostNumbers},
                "Standard deviations, or factors on those of the message; one may stand for all.");
  visitor.field("noise_floor", noise_floor, {at_least(0.0), kMostNumbers},
                "Noise that learning cannot take away; empty: none.");
  visitor.field("learn_noise", learn_noise, "Learn the noise; `noise` is the start.");
  visitor.field(
      "noise_factor", noise_factor, above(1.0),
      "How far off `noise` may be when it is learned, as a factor: it is expected within it "
      "in two cases of three (a data sheet is wrong by a factor of three, not of a "
      "hundred). Data overrule it, but noise is not learned below noise / noise_factor where the "
      "errors of neighbouring messages are correlated.");
  visitor.field("nu", nu, {.lowest = 0.0, .highest = 200.0},
                "Degrees of freedom of heavy tails (Student-t), 1 to 200; 0: Gaussian.");
  visitor.field("learn_nu", learn_nu, "Learn nu.");
  visitor.field(
      "error_time", error_time, at_least(0.0),
      "Where the errors of neighbouring messages are correlated, they are assumed to last for as "
      "long as the motion can be predicted as exactly as the sensor measures, and at most this "
      "long, in seconds: all messages of a landmark within that time together say as much as "
      "measurements with the measured correlation. 0: errors are treated as independent.");
  visitor.field("gate", gate, factor(),
                "Probability with which a good measurement passes the gate; 1: no gate.");
  visitor.field("gate_patience", gate_patience, {1, 1'000'000},
                "After so many rejections in a row one is let through.");
  visitor.field("delay_limit", delay_limit, at_least(0.0),
                "Messages that come later than this are not used, in seconds.");
  visitor.field("timeout", timeout, above(0.0), "An event after this silence, in seconds.");
  visitor.group("offset_x", offset_x, visit);
  visitor.group("offset_y", offset_y, visit);
  visitor.group("offset_z", offset_z, visit);
  visitor.group("roll", roll, visit);
  visitor.group("pitch", pitch, visit);
  visitor.group("yaw", yaw, visit);
  visitor.group("latency", latency, visit);
  visitor.group("bias", bias, visit);
  visitor.group("scale", scale, visit);
  visitor.group("depth", depth, visit);
  visitor.field("learn_drift", learn_drift,
                "Learn how fast the biases drift; bias.drift is the start.");
  visitor.field("matrix", matrix, {{}, kMostNumbers},
                "Linear sensor: y = matrix times the motion's states, row by row.");
}

void visit(ConfigVisitor& visitor, InitialConfig& config) {
  auto& [rule, mean, deviations, course_distance, settling_time] = config;
  visitor.choice("rule", rule,
                 {{"given", InitialRule::kGiven},
                  {"measurement", InitialRule::kMeasurement},
                  {"course", InitialRule::kCourse},
                  {"call", InitialRule::kCall}},
                 "Where the first belief comes from.");
  visitor.field("mean", mean, {{}, kMostNumbers}, "Of the motion's states; empty: zeros.");
  visitor.field("deviations", deviations, {above(0.0), kMostNumbers},
                "Of the motion's states; one may stand for all.");
  visitor.field("course_distance", course_distance, above(0.0),
                "Rule course: so far the robot drives before its heading is known, m.");
  visitor.field("settling_time", settling_time, at_least(0.0),
                "Noise levels, nu, drift rates and weights are learned from this time after the "
                "start on, in seconds.");
}

void visit(ConfigVisitor& visitor, OutputConfig& config) {
  auto& [world_frame, body_frame, horizon, step, period, paths, plan, parameters, status] = config;
  visitor.field("world_frame", world_frame, "Frame of the estimates (REP-105: map or odom).");
  visitor.field("body_frame", body_frame, "Frame of the robot.");
  visitor.field("rollout_horizon", horizon, {.lowest = 0.0, .highest = 60.0, .above_lowest = true},
                "How far rollouts look ahead, in seconds.");
  visitor.field("rollout_step", step, {.lowest = 0.01, .highest = 10.0},
                "Time between two of a rollout's states, in seconds.");
  visitor.field("rollout_period", period, at_least(0.0),
                "Time between two rollouts, in seconds; 0: none are made.");
  visitor.field("rollout_paths", paths, {0, 100}, "Paths that are drawn for each.");
  visitor.choice("rollout_plan", plan,
                 {{"unknown", ControlPlan::kUnknown},
                  {"held", ControlPlan::kHeld},
                  {"zero", ControlPlan::kZero}},
                 "What rollouts assume of controls: changes as so far, the last one, none.");
  visitor.field("parameters_period", parameters, above(0.0),
                "Time between two messages of learned parameters, in seconds.");
  visitor.field("status_period", status, above(0.0),
                "Time between two status messages, in seconds.");
}

void visit(ConfigVisitor& visitor, StreamConfig& config) {
  auto& [late, history, clock_jump, ahead_tolerance, correct_clock_offsets, keep_parameters,
         longest_step, longest_gap, time_budget] = config;
  visitor.choice("late", late, {{"drop", LatePolicy::kDrop}, {"rerun", LatePolicy::kRerun}},
                 "What becomes of messages that come out of order.");
  visitor.field("history", history, {1, kMostHistory}, "Messages that can be gone back over.");
  visitor.field("clock_jump", clock_jump, above(0.0),
                "Stamps of all inputs that are older by more than this mean that the clock was set "
                "back, in seconds.");
  visitor.field("ahead_tolerance", ahead_tolerance, above(0.0),
                "A stamp may be ahead of the other inputs and of the clock by so much, in seconds; "
                "one beyond it is not used.");
  visitor.field("correct_clock_offsets", correct_clock_offsets,
                "Correct the stamps of an input whose clock differs from the others by a constant; "
                "otherwise it is only reported.");
  visitor.field("keep_parameters_on_jump", keep_parameters,
                "Keep what was learned when the clock is set back.");
  visitor.field("longest_step", longest_step, above(0.0),
                "Longer silences are crossed in steps of this length, in seconds.");
  visitor.field("longest_gap", longest_gap, above(0.0),
                "A longer silence counts as this long, in seconds.");
  visitor.field(
      "time_budget", time_budget, at_least(0.0),
      "Per message, in milliseconds; iterations are left out when it is used up. 0: none.");
}

}  // namespace

void visit(ConfigVisitor& visitor, GuardConfig& config) {
  auto& [collapse, window, window_seconds, change] = config;
  visitor.field("collapse", collapse, at_least(0.0),
                "Loss of predictive log-likelihood per message, in nats, at which parameters fall "
                "back to the last good ones; 0: never.");
  visitor.field("window", window, {2, 100'000}, "Messages over which this is averaged.");
  visitor.field("window_seconds", window_seconds, above(0.0),
                "The window lasts at least so long: messages of a fast sensor count less.");
  visitor.field(
      "change", change, at_least(0.0),
      "Growth of the mean normalised innovation squared against its usual level that means "
      "an abrupt change; 0: never.");
}

void visit(ConfigVisitor& visitor, EstimatorConfig& config) {
  auto& [motion, initial, sensors, ids, x, y, z, origin, output, stream, guard, smoothing_lag,
         sigma_points, filter] = config;
  visitor.group("motion", motion, visit);
  visitor.group("initial", initial, visit);
  std::vector<std::string> names;
  names.reserve(sensors.size());
  for (const SensorConfig& sensor : sensors) names.push_back(sensor.name);
  visitor.field("sensors", names, kSensorNames, "Their names; each has a group of its name.");
  for (SensorConfig& sensor : sensors) {
    if (has_only_a_name(sensor)) sensor.latency.deviation = kLatencyDeviation;
    visitor.group(sensor.name.c_str(), sensor, visit);
  }
  visitor.field("landmarks.ids", ids, {{0}, kMostLandmarks}, "Numbers of beacons or landmarks.");
  visitor.field("landmarks.x", x, {{}, kMostLandmarks}, "Where they are, m.");
  visitor.field("landmarks.y", y, {{}, kMostLandmarks}, "Where they are, m.");
  visitor.field("landmarks.z", z, {{}, kMostLandmarks}, "Where they are, m; empty: zeros.");
  visitor.field(
      "gnss_origin", origin, {{}, 3},
      "Latitude, longitude (degrees), altitude (m) of the world's origin; empty: the first "
      "fix.");
  visitor.group("output", output, visit);
  visitor.group("stream", stream, visit);
  visitor.group("guard", guard, visit);
  visitor.field("smoothing_lag", smoothing_lag, {0, 10'000},
                "Steps whose smoothed states can be asked for.");
  visitor.field(
      "sigma_points", sigma_points,
      "Lines through sigma points instead of tangents stand for the motion and the sensors, as in "
      "an unscented Kalman filter; only with filter.learning.rule: none and nu: 0.");
  visitor.group("filter", filter, visit);
}

std::string estimator_parameter_reference() {
  EstimatorConfig config;
  config.sensors.emplace_back().name = "SENSOR";
  // The filter's keys have a table of their own.
  std::vector<Parameter> parameters =
      list_parameters([&](ConfigVisitor& visitor) { visit(visitor, config); });
  std::erase_if(parameters,
                [](const Parameter& parameter) { return parameter.key.starts_with("filter."); });
  return "\n## Estimator\n\n"
         "A robot's configuration: these keys, and those above below `filter`. `SENSOR` stands for "
         "each "
         "name in `sensors`.\n\n" +
         parameter_reference(parameters);
}

}  // namespace ovf
