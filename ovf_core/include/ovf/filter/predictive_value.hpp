#pragma once

#include "ovf/filter/joint_variables.hpp"
#include "ovf/filter/lagged_excess.hpp"
#include "ovf/filter/value_recursion.hpp"

namespace ovf {

/// V_t(x) = c_t + log p^(x | y^{t-1}) + log g(y_t | x) - log q_t(x), with the Gaussian prediction
/// p^ as the step found it. That is V_t exactly when the backward kernel is proportional to
/// f q_{t-1} exp(V_{t-1}): then the reward no longer depends on x_{t-1}. What a Gaussian q_t misses
/// of the observation, and what a mean field misses of the prediction, is so kept for the next
/// step, without samples.
class PredictiveValue final : public ValueRecursion {
 public:
  /// `recursive` false: V_{t-1} is dropped from each step, as in the AELBOs (Eq. 19).
  /// Where the posterior is tilted and has no closed forms, the record's draws stand for it.
  /// `lag`: steps until E[log g_k] is taken once more, with what later observations say; 0: never,
  /// and f is taken for its line in the ELBO.
  /// `draws` false: no draws are weighed by the model, so that neither the curvature of f nor a
  /// poor fit is seen.
  PredictiveValue(int dim, bool recursive, int lag, bool draws = true);

  bool state_gradient(const StateSpaceModel& model, const Eigen::MatrixXd& x,
                      Eigen::MatrixXd& out) override;
  const Gaussian& corrected(const StateSpaceModel& model, const Gaussian& belief,
                            const Gaussian& around) override;
  double update(const StepView& step) override;
  LocalWeights weights() const override { return weights_; }
  double variance() const override { return next_variance_; }
  void commit() override;
  void reject() override;
  void archive(Archive& archive, const StateSpaceModel& model) override;

 private:
  /// What V_t needs of a step.
  struct Term {
    bool observed = false;
    Eigen::VectorXd y;
    StepInput input;
    Gaussian prediction;
    Gaussian marginal;

    void archive(Archive& archive, const StateSpaceModel& model);
  };
  double expected_log_likelihood(const StateSpaceModel& model, const Term& term, const Gaussian& x);
  /// Expectations under q_t: of log of what stood before f, f and 1 / q_t(x_{t-1} | x_t); of the
  /// log prediction of x_t; of log g(y_t | x_t) / q_t(x_t).
  struct Parts {
    double past = 0.0;
    double predicted = 0.0;
    double now = 0.0;
  };
  bool is_sharper(const Gaussian& belief);
  Parts closed_form(const StepView& step);
  double expected_past(const StepView& step);
  /// The same as means over weighed draws of the joint posterior.
  Parts parts_of(const StepRecord& record, const JointDraws& draws);
  /// Draws of the step's Gaussians, weighed by the model.
  void draw(const StepView& step);
  void draw_previous(const StepRecord& record);
  double lagged_correction(const StepView& step);
  bool is_approximate(const StepView& step) const;
  /// E[log f - log of its line].
  double expected_curvature(const StepView& step);

  bool recursive_;
  bool has_draws_;
  bool corrects_;          // the ELBO, for what lines and expansions miss
  double constant_ = 0.0;  // c_{t-1}; the sum of rewards if not recursive
  double next_constant_ = 0.0;
  double variance_ = 0.0;
  double next_variance_ = 0.0;
  LocalWeights weights_;
  long count_ = 0;  // of steps
  RandomStream random_, committed_random_;
  Term last_, next_;
  LaggedExcess lagged_;
  ObservationSite site_;  // of the last observation, in the prediction
  bool has_site_ = false;
  double excess_ = 0.0;
  double curvature_ = 0.0;  // of f: log f less that of its line, root mean square, of late
  double next_curvature_ = 0.0;
  double curvature_now_ = 0.0;  // its mean; 0 where it is negligible

  JointVariables joint_;
  Gaussian smoothed_;
  Gaussian corrected_;
  ExpectedDerivatives derivatives_;
  Eigen::MatrixXd precision_, inverse_, scratch_, term_;
  Eigen::MatrixXd spread_;  // dimension x 2 dimensions
  Eigen::VectorXd information_, shift_;
  JointDraws draws_;
  Eigen::MatrixXd normals_, residual_;
  Eigen::VectorXd values_;
  Eigen::VectorXd nothing_;  // no observation
};

}  // namespace ovf
