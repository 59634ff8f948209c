#pragma once

#include <Eigen/Core>
#include <string>

#include "ovf/model/parameters.hpp"
#include "ovf/model/step_input.hpp"

namespace ovf {

/// Noise of one sensor: r = L D e, with L the factor of the covariance that came with the message
/// (or the identity), D^2 = diag(scales^2 + floors^2) and e a standard normal or a multivariate
/// Student-t with nu degrees of freedom. So a scale is the standard deviation of an entry where
/// messages bring none, and a factor on what they say where they do.
struct SensorNoise {
  Eigen::VectorXd scales;
  /// What learning cannot take away: errors that do not change from message to message look like no
  /// noise at all. Empty: zeros.
  Eigen::VectorXd floors = {};
  bool learn_scales = false;
  /// How far off the scales may be: the prior's standard deviation, as a factor.
  double factor = 3.0;
  /// 0: Gaussian.
  double nu = 0.0;
  bool learn_nu = false;
};

/// Throws std::invalid_argument naming what is empty, not finite or not positive.
void validate(const SensorNoise& noise);

}  // namespace ovf
