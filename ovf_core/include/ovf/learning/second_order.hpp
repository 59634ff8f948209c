#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "ovf/learning/update_rule.hpp"

namespace ovf {

/// A Gaussian posterior over the numbers: precision += information, mean += precision^-1 gradient.
/// The score divided by the accumulated Fisher information: statistically efficient, no step size.
/// The prior is never forgotten, so that numbers the data say nothing of keep their spread.
///
/// Information that was gathered far from where a number is now does not hold there. While the
/// scores of a number go on pointing one way, beyond what chance and their own correlation explain,
/// the past of that number is forgotten as far as needed to keep their sum within kDrift standard
/// deviations, and its prior counts for less. So it moves at a steady pace however
/// far it has to go, and is efficient once there.
///
/// Its stated covariance is precision^-1 or the sandwich precision^-1 J precision^-1, whichever is
/// wider, with J the long-run variance of the scores: those that are correlated in time, or larger
/// than the model says, count for less.
class SecondOrder final : public UpdateRule {
 public:
  /// Prior deviations that are positive replace the configured one; empty: none does.
  SecondOrder(const LearningConfig& config, int count,
              const Eigen::VectorXd& prior_deviations = {});

  /// An empty information stands for the outer product of the gradient, cut to the longest step.
  void step(const Eigen::VectorXd& gradient, const Eigen::MatrixXd& information,
            Eigen::VectorXd& numbers) override;
  void forget(double retained) override;
  Eigen::VectorXd standard_deviations() const override;
  void archive(Archive& archive) override;
  Eigen::MatrixXd covariance() const override;
  Eigen::MatrixXd precision() const;

 private:
  /// What remains of a gradient whose step is to be no longer than the limit.
  double cut(const Eigen::VectorXd& gradient);
  void record_score();
  void forget_drift();

  double retention_;
  double longest_step_;
  Eigen::VectorXd prior_precisions_;
  Eigen::MatrixXd information_;
  Eigen::MatrixXd long_run_;  // J, summed over the same past as the information
  Eigen::VectorXd score_sum_;
  Eigen::VectorXd score_count_;
  Eigen::VectorXd recent_;         // sum of the scores of late
  Eigen::VectorXd evidence_;       // sum of the scores while they drift
  Eigen::VectorXd prior_weights_;  // 1, less while the scores contradict the prior
  long first_steps_ = 0;
  double steps_ = 0.0;
  Eigen::VectorXd precisions_;  // the diagonal of precision()
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::MatrixXd next_information_, next_precision_;
  Eigen::LLT<Eigen::MatrixXd> next_factor_;
  Eigen::VectorXd score_, whitened_, retained_;
};

}  // namespace ovf
