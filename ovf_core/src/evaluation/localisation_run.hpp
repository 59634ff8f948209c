#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/evaluation/progress.hpp"

namespace ovf {

/// One moment at which the truth is known.
struct ScoredPose {
  double time = 0.0;  ///< seconds since the first message
  Eigen::Vector2d estimate, truth;
  double yaw_error = 0.0;
  Eigen::Matrix2d covariance;
  double nees = 0.0;  ///< of the position: 2 on average if the uncertainty is right
};

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
  std::vector<ScoredPose> poses = {};
  std::vector<SensorScore> sensors = {};
  std::vector<ParameterTrack> parameters = {};
  std::vector<BeaconError> beacons = {};
  std::vector<double> seconds = {};  ///< spent on each message
  Counters counters;
  double relbo = 0.0;

  double position_rmse() const;
  double yaw_rmse() const;
  double mean_nees() const;
  /// Share of true positions inside the ellipse of this probability.
  double coverage(double probability) const;
};

LocalisationRun run_localisation(const RobotLog& log, const EstimatorConfig& config,
                                 Progress& progress);

}  // namespace ovf
