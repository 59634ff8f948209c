#pragma once

#include "ovf/estimator/planar_simulator.hpp"

namespace ovf::test {

/// No sensor speaks, and the body does what the wheels do.
inline PlanarSimulatorConfig silent_ideal_robot() {
  PlanarSimulatorConfig config;
  config.slip = {.forward_gain = 1.0,
                 .turn_gain = 1.0,
                 .slip = 0.0,
                 .drag = 0.0,
                 .turn_loss = 0.0,
                 .speed_disturbance = 0.0,
                 .turn_disturbance = 0.0};
  config.odometry.timing = {.rate = 20.0};
  config.uwb.timing = config.camera.timing = config.gnss.timing = config.imu.timing = {.rate = 0.0};
  return config;
}

/// What is drawn without heavy tails and gross errors.
inline constexpr SimulatedTails kGaussian{.nu = 0.0, .outliers = 0.0};

inline double mean(const Eigen::VectorXd& values) { return values.mean(); }
inline double variance(const Eigen::VectorXd& values) {
  return (values.array() - values.mean()).square().mean();
}

inline Eigen::VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace ovf::test
