#pragma once

#include <memory>
#include <vector>

#include "ovf/filter/backward_samples.hpp"
#include "ovf/filter/score_recursion.hpp"
#include "ovf/regression/regressed_function.hpp"

namespace ovf {

/// S fitted to samples at every step, and theta's gradient from samples (Alg. 2).
class RegressedScore final : public ScoreRecursion {
 public:
  /// `recursive` false: S = 0, as in the AELBOs. `samples`: of each expectation in the increment.
  RegressedScore(const RegressionConfig& config, bool recursive, int lookback, int samples,
                 std::uint64_t seed);

  void update(const StepView& step, const PredictionView& prediction,
              ScoreIncrement& increment) override;
  void commit() override;
  void reject() override { random_ = committed_random_; }
  void archive(Archive& archive, const StateSpaceModel& model) override;

  /// S-target at the draws (parameters x samples).
  void targets(const StepView& step, const BackwardSamples& samples, Eigen::MatrixXd& out);

 private:
  void increment_gradient(const StepView& step, Eigen::VectorXd& gradient);
  void fit(const StepView& step);

  RegressionConfig config_;
  bool recursive_;
  int increment_samples_;
  RandomStream random_;
  RandomStream committed_random_;
  std::vector<std::unique_ptr<RegressedFunction>> fitted_;  // [0] the candidate, [k] k steps ago
  BackwardSamples samples_;
  std::vector<const StepRecord*> current_;
  FilterMarginal previous_;
  Eigen::MatrixXd targets_, term_, noise_, from_;
};

}  // namespace ovf
