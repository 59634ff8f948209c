#include "ovf/estimator/estimator_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ovf/config/yaml.hpp"

namespace ovf {
namespace {

constexpr std::array kGroups = {"motion",        "initial",      "sensors", "landmarks",
                                "gnss_origin",   "output",       "stream",  "guard",
                                "smoothing_lag", "sigma_points", "filter"};

[[noreturn]] void fail(const std::string& key, const std::string& value, const char* expected) {
  throw std::invalid_argument(fmt::format("{} is {}; expected {}", key, value, expected));
}

template <typename Check>
void with_source(const std::string& source_name, const Check& check) {
  try {
    check();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", source_name, error.what()));
  }
}

void validate_motion(const MotionConfig& motion) {
  const auto fits = [&] {
    switch (motion.control) {
      case ControlKind::kNone:
        return true;
      case ControlKind::kOdometry:
        return motion.kind == MotionKind::kPlanar;
      case ControlKind::kCommand:
        return motion.kind == MotionKind::kPlanar || motion.kind == MotionKind::kJoints;
      case ControlKind::kImu:
      case ControlKind::kAttitude:
      case ControlKind::kBodyRate:
        return motion.kind == MotionKind::kRigidBody;
    }
    return false;
  };
  if (!fits()) {
    fail("motion.control", "not one that this motion.kind can take",
         "none, or odometry or command (planar), command (joints), imu, attitude or body_rate "
         "(rigid_body)");
  }
  if (is_thrust(motion.control) && motion.thrust_scale.value <= 0.0) {
    fail("motion.thrust_scale.value", fmt::format("{}", motion.thrust_scale.value),
         "a positive number: 9.81 divided by the thrust that hovers");
  }
  if (is_thrust(motion.control) && motion.attitude_lag.value <= 0.0) {
    fail("motion.attitude_lag.value", fmt::format("{}", motion.attitude_lag.value),
         "a positive number of seconds");
  }
  if (motion.control_rotation.size() % 3 != 0) {
    fail("motion.control_rotation", fmt::format("{} numbers", motion.control_rotation.size()),
         "roll, pitch and yaw, or none");
  }
  if (motion.kind == MotionKind::kJoints && motion.joints.empty()) {
    fail("motion.joints", "empty", "the names of the joints");
  }
}

void validate_landmarks(const EstimatorConfig& config) {
  const std::size_t count = config.landmark_ids.size();
  const auto check = [&](const char* key, const std::vector<double>& values, bool may_be_empty) {
    if (values.size() == count || (may_be_empty && values.empty())) return;
    fail(key, fmt::format("{} numbers", values.size()), "as many as landmarks.ids");
  };
  check("landmarks.x", config.landmark_x, false);
  check("landmarks.y", config.landmark_y, false);
  check("landmarks.z", config.landmark_z, true);
  std::vector<int> ids = config.landmark_ids;
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) {
    fail("landmarks.ids", fmt::format("a list with {} twice", *twice), "each number once");
  }
}

void validate_initial(const EstimatorConfig& config) {
  if (config.initial.rule != InitialRule::kCourse) return;
  if (config.motion.kind != MotionKind::kPlanar || config.motion.control == ControlKind::kNone) {
    fail("initial.rule", "course", "motion.kind: planar and a motion.control with it");
  }
}

void validate_plan(const EstimatorConfig& config) {
  if (is_thrust(config.motion.control) && config.output.rollout_plan == ControlPlan::kZero) {
    fail("output.rollout_plan", "zero",
         "held or unknown with a motion.control of a multirotor, which falls without thrust");
  }
}

void validate_origin(const std::vector<double>& origin) {
  const bool fits = origin.empty() || (origin.size() == 3 && std::abs(origin[0]) <= 90.0 &&
                                       std::abs(origin[1]) <= 360.0);
  if (!fits) {
    fail("gnss_origin", fmt::format("[{}]", fmt::join(origin, ", ")),
         "latitude (-90 to 90), longitude and altitude, or none");
  }
}

void validate_name(const std::string& name) {
  if (std::find(kGroups.begin(), kGroups.end(), name) != kGroups.end()) {
    fail("sensors", fmt::format("a list with {}", name),
         "names that are no group of the configuration");
  }
}

void validate_sensor(const SensorConfig& sensor, const std::vector<int>& landmark_ids) {
  validate_name(sensor.name);
  for (const int id : sensor.targets) {
    if (landmark_ids.empty()) break;  // a log may bring them later on
    if (std::find(landmark_ids.begin(), landmark_ids.end(), id) == landmark_ids.end()) {
      fail(sensor.name + ".targets", fmt::format("a list with {}", id), "numbers of landmarks.ids");
    }
  }
  if (sensor.noise.empty()) {
    fail(sensor.name + ".noise", "empty", "one number, or one for each that it measures");
  }
  if (sensor.learn_nu && sensor.nu == 0.0) {
    fail(sensor.name + ".nu", "0", "a start value of 1 to 200 where learn_nu is true");
  }
  if (sensor.nu > 0.0 && sensor.nu < 1.0) {
    fail(sensor.name + ".nu", fmt::format("{}", sensor.nu), "0 or 1 to 200");
  }
  if (sensor.kind == SensorKind::kLinear && sensor.matrix.empty()) {
    fail(sensor.name + ".matrix", "empty", "a row over the motion's states for each number");
  }
}

void validate_sigma_points(const EstimatorConfig& config) {
  if (config.filter.learning.rule != LearningRule::kNone) {
    fail("sigma_points", "true", "filter.learning.rule: none with it");
  }
  for (const SensorConfig& sensor : config.sensors) {
    if (sensor.nu == 0.0) continue;
    fail("sigma_points", fmt::format("true, and {}.nu is {}", sensor.name, sensor.nu),
         "nu: 0 (Gaussian noise) of all sensors with it");
  }
}

// Sets what the text has, and leaves the rest.
void read_onto(const std::string& text, const std::string& source_name, EstimatorConfig& config) {
  const auto names = read_yaml_names(text, source_name, "sensors", kSensorNames);
  std::vector<SensorConfig> sensors;
  for (const std::string& name : names) {
    // Before its keys can be taken for those of a group.
    with_source(source_name, [&] { validate_name(name); });
    const auto known = std::find_if(config.sensors.begin(), config.sensors.end(),
                                    [&](const SensorConfig& s) { return s.name == name; });
    sensors.push_back(known != config.sensors.end() ? *known : SensorConfig{.name = name});
  }
  if (!names.empty()) config.sensors = std::move(sensors);
  read_yaml(text, source_name, [&](ConfigVisitor& visitor) { visit(visitor, config); });
}

}  // namespace

OnlineVariationalFilterConfig EstimatorConfig::default_filter() {
  OnlineVariationalFilterConfig filter = OnlineVariationalFilterConfig::fast();
  filter.learning.rule = LearningRule::kSecondOrder;
  filter.learning.prior_deviation = 1.0;
  filter.elbo_lag = 0;  // the ELBO of a message is to be its own
  return filter;
}

void validate(const EstimatorConfig& config) {
  validate_motion(config.motion);
  validate_initial(config);
  validate_plan(config);
  if (config.sensors.empty()) fail("sensors", "empty", "the name of one sensor or more");
  for (const SensorConfig& sensor : config.sensors) {
    validate_sensor(sensor, config.landmark_ids);
  }
  validate_landmarks(config);
  validate_origin(config.gnss_origin);
  if (config.sigma_points) validate_sigma_points(config);
  validate(config.filter);
}

EstimatorConfig read_estimator_config(const std::string& text, const std::string& source_name) {
  EstimatorConfig config;
  read_onto(text, source_name, config);
  with_source(source_name, [&] { validate(config); });
  return config;
}

EstimatorConfig load_estimator_config(const std::filesystem::path& path) {
  return load_estimator_config(std::vector{path});
}

EstimatorConfig load_estimator_config(const std::vector<std::filesystem::path>& paths) {
  EstimatorConfig config;
  std::string names;
  for (const std::filesystem::path& path : paths) {
    read_onto(read_config_file(path), path.string(), config);
    names += (names.empty() ? "" : ", ") + path.string();
  }
  with_source(names, [&] { validate(config); });
  return config;
}

std::string write_estimator_config(const EstimatorConfig& config, const std::string& node_name) {
  EstimatorConfig copy = config;
  return write_yaml(node_name, [&](ConfigVisitor& visitor) { visit(visitor, copy); });
}

}  // namespace ovf
