#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/score_recursion.hpp"
#include "ovf/math/quadratic_functions.hpp"

namespace ovf {

/// The expected Fisher information of one observation about theta,
///     I_jk = dy_j' C^-1 dy_k + trace(C^-1 dC_j C^-1 dC_k) / 2,
/// with the predicted observation's mean y and covariance C, and for a Student-t what its tails
/// add. How the belief moves with theta is read off S: d mean / d theta_j = L b_j and d covariance
/// / d theta_j = L Q_j L' (Fisher's identity). It depends on the observation's prediction, not on
/// the observation itself; S remembers earlier ones, hence the bound of limit_noise.
class InnovationInformation {
 public:
  /// Sets the increment's information, and scales its gradient as limit_noise says. `score` is
  /// S_{t-1}.
  void apply(const StepView& step, const PredictionView& prediction,
             const QuadraticFunctions& score, ScoreIncrement& increment);

  /// `score` is S_{t-1} in the whitened coordinates of `score_factor`; null at the first step.
  void compute(const StateSpaceModel& model, const StepRecord& record,
               const PredictionView& prediction, const QuadraticFunctions* score,
               const CovarianceFactor& score_factor, Eigen::MatrixXd& information);

  /// Whether that of the last observation does for this one, too: it changes slowly. After the
  /// first hundred observations that of one stands for the next three, where all are of one kind
  /// and no positive parameter has moved by more than a twentieth.
  bool still_holds(const StateSpaceModel& model, const StepInput& input);
  /// The next is computed in any case.
  void expire() { age_ = kMaxAge; }

  /// An observation of m numbers says at most 2 m about the logarithm of a noise level. Where S
  /// says more it is off, as it can be while the belief is: information, and the scores that go
  /// with it, are scaled to that.
  void limit_noise(const ParameterVector& parameters, Eigen::MatrixXd& information);
  const Eigen::VectorXd& limits() const { return limits_; }

  void archive(Archive& archive, const StateSpaceModel& model);

 private:
  static constexpr int kMaxAge = 4;
  static constexpr int kFirst = 100;

  /// C^-1/2 dC_j C^-1/2 += what a conditional's parameters, from `first` on, add directly.
  void add_spread(const Sensitivity& sensitivity, const Eigen::MatrixXd& left,
                  const Eigen::MatrixXd& right, Eigen::Index first);

  int count_ = 0;  // observations, up to kFirst
  int age_ = kMaxAge;
  double dt_ = 0.0;
  Eigen::VectorXd theta_;   // at which it was computed
  Eigen::VectorXd limits_;  // factors on the scores
  Sensitivity transition_;
  Sensitivity observation_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd scratch_;
  CovarianceFactor innovation_;
  Eigen::MatrixXd seen_;        // C^-1/2 G
  Eigen::MatrixXd seen_state_;  // C^-1/2 G F L
  Eigen::MatrixXd mean_;
  Eigen::MatrixXd left_;
  Eigen::MatrixXd right_;
  Eigen::MatrixXd half_;
  Eigen::MatrixXd noise_;
  Eigen::VectorXd share_;       // of the predicted variance that is noise
  std::vector<bool> is_noise_;  // whether a parameter acts on no mean
  std::vector<int> spread_of_;  // the column of spread_ of each parameter, -1 for none
  Eigen::MatrixXd spread_;      // columns: C^-1/2 dC_j C^-1/2 as vectors
  Eigen::MatrixXd gram_;
};

}  // namespace ovf
