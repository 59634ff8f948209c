#pragma once

#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"

namespace ovf {

/// What can be compared on the same robot:
///   ovf       as configured
///   no-learn  parameters of the model (noise levels, nu, weights) stay as configured; what is
///             estimated in the state, such as biases and scales, still is
///   ekf       an extended Kalman filter that learns nothing
const std::vector<std::string>& method_names();

/// The configuration of a method for a robot. Throws std::invalid_argument on any other name.
EstimatorConfig config_of_method(const std::string& name, const EstimatorConfig& config);

}  // namespace ovf
