#pragma once

#include <Eigen/Core>
#include <string>
#include <utility>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/model/sensor_noise.hpp"

namespace ovf {

/// Maximum-likelihood noise of residuals.
struct NoiseFit {
  /// As SensorNoise's: the standard deviations (scales of a Student-t) are
  /// sqrt(scales^2 + floors^2). Zero where the floor alone is already too much.
  Eigen::VectorXd scales = {};
  /// 0: Gaussian.
  double nu = 0.0;
  double log_likelihood = 0.0;
};

/// Scales, and degrees of freedom if they are learned, that maximise the likelihood of the
/// residuals (a column for each message) as the model of a sensor has it: floors, Gaussian or
/// Student-t noise and a fixed nu are those of `noise`. nu lies between lowest_nu and highest_nu.
/// Throws std::invalid_argument when there are no residuals, or their dimension is not the noise's.
NoiseFit fit_noise(const Eigen::MatrixXd& residuals, const SensorNoise& noise, double lowest_nu,
                   double highest_nu);

/// Reference values of the noise levels and degrees of freedom that an estimator with this
/// configuration learns from a simulated log, under its names: the maximum-likelihood values on the
/// true residuals y - RobotLog::noise_free, outliers and wandering errors included. Sensors without
/// messages are left out. Throws std::invalid_argument on a log that is not of a simulation.
std::vector<std::pair<std::string, double>> noise_references(const RobotLog& log,
                                                             const EstimatorConfig& config);

}  // namespace ovf
