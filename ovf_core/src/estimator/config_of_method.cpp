#include "ovf/estimator/config_of_method.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace ovf {
namespace {

// Nats that the ELBO may lose in a step: no line search shortens the step of a Kalman filter.
constexpr double kAnyLoss = 1e300;

EstimatorConfig as_kalman_filter(EstimatorConfig config) {
  config.filter = EstimatorConfig::default_filter();
  config.filter.learning.rule = LearningRule::kNone;
  config.filter.natural_gradient = {.iterations = 1, .tolerance = kAnyLoss, .refinements = 0};
  config.guard.collapse = config.guard.change = 0.0;
  config.motion.noise.learn = false;
  config.motion.residual = ResidualKind::kNone;
  for (SensorConfig& sensor : config.sensors) {
    sensor.learn_noise = sensor.learn_nu = sensor.learn_drift = false;
    sensor.nu = 0.0;
    sensor.error_time = 0.0;
    if (sensor.gate == 1.0) sensor.gate = kKalmanGate;
  }
  return config;
}

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> kNames = {"ovf", "no-learn", "ekf", "ukf"};
  return kNames;
}

EstimatorConfig config_of_method(const std::string& name, EstimatorConfig config) {
  if (name == "ovf") return config;
  if (name == "no-learn") {
    config.filter.learning.rule = LearningRule::kNone;
    return config;
  }
  if (name == "ekf" || name == "ukf") {
    config = as_kalman_filter(std::move(config));
    config.sigma_points = name == "ukf";
    return config;
  }
  throw std::invalid_argument(
      fmt::format("method {}; expected {}", name, fmt::join(method_names(), ", ")));
}

}  // namespace ovf
