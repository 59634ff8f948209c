#pragma once

namespace ovf {

enum class LearningRule {
  kNone,         ///< theta stays as given
  kGradient,     ///< plain gradient steps (Alg. 1, last line)
  kAdam,         ///< Adam on the same gradient, as the paper's program does
  kSecondOrder,  ///< a Gaussian posterior over theta; no step size
};

/// rate * scale / (scale + k^power) for the k-th update (Robbins-Monro); scale 0: constant rate.
struct ScheduleConfig {
  double rate = 0.03;
  double scale = 10.0;
  double power = 0.6;
};

struct LearningConfig {
  LearningRule rule = LearningRule::kNone;
  /// Updates begin after this many steps.
  int burn_in = 5;
  ScheduleConfig schedule;
  /// Second order: standard deviation of the prior over the unconstrained numbers.
  double prior_deviation = 0.5;
  /// Second order: information of the past is multiplied by this at each step; 1 forgets nothing.
  double retention = 1.0;
  /// Second order: longest step, in posterior standard deviations.
  double longest_step = 0.5;
};

/// Throws std::invalid_argument naming the key, the value and what was expected.
void validate(const LearningConfig& config);

}  // namespace ovf
