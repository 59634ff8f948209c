#pragma once

#include <string>
#include <vector>

#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/evaluation/progress.hpp"
#include "ovf/evaluation/run_evaluation.hpp"

namespace ovf {

/// How one sensor's messages were predicted.
struct SensorScore {
  std::string name = {};
  long used = 0;
  long inside = 0;  ///< innovations inside their ellipse of 95 %
};

/// One learned number over time.
struct ParameterTrack {
  std::string name = {};
  std::vector<double> time, value, deviation;
  ParameterStatus status = ParameterStatus::kNotIdentified;  // at the end
};

/// Range errors of one beacon, in metres: as learned, and as they are.
struct BeaconError {
  int id = 0;
  std::vector<double> learned, truth;
};

struct LocalisationRun {
  RunEvaluation evaluation = {};  ///< with the estimated poses, and their errors
  std::vector<SensorScore> sensors = {};
  std::vector<ParameterTrack> parameters = {};
  std::vector<BeaconError> beacons = {};
  Counters counters = {};
  double relbo = 0.0;
  /// trajectory.tum and trajectory.csv, as a replay writes them.
  std::string tum = {};
  std::string csv = {};

  double position_rmse() const { return evaluation.error.position.rmse; }
  double yaw_rmse() const { return evaluation.error.yaw.rmse; }
  /// Of the position: as large as its numbers are many if the uncertainty is right.
  double mean_nees() const;
  /// Share of true positions inside the 90 % ellipse.
  double coverage() const { return evaluation.nees.front().coverage90; }
};

LocalisationRun run_localisation(const RobotLog& log, const EstimatorConfig& config,
                                 Progress& progress);

}  // namespace ovf
