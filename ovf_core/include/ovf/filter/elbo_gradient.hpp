#pragma once

#include <Eigen/Core>

#include "ovf/filter/reward.hpp"
#include "ovf/filter/value_recursion.hpp"

namespace ovf {

/// The gradient of the objective with respect to phi_t by reparameterised samples, along
/// T_{t-1}(x_{t-1}) dx_{t-1}/dphi + grad_phi r_t (Eq. 13), up to the draws of x_t: what made them
/// (a marginal, a network) takes it from there.
class ElboGradient {
 public:
  /// With path derivatives log q is differentiated through the draws alone: no noise is left at the
  /// optimum. Otherwise entropies have to be added.
  explicit ElboGradient(bool path_derivative) : path_derivative_(path_derivative) {}

  /// For the draws that the noise makes of x_t and x_{t-1}. The kernel's gradient, complete, is
  /// written unless its size is zero.
  void estimate(const StateSpaceModel& model, ValueRecursion& value, const StepRecord& record,
                const Eigen::MatrixXd& noise, const Eigen::MatrixXd& kernel_noise,
                const Eigen::Ref<Eigen::VectorXd>& kernel_gradient);

  /// With respect to each draw of x_t.
  const Eigen::MatrixXd& by_state() const { return d_to_; }
  /// The draws of x_{t-1}; not at the first step.
  const Eigen::MatrixXd& previous() const { return from_; }
  bool path_derivative() const { return path_derivative_; }

 private:
  bool path_derivative_;
  Reward reward_;
  Eigen::MatrixXd from_, to_, d_from_, d_to_, pulled_, term_;
};

}  // namespace ovf
