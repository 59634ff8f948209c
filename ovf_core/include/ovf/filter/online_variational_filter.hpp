#pragma once

#include <Eigen/Core>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "ovf/filter/filter.hpp"
#include "ovf/filter/health_watch.hpp"
#include "ovf/filter/inference.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"
#include "ovf/filter/score_recursion.hpp"
#include "ovf/filter/value_recursion.hpp"
#include "ovf/learning/parameter_learner.hpp"
#include "ovf/posterior/closed_form_kernel.hpp"

namespace ovf {

/// Online variational filtering and parameter learning (Algorithm 1): for each observation, at
/// constant cost and memory, phi_t, then T_t, V_t and S_t, then a step of theta. After many
/// numerical failures in a row the belief starts again by itself, wide, where it was; if that does
/// not help, where it started, and theta with it (StepResult::health says so).
class OnlineVariationalFilter final : public Filter {
 public:
  /// Throws std::invalid_argument on a bad configuration or one that the model cannot serve.
  OnlineVariationalFilter(StateSpaceModel model, const OnlineVariationalFilterConfig& config);

  using Filter::step;
  const StepResult& step(const Eigen::VectorXd& y, const StepInput& input) override;
  const StepResult& skip(const StepInput& input) override;
  const Gaussian& belief() const override { return last().belief(); }
  const Eigen::VectorXd& parameters() const override { return learner_.values(); }

  const StepResult& last_result() const { return result_; }
  /// The last step's q_t(x_t), q_t(x_{t-1} | x_t) and q_{t-1}(x_{t-1}).
  const StepRecord& record() const { return last(); }
  const StateSpaceModel& model() const { return model_; }
  /// What the last observation said of theta; empty when nothing is learned.
  const ScoreIncrement& score_increment() const { return increment_; }
  /// Called after each inner iteration with its number and phi_t as it is then.
  void observe_iterations(IterationObserver observer) { inference_->observe(std::move(observer)); }
  /// Starts anew from this belief of the state, at the next step; theta and what is known of it
  /// stay. Throws std::invalid_argument on another dimension or a covariance that is not definite.
  void restart(const Gaussian& belief);
  /// Moves theta by a score that was found outside of the recursion. False: it did not move.
  bool learn(const ScoreIncrement& increment);
  /// Replaces theta (natural values); what is known of its uncertainty stays.
  void set_parameters(const Eigen::VectorXd& values);
  /// Asked between iterations and passes: true ends the step early with what it has (then
  /// StepResult::cut_short).
  void set_out_of_time(std::function<bool()> out_of_time);
  /// An observation of the next steps with a larger normalised innovation squared counts for less,
  /// as if it were this one.
  void set_innovation_limit(double nis) { innovation_limit_ = nis; }
  /// Freeze, resume, uncertainty of theta.
  ParameterLearner& learner() { return learner_; }
  const ParameterLearner& learner() const { return learner_; }

  /// All that the next steps depend on: after reading they are bit for bit those that would have
  /// followed the writing. Reading throws std::invalid_argument on bytes that are damaged or come
  /// from another model or configuration; the filter is then as it was before. A memory_reader is
  /// for bytes of this very filter.
  void archive(Archive& archive);

 private:
  StepRecord& next() { return *records_[0]; }
  const StepRecord& last() const { return *records_[1]; }

  const StepResult& advance(const Eigen::VectorXd& y, const StepInput& input);
  bool predict_around(const Gaussian& around);
  void measure_innovation();
  const Gaussian& prior_of_state();
  void start_marginal(const Gaussian& prior);
  void assign_kernel();
  bool smooth();
  int infer();
  bool tilt();
  void commit(const StepView& view);
  void judge_belief();
  const StepResult& reject(StepStatus status, const char* reason);
  void begin_from(const Gaussian& belief);
  void restart_wide();
  void archive_state(Archive& archive);
  void archive_settings(Archive& archive);
  void archive_result(Archive& archive);
  void archive_model(Archive& archive);
  void archive_records(Archive& archive);

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
  HealthWatch health_;
  Gaussian first_belief_;  // as it was given
  Eigen::VectorXd first_parameters_;

  int refinements_;
  double innovation_limit_ = std::numeric_limits<double>::infinity();
  bool tilted_;
  std::function<bool()> out_of_time_;
  RandomStream random_;
  RandomStream committed_random_;
  const Gaussian* corrected_ = nullptr;
  Gaussian prediction_;
  Gaussian independent_;  // AELBO-1: the prediction with x_{t-1} taken as independent of x_t
  Gaussian smoothed_;
  AffineGaussian transition_;
  AffineGaussian observation_;
  AffineGaussian closed_form_;
  ClosedFormKernel closed_form_kernel_;
  ScoreIncrement increment_;
  Eigen::MatrixXd covariance_, scratch_;
  CovarianceFactor innovation_factor_;
  Eigen::VectorXd predicted_observation_;
  Eigen::VectorXd whitened_innovation_;
  Gaussian prior_;  // the model's, on its way to or from an archive
  Archive::Bytes backup_;
};

}  // namespace ovf
