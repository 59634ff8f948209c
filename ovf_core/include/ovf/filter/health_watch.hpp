#pragma once

#include "ovf/filter/filter.hpp"
#include "ovf/math/archive.hpp"

namespace ovf {

/// What a step says of the belief.
struct StepSigns {
  long steps = 0;             ///< since the belief started
  double nis = 0.0;           ///< normalised innovation squared
  Eigen::Index dim = 0;       ///< of the observation; 0: there was none
  bool gaussian = false;      ///< its noise is, so that its NIS tells whether predictions are right
  double log_variance = 0.0;  ///< of the local weights, for each dimension of the state
  bool ambiguous = false;     ///< another belief was about as good
};

/// Follows how far observations are from their predictions, how far the posterior is from the
/// Gaussian that stands for it, and how many steps fail.
class HealthWatch {
 public:
  /// A step was taken. An observation counts as far off beyond ten times the expected normalised
  /// innovation squared: heavy tails reach that now and then, a belief that is wrong all the time.
  /// Predictions are overconfident when the NIS of observations with Gaussian noise, of which each
  /// counts for at most four times its expectation, is on average 1.2 over the last 300: 0.92 to 1
  /// is right, and theta that explains the observations nearly as well as the true one shows here
  /// only. A fit is poor when the local weights vary much, on average over the last steps: for each
  /// dimension of the state by more than a quarter. Ambiguity lasts: which of two beliefs is right,
  /// later observations do not tell.
  Health step_taken(const StepSigns& signs);
  /// A step failed numerically. True: too many have, in a row; the belief should start again.
  bool step_failed();
  /// Whether it has started again by itself and not settled since.
  bool restarted() const { return restarted_; }
  void set_restarted();
  void archive(Archive& archive);

 private:
  double far_share_ = 0.0;     // of the observations of late
  double mean_nis_ = 0.0;      // of those with Gaussian noise, for each dimension
  int gaussian_count_ = 0;     // up to the window
  double log_variance_ = 0.0;  // on average, of late
  long ambiguous_until_ = 0;   // steps
  int failures_ = 0;           // in a row
  bool restarted_ = false;
};

}  // namespace ovf
