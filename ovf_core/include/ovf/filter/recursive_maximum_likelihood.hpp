#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/filter.hpp"
#include "ovf/learning/parameter_learner.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// The exact score of a linear-Gaussian model, observation by observation: the Kalman filter and
/// its derivative with respect to every parameter (the tangent filter).
class TangentKalmanFilter {
 public:
  /// Observations used before this filter's first one count as none: it starts at the prior.
  explicit TangentKalmanFilter(const StateSpaceModel& model);

  /// log p(y_t | y^{t-1}), its gradient and its expected information at the model's current theta.
  /// The model may change between calls. False if the innovation covariance is not positive
  /// definite.
  bool step(StateSpaceModel& model, const Eigen::VectorXd& y);
  /// Time passes, nothing is seen.
  bool predict(StateSpaceModel& model);

  double log_predictive() const { return log_predictive_; }
  const ScoreIncrement& increment() const { return increment_; }
  const Eigen::VectorXd& innovation() const { return innovation_; }
  double nis() const { return nis_; }
  const Gaussian& belief() const { return belief_; }

 private:
  struct Derivatives {
    Eigen::MatrixXd F, U, G, V;
  };
  void differentiate_model(StateSpaceModel& model);
  bool update(StateSpaceModel& model, const Eigen::VectorXd& y);

  bool first_ = true;
  Gaussian belief_;
  std::vector<Eigen::VectorXd> d_mean_;
  std::vector<Eigen::MatrixXd> d_covariance_;
  std::vector<Derivatives> derivatives_;
  double log_predictive_ = 0.0;
  double nis_ = 0.0;
  Eigen::VectorXd innovation_;
  ScoreIncrement increment_;
};

/// RMLE (Eq. 15) with exact expectations: theta follows the exact score by any update rule.
class RecursiveMaximumLikelihood final : public Filter {
 public:
  RecursiveMaximumLikelihood(StateSpaceModel model, const LearningConfig& config);

  using Filter::step;
  const StepResult& step(const Eigen::VectorXd& y, const StepInput& input) override;
  const StepResult& skip(const StepInput& input) override;
  const Gaussian& belief() const override { return filter_.belief(); }
  const Eigen::VectorXd& parameters() const override { return learner_.values(); }
  const ScoreIncrement& increment() const { return filter_.increment(); }
  ParameterLearner& learner() { return learner_; }

 private:
  StateSpaceModel model_;
  ParameterLearner learner_;
  TangentKalmanFilter filter_;
  StepResult result_;
};

/// Batch maximum likelihood by Fisher scoring over all observations (columns): the yardstick for
/// what the online learners can reach. `model` holds the start and, afterwards, the estimate.
struct MaximumLikelihood {
  double log_evidence = 0.0;
  int iterations = 0;
  Eigen::VectorXd standard_deviations;
};
MaximumLikelihood maximise_likelihood(StateSpaceModel& model, const Eigen::MatrixXd& observations,
                                      int iterations = 20);

}  // namespace ovf
