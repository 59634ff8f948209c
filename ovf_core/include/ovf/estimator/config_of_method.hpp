#pragma once

#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"

namespace ovf {

/// Probability with which a good measurement passes the gate of a Kalman filter where the
/// configuration has no gate.
inline constexpr double kKalmanGate = 0.999;

/// Methods that config_of_method knows.
const std::vector<std::string>& method_names();

/// The same robot, estimated by another method, to compare with. Whatever has a `deviation`
/// (biases, scales, mountings) is estimated along with the state by all of them.
///   ovf       as configured
///   no-learn  theta (noise levels, nu, drift rates, weights) stays as configured
///   ekf       extended Kalman filter: Gaussian noise as configured, one tangent at the prediction,
///             a gate at kKalmanGate where none is configured, errors taken for independent, no
///             learned dynamics, no guard
///   ukf       the same with sigma points (third-degree cubature) instead of tangents
/// Throws std::invalid_argument on another name.
EstimatorConfig config_of_method(const std::string& name, EstimatorConfig config);

}  // namespace ovf
