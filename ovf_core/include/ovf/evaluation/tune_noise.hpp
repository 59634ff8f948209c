#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ovf/estimator/estimator.hpp"

namespace ovf {

/// The name of the method, beside those of config_of_method.
inline constexpr const char* kTunedMethod = "ekf-tuned";

/// A noise level before and after tuning.
struct TunedNoise {
  std::string name = {};
  double start = 0.0;
  double value = 0.0;
};

struct NoiseTuning {
  /// The extended Kalman filter (config_of_method "ekf") with the noise that was found.
  EstimatorConfig config = {};
  std::vector<TunedNoise> noise = {};
  /// Robust predictive log likelihood of all measurements, at the start and at the end.
  double start_log_likelihood = 0.0;
  double log_likelihood = 0.0;
  /// Runs over the messages.
  int passes = 0;
  /// Whether the search ended by itself, not at the limit of passes.
  bool converged = false;
};

struct NoiseTuningOptions {
  int max_passes = 200;
  /// Called after each pass with the passes done and the best log likelihood so far.
  std::function<void(int passes, double log_likelihood)> progress = {};
};

/// The constant noise of an extended Kalman filter that maximises the likelihood of a recording: of
/// the motion (by kind of state), and of each number of each sensor that has messages. A coordinate
/// search on their logarithms, by factors of 2 down to 1.09, each within a factor of 1000 of the
/// configured one. Drift rates stay as configured: with them, biases that wander explain all.
///
/// The likelihood is that of the innovations, with the gate off and Gaussian noise. Beyond the
/// 0.999 quantile of chi-square, q, NIS enters as q (1 + log(NIS / q)): an outlier has the weight
/// of a measurement at that quantile, and too little noise is never worth while.
///
/// `start` prepares each estimator before its first message (a first belief). Throws
/// std::invalid_argument when the messages bring no measurement that can be used.
NoiseTuning tune_noise(const EstimatorConfig& config, std::vector<Message> messages,
                       const std::function<void(Estimator&)>& start,
                       const NoiseTuningOptions& options = {});

/// The robust log density of one measurement, from its Gaussian one and its NIS.
double robust_log_density(double log_density, double nis, int dim);

}  // namespace ovf
