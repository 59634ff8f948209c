#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "ovf/estimator/messages.hpp"
#include "ovf/math/archive.hpp"
#include "ovf/math/gaussian.hpp"
#include "ovf/model/transition.hpp"

namespace ovf {

/// A belief of some time ago that has moved with the model since, but has seen no message. What it
/// predicts does not share the errors of the last messages, as the belief itself does where errors
/// last: such messages must not be judged by each other.
class HeldOutPrediction {
 public:
  bool running() const { return running_; }
  const Gaussian& belief() const { return belief_; }
  Stamp since() const { return since_; }

  void start(const Gaussian& belief, Stamp stamp);
  void stop() { running_ = false; }
  /// One step of the model; stops if that has no finite result.
  void advance(const Transition& transition, const StepInput& input);

  /// True the first time that it is asked of a sensor and landmark since the start.
  bool first_of(int sensor, int target);

  void archive(Archive& archive, int dim);

 private:
  bool running_ = false;
  Stamp since_ = 0;
  Gaussian belief_;
  std::vector<std::int64_t> judged_;  // sensors and landmarks
  AffineGaussian step_;
  Eigen::VectorXd mean_;
  Eigen::MatrixXd lower_;
  Eigen::MatrixXd covariance_;
};

}  // namespace ovf
