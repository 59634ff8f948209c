#pragma once

#include <cstdint>
#include <iosfwd>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/planar_simulator_config.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/evaluation/report.hpp"

namespace ovf {

/// How rollouts of one run compare with what happened.
struct RolloutScore {
  double rmse = 0.0;        ///< of the position at the end, in metres
  double coverage90 = 0.0;  ///< share of true positions inside the 90 % ellipse there
  long count = 0;
};

/// Runs an estimator over a log of a planar robot; from `after` seconds on it rolls out twice a
/// second with the commands that are to come, `horizon` seconds ahead.
RolloutScore score_rollouts(const RobotLog& log, const EstimatorConfig& config, bool learning,
                            double after, double horizon);

struct RolloutStudyOptions {
  double learning_seconds = 120.0;
  double test_seconds = 300.0;
  double horizon = 2.0;
  int runs = 3;
  std::uint64_t seed = 1;
};

/// A simulated robot that slips: how far ahead the learned dynamics see, against the same motion
/// without learning.
Report rollout_study(const PlanarSimulatorConfig& simulator, const EstimatorConfig& config,
                     const RolloutStudyOptions& options, std::ostream& stream);

}  // namespace ovf
