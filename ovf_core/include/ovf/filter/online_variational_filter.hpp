#pragma once

#include <Eigen/Core>
#include <memory>
#include <utility>
#include <vector>

#include "ovf/filter/filter.hpp"
#include "ovf/filter/inference.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"
#include "ovf/filter/score_recursion.hpp"
#include "ovf/filter/value_recursion.hpp"
#include "ovf/learning/parameter_learner.hpp"
#include "ovf/posterior/closed_form_kernel.hpp"

namespace ovf {

/// Online variational filtering and parameter learning (Algorithm 1): for each observation, at
/// constant cost and memory, phi_t, then T_t, V_t and S_t, then a step of theta.
class OnlineVariationalFilter final : public Filter {
 public:
  /// Throws std::invalid_argument on a bad configuration or one that the model cannot serve.
  OnlineVariationalFilter(StateSpaceModel model, const OnlineVariationalFilterConfig& config);

  using Filter::step;
  const StepResult& step(const Eigen::VectorXd& y, const StepInput& input) override;
  const StepResult& skip(const StepInput& input) override;
  const Gaussian& belief() const override { return last().marginal.gaussian(); }
  const Eigen::VectorXd& parameters() const override { return learner_.values(); }

  /// The last step's q_t(x_t), q_t(x_{t-1} | x_t) and q_{t-1}(x_{t-1}).
  const StepRecord& record() const { return last(); }
  const StateSpaceModel& model() const { return model_; }
  /// What the last observation said of theta; empty when nothing is learned.
  const ScoreIncrement& score_increment() const { return increment_; }
  /// Called after each inner iteration with its number and phi_t as it is then.
  void observe_iterations(IterationObserver observer) { inference_->observe(std::move(observer)); }
  /// Freeze, resume, uncertainty of theta.
  ParameterLearner& learner() { return learner_; }
  const ParameterLearner& learner() const { return learner_; }

 private:
  StepRecord& next() { return *records_[0]; }
  const StepRecord& last() const { return *records_[1]; }

  const StepResult& advance(const Eigen::VectorXd& y, const StepInput& input);
  bool predict_around(const Gaussian& around);
  void measure_innovation();
  void assign_kernel();
  bool smooth();
  int infer();
  bool tilt();
  void commit();
  const StepResult& reject(StepStatus status, const char* reason);

  StateSpaceModel model_;
  OnlineVariationalFilterConfig config_;
  std::unique_ptr<Inference> inference_;
  std::unique_ptr<Inference> start_;  // null: inference starts at the prediction
  std::unique_ptr<ValueRecursion> value_;
  std::unique_ptr<ScoreRecursion> score_;  // null when nothing is learned
  ParameterLearner learner_;

  std::vector<std::unique_ptr<StepRecord>> records_;  // [0] in work, [k] of k steps ago
  std::vector<const StepRecord*> chain_;
  StepResult result_;

  int refinements_;
  bool tilted_;
  RandomStream random_;
  RandomStream committed_random_;
  const Gaussian* corrected_ = nullptr;
  Gaussian prediction_;
  Gaussian smoothed_;
  AffineGaussian transition_;
  AffineGaussian observation_;
  AffineGaussian closed_form_;
  ClosedFormKernel closed_form_kernel_;
  ScoreIncrement increment_;
  Eigen::MatrixXd covariance_, scratch_;
  CovarianceFactor innovation_factor_;
  Eigen::VectorXd whitened_innovation_;
};

}  // namespace ovf
