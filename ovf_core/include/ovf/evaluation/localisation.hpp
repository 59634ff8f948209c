#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/evaluation/report.hpp"

namespace ovf {

/// The landmarks of a log as those of a configuration, if that has none of its own.
void take_landmarks(const RobotLog& log, EstimatorConfig& config);

struct LocalisationOptions {
  std::string name = "localisation";
  /// One of method_names().
  std::string method = "ovf";
  /// Also with the method no-learn.
  bool compare = false;
};

/// An estimator over the log of a planar robot, one pass, causal: errors against the truth, whether
/// the stated uncertainty is right, what was learned, and what became of the messages. Where
/// initial.rule is call, the first belief is the true pose with the configured deviations.
Report localisation(const RobotLog& log, const EstimatorConfig& config,
                    const LocalisationOptions& options, std::ostream& stream);

}  // namespace ovf
