#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "ovf/learning/parameter_status.hpp"
#include "ovf/learning/update_rule.hpp"
#include "ovf/model/parameters.hpp"

namespace ovf {

/// What one observation says of theta, in natural values: the difference of expectations in
/// Section 3.6 (Eq. 15), an estimate of grad log p(y_t | y^{t-1}), and its expected information
/// (may be empty).
struct ScoreIncrement {
  Eigen::VectorXd gradient;
  Eigen::MatrixXd information;
};

/// theta with its update rule, its transforms, and a switch: freeze keeps the values until resume.
/// Under the second-order rule a positive or bounded parameter moves at most six prior standard
/// deviations from its start, where its status is "at its bound".
class ParameterLearner {
 public:
  ParameterLearner(const LearningConfig& config, ParameterVector start);

  /// One step of theta. False, and theta as it was, while frozen, during the burn-in, or if the
  /// increment is not finite. Allocates nothing.
  bool update(const ScoreIncrement& increment);

  /// Whether the belief of this step may be believed. What is learned from one that may not is in
  /// doubt for ten times as many steps as that lasts, at most ten thousand, and its standard
  /// deviations are then no less than the prior's and the way that theta has come. While its
  /// predictions are overconfident theta is in doubt, too, and no longer.
  void judge_belief(bool sound, bool overconfident);
  bool in_doubt() const { return doubt_ > 0 || overconfident_; }

  bool active() const { return rule_ != nullptr; }
  bool wants_information() const { return config_.rule == LearningRule::kSecondOrder; }
  void freeze() { frozen_ = true; }
  void resume() { frozen_ = false; }
  bool frozen() const { return frozen_; }

  /// Throws std::invalid_argument on a wrong size or a value outside its bounds.
  void set_values(const Eigen::VectorXd& values);
  /// Multiplies the information that has been gathered by a factor in [0, 1].
  void forget(double retained) {
    if (rule_) rule_->forget(retained);
  }
  const Eigen::VectorXd& values() const { return values_; }
  /// Standard deviations of the natural values (delta method); empty where the rule has none.
  Eigen::VectorXd standard_deviations() const;
  /// What is known of each parameter; empty where the rule has no standard deviations.
  std::vector<ParameterStatus> statuses() const;

  void archive(Archive& archive);
  /// The same with their correlations, as if nothing were in doubt.
  Eigen::MatrixXd covariance() const;

 private:
  /// Of the unconstrained number.
  double prior_deviation(int i) const;
  Eigen::VectorXd doubtful_deviations(const Eigen::VectorXd& deviations) const;

  LearningConfig config_;
  ParameterVector parameters_;
  std::unique_ptr<UpdateRule> rule_;
  bool frozen_ = false;
  long steps_ = 0;
  int doubt_ = 0;  // steps
  bool overconfident_ = false;
  Eigen::VectorXd start_, numbers_;
  Eigen::VectorXd lowest_, highest_;  // numbers
  Eigen::VectorXd moved_;
  Eigen::VectorXd values_;
  Eigen::VectorXd slope_;
  Eigen::VectorXd gradient_;
  Eigen::MatrixXd information_;
};

}  // namespace ovf
