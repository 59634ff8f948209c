#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <limits>

#include "ovf/math/archive.hpp"

namespace ovf {

/// What a step depends on besides the states and the observation.
struct StepInput {
  double dt = 1.0;
  Eigen::VectorXd control = {};
  /// That of the step before; empty: there was none.
  Eigen::VectorXd last_control = {};

  /// Factors on the standard deviations of the process noise, state by state; empty: ones.
  Eigen::VectorXd noise_gain = {};

  /// Of several sensors the one that the observation comes from, and of its targets (beacons,
  /// landmarks) the one that it saw.
  int sensor = 0;
  int target = 0;
  /// Lower factor of the noise covariance that came with the observation; empty: none came.
  Eigen::MatrixXd message_noise = {};
  /// An observation whose normalised innovation squared is larger is not used.
  double gate = std::numeric_limits<double>::infinity();

  /// How much of an observation this one counts for, in (0, 1]: the power of its likelihood.
  double weight = 1.0;
  /// The sensor's errors are alike from one observation to the next: neither is its noise learned
  /// from this step, nor is it below what its start value allows.
  bool errors_last = false;

  /// Where the inner loop looks for the state first, say what a network makes of the observation;
  /// empty: at the prediction.
  Eigen::VectorXd start = {};

  /// A state with an orientation holds a rotation vector relative to these: that of x_{t-1} to the
  /// first, that of x_t to the second.
  Eigen::Quaterniond last_reference = Eigen::Quaterniond::Identity();
  Eigen::Quaterniond reference = Eigen::Quaterniond::Identity();

  /// All but the start, which matters to its own step alone.
  void archive(Archive& archive);
};

}  // namespace ovf
