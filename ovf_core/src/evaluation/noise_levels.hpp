#pragma once

#include <set>
#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"

namespace ovf {

/// One number of a configuration that says how large a noise is.
struct NoiseLevel {
  std::string name;
  double* value;
};

/// A noise that stands for all numbers of a sensor becomes one for each.
void expand_noise(EstimatorConfig& config);

/// The noise levels of these sensors, and those that the motion has. They point into the
/// configuration.
std::vector<NoiseLevel> noise_levels(EstimatorConfig& config, const std::set<std::string>& sensors);

}  // namespace ovf
