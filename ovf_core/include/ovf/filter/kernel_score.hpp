#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/backward_samples.hpp"
#include "ovf/filter/reward.hpp"
#include "ovf/filter/value_recursion.hpp"
#include "ovf/math/random.hpp"
#include "ovf/regression/regressed_function.hpp"

namespace ovf {

/// U_t = grad_phi V_t, phi being the parameters of a backward kernel that is the same at all steps
/// (Prop. 4 of the paper's appendix): fitted to samples at every step, as S is.
class KernelScore {
 public:
  KernelScore(const RegressionConfig& config, std::uint64_t seed);

  /// The step begins: E_{q_{t-1}}[U_{t-1}].
  void begin(const StepRecord& record);
  /// gradient += E_{q_t}[U_{t-1}(x_{t-1})] - E_{q_{t-1}}[U_{t-1}(x_{t-1})] by draws of x_{t-1} from
  /// q_t.
  void add_increment(const Eigen::MatrixXd& previous, Eigen::Ref<Eigen::VectorXd> gradient) const;
  /// U_t from U_{t-1} and T_{t-1}, when q_t is final.
  void update(const StepView& step, ValueRecursion& value);
  /// U-target at the draws (parameters x samples), to[n] and the kernel's noise making from[n].
  void targets(const StepView& step, ValueRecursion& value, const Eigen::MatrixXd& to,
               const Eigen::MatrixXd& kernel_noise, Eigen::MatrixXd& out);

  void reject() { random_ = committed_random_; }
  void restart();
  void archive(Archive& archive, int dim, int outputs);

 private:
  void fit(const StepView& step, ValueRecursion& value);

  RegressionConfig config_;
  RandomStream random_;
  RandomStream committed_random_;
  RegressedFunction last_, next_;
  FilterMarginal previous_marginal_;
  Eigen::VectorXd previous_mean_;  // of U_{t-1} under q_{t-1}
  Reward reward_;
  Eigen::MatrixXd noise_, kernel_noise_, to_, from_, d_from_, d_to_, targets_;
  Eigen::MatrixXd one_to_, one_cotangent_, one_noise_;
  mutable Eigen::MatrixXd term_;
};

}  // namespace ovf
