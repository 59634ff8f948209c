#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/evaluation/calibration.hpp"
#include "ovf/evaluation/report.hpp"

namespace ovf {

/// The learner's own prior is what true parameters are drawn from, as far as that is possible.
struct CalibrationOptions {
  int seeds = 40;
  std::uint64_t seed = 1;  ///< of the first
  /// Observations of the linear-Gaussian models and of the chaotic network.
  int steps = 2000;
  /// How long a simulated robot drives.
  double seconds = 120.0;
  /// How often the states are compared with the truth, evenly along a run.
  int times = 10;
  /// "linear", "network", "robot"; empty: all of them.
  std::vector<std::string> only = {};
  /// Runs at the same time; 0: as many as the machine has cores.
  int threads = 0;
};

/// One run of a linear-Gaussian model with one state: F, U and V are learned.
CalibrationRun calibrate_linear(const CalibrationOptions& options, std::uint64_t seed);
/// The same with four states: all of F, and the diagonal of V.
CalibrationRun calibrate_full_linear(const CalibrationOptions& options, std::uint64_t seed);
/// One run of a chaotic network with five states: process noise, and scale and nu of the
/// observations are learned.
CalibrationRun calibrate_network(const CalibrationOptions& options, std::uint64_t seed);
/// One run of a well-specified simulated robot, whose parameters are drawn from the priors of this
/// configuration, and which starts where that is not known better than initial.deviations. Throws
/// std::invalid_argument on a configuration that learns what the simulator does not have.
CalibrationRun calibrate_robot(const CalibrationOptions& options, const EstimatorConfig& config,
                               std::uint64_t seed);

/// Simulation-based calibration: over many seeds, how often do the intervals that filter and
/// learner state hold the true states and parameters? Throws std::invalid_argument on an unknown
/// model in `only`.
Report calibration_study(const CalibrationOptions& options, const EstimatorConfig& robot,
                         std::ostream& progress);

}  // namespace ovf
