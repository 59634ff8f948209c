#pragma once

#include "ovf/filter/value_recursion.hpp"
#include "ovf/learning/parameter_learner.hpp"

namespace ovf {

/// What the information of an observation about theta depends on: the belief before the step, the
/// prediction of x_t, and f and g linearised there.
struct PredictionView {
  const Gaussian& belief;
  const Gaussian& prediction;
  const AffineGaussian& transition;
  const AffineGaussian& observation;
};

/// S_t = grad_theta V_t (Prop. 2), and the increment of theta's gradient that it gives.
/// As with ValueRecursion, nothing changes until `commit`.
class ScoreRecursion {
 public:
  virtual ~ScoreRecursion() = default;

  /// E_{q_t}[S_{t-1} + s_t] - E_{q_{t-1}}[S_{t-1}] (Alg. 1, last line), and S_t (Eq. 12).
  virtual void update(const StepView& step, const PredictionView& prediction,
                      ScoreIncrement& increment) = 0;
  virtual void commit() = 0;
  virtual void reject() {}
  virtual void archive(Archive& archive, const StateSpaceModel& model) = 0;
};

}  // namespace ovf
