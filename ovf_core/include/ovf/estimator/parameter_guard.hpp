#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// Watches how well each sensor's messages are predicted, and keeps the last parameters with which
/// all was well.
class ParameterGuard {
 public:
  struct Verdict {
    bool collapsed = false;  ///< the log-likelihood fell far below its usual level
    bool changed = false;    ///< innovations are far larger than they should be
    double value = 0.0;
  };

  ParameterGuard(const GuardConfig& config, int sensors, const Eigen::VectorXd& parameters);

  /// A message that was used.
  struct Prediction {
    int sensor = 0;
    double log_likelihood = 0.0;
    double nis = 0.0;      ///< normalised innovation squared
    int dim = 1;           ///< numbers of the innovation
    double seconds = 1.0;  ///< since the sensor's last message
  };
  Verdict watch(const Prediction& message, const Eigen::VectorXd& parameters);
  const Eigen::VectorXd& last_good() const { return last_good_; }
  void archive(Archive& archive);

 private:
  /// Running averages of one sensor.
  struct Level {
    double count = 0.0;
    double usual = 0.0;      ///< log-likelihood, long
    double recent = 0.0;     ///< log-likelihood, over the window
    double nis = 0.0;        ///< per number, over the window
    double usual_nis = 0.0;  ///< per number, long
    double patience = 0.0;   ///< messages to wait before the next verdict
  };

  GuardConfig config_;
  std::vector<Level> levels_;
  Eigen::VectorXd last_good_;
  Eigen::VectorXd candidate_;  // good if all stays well for a window
  double well_for_ = 0.0;      // messages
};

}  // namespace ovf
