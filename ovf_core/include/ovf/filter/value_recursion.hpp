#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/step_record.hpp"

namespace ovf {

/// What a recursion sees of the step in hand.
struct StepView {
  const StateSpaceModel& model;
  const StepRecord& record;
  /// The step and the ones before it, newest first: as many as the recursions look back.
  const std::vector<const StepRecord*>& chain;
  /// f as the affine conditional that the step worked with; exact for a linear model. Not set at
  /// the first step.
  const AffineGaussian& transition;
};

/// Draws from a step's posterior, weighed by the model: p / q.
struct LocalWeights {
  double efficiency = 1.0;    ///< effective sample size as a share of the draws
  double log_variance = 0.0;  ///< of the logarithms of the weights
};

/// V_t (Prop. 1) and T_t = dV_t/dx_t (Prop. 3): everything the past says about phi_t.
/// `update` works on a candidate; `commit` makes it current, so that a step that fails leaves no
/// trace.
class ValueRecursion {
 public:
  virtual ~ValueRecursion() = default;

  /// T_{t-1} at the columns of x; false where it is zero (nothing is written).
  virtual bool state_gradient(const StateSpaceModel& model, const Eigen::MatrixXd& x,
                              Eigen::MatrixXd& out) = 0;
  /// The Gaussian nearest to q_{t-1} exp(V_{t-1}) where x_{t-1} has the distribution `around`: what
  /// the optimal backward kernel weighs f with.
  virtual const Gaussian& corrected(const StateSpaceModel& /*model*/, const Gaussian& belief,
                                    const Gaussian& /*around*/) {
    return belief;
  }

  /// V_t and T_t from V_{t-1} and T_{t-1} (Eqs. 10 and 14). Returns the ELBO estimate E_{q_t}[V_t].
  virtual double update(const StepView& step) = 0;
  /// Of the last update.
  virtual LocalWeights weights() const { return {}; }
  /// Of the ELBO estimate, by the draws that it rests on.
  virtual double variance() const { return 0.0; }
  virtual void commit() = 0;
  /// The step was refused after all.
  virtual void reject() {}
  /// What is carried from step to step.
  virtual void archive(Archive& archive, const StateSpaceModel& model) = 0;
};

}  // namespace ovf
