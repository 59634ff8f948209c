#pragma once

#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/evaluation/report.hpp"
#include "ovf/evaluation/run_record.hpp"

namespace ovf {

/// What a learned parameter is to be compared with.
struct ParameterReference {
  std::string name;
  double value = 0.0;
  /// "true value", or "batch ML on true residuals".
  std::string source;
  /// Errors are measured in the logarithm, as in CalibrationSample.
  bool positive = false;
};

/// Of all parameters of the configuration that have a reference: the simulator's true values, and
/// the maximum-likelihood noise (noise_references) of sensors whose model is wrong.
std::vector<ParameterReference> parameter_references(const PlanarSimulator& simulator,
                                                     const RobotLog& log,
                                                     const EstimatorConfig& config);

/// The learned parameters that have a reference beside it, with standard deviations and errors in
/// units of them.
Table learned_table(const ParameterSample& learned,
                    const std::vector<ParameterReference>& references);

}  // namespace ovf
