#pragma once

#include <Eigen/Core>

#include "ovf/estimator/messages.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// How far ahead the motion can be predicted as exactly as a sensor measures. The filter averages
/// messages over about this time, so that errors count as lasting for as long as this and no
/// longer. Measured with the predictions of HeldOutPrediction, as an average over many of them.
class PredictionHorizon {
 public:
  /// `longest`: the horizon is no longer than this, in seconds.
  PredictionHorizon(int dim, int targets, double longest);

  /// A new prediction starts.
  void start(Stamp stamp);
  /// A message of this landmark came; the variances of its prediction, in units of the noise.
  void see(int target, Stamp stamp, const Eigen::VectorXd& variances);
  void clear();

  double seconds() const { return seconds_; }

  void archive(Archive& archive);

 private:
  void average(double horizon);

  double longest_;
  double seconds_;
  double count_ = 0.0;  // horizons that were averaged
  bool running_ = false;
  Stamp start_ = 0;
  Stamp last_ = 0;
  Eigen::MatrixXd first_;  // variances of a landmark's first message since then; below 0: none yet
};

}  // namespace ovf
