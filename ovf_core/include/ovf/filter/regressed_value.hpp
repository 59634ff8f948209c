#pragma once

#include <memory>
#include <vector>

#include "ovf/filter/backward_samples.hpp"
#include "ovf/filter/reward.hpp"
#include "ovf/filter/value_recursion.hpp"
#include "ovf/regression/regressed_function.hpp"

namespace ovf {

/// T and V fitted together to samples at every step (Section 3.5, Alg. 2): T is regressed directly,
/// V is one more output of the same fit.
class RegressedValue final : public ValueRecursion {
 public:
  /// `recursive` false: nothing is fitted, the AELBO's rewards are only summed (Eq. 19).
  RegressedValue(const RegressionConfig& config, bool recursive, int lookback, std::uint64_t seed);

  bool state_gradient(const StateSpaceModel& model, const Eigen::MatrixXd& x,
                      Eigen::MatrixXd& out) override;
  double update(const StepView& step) override;
  void commit() override;
  void reject() override { random_ = committed_random_; }
  void archive(Archive& archive, const StateSpaceModel& model) override;

  /// T-target (rows 0 ... d-1) and V-target (row d) at the draws: `samples` go back as far as the
  /// step's chain does.
  void targets(const StepView& step, const BackwardSamples& samples, Eigen::MatrixXd& out);

 private:
  struct Fitted {
    RegressedFunction function;
    double mean_value = 0.0;  // V is fitted around its mean, which grows with t
  };
  double draw_targets(const StepView& step, int count, double inflation);

  RegressionConfig config_;
  bool recursive_;
  RandomStream random_;
  RandomStream committed_random_;
  double total_ = 0.0;
  double next_total_ = 0.0;
  std::vector<std::unique_ptr<Fitted>> fitted_;  // [0] the candidate, [k] of k steps ago
  std::vector<const StepRecord*> current_;       // a chain of the step in hand alone
  BackwardSamples samples_;
  Reward reward_;
  Eigen::MatrixXd targets_, d_from_, d_to_, cotangent_, term_;
  mutable Eigen::MatrixXd predicted_;
  Eigen::VectorXd rewards_;
};

}  // namespace ovf
