#pragma once

#include "ovf/filter/innovation_information.hpp"
#include "ovf/filter/joint_variables.hpp"
#include "ovf/filter/score_recursion.hpp"

namespace ovf {

/// S for a posterior that is tilted (TiltedConditional): quadratics as in QuadraticScore, of which
/// expectations are weighted means over the record's draws, free of the bias of a Gaussian q_t.
class TiltedScore final : public ScoreRecursion {
 public:
  TiltedScore(const StateSpaceModel& model, bool with_information);

  void update(const StepView& step, const PredictionView& prediction,
              ScoreIncrement& increment) override;
  void commit() override;
  void reject() override { information_.expire(); }
  void archive(Archive& archive, const StateSpaceModel& model) override;

 private:
  void carry_over(const StepView& step);
  void observe(const StepView& step, Eigen::VectorXd& gradient);
  void predict(const StepView& step);
  void take_moments(const Eigen::MatrixXd& x, const Eigen::VectorXd& weights);
  const Eigen::VectorXd& mean_of(const QuadraticFunctions& score, const Gaussian& coordinates);

  bool with_information_;
  QuadraticFunctions score_, next_score_;
  Eigen::VectorXd mean_score_, next_mean_score_;  // at its own step
  // Of x_t, with its own prediction before it.
  Eigen::VectorXd last_mean_, next_mean_;
  Eigen::MatrixXd last_covariance_, next_covariance_;
  JointVariables joint_;
  InnovationInformation information_;
  Eigen::VectorXd mean_, whitened_mean_, variation_;
  Eigen::MatrixXd covariance_, whitened_covariance_, scratch_;
};

}  // namespace ovf
