#pragma once

#include "ovf/filter/joint_variables.hpp"
#include "ovf/filter/value_recursion.hpp"
#include "ovf/math/expected_log_density.hpp"

namespace ovf {

/// V as a quadratic in whitened coordinates, T its gradient: exact for linear-Gaussian models with
/// affine kernels, and the second-order Hermite projection of log g otherwise.
class QuadraticValue final : public ValueRecursion {
 public:
  /// `recursive` false: V_{t-1} is dropped from each step, as in the AELBOs (Eq. 19).
  QuadraticValue(int dim, bool recursive);

  bool state_gradient(const StateSpaceModel& model, const Eigen::MatrixXd& x,
                      Eigen::MatrixXd& out) override;
  double update(const StepView& step) override;
  void commit() override;
  void archive(Archive& archive, const StateSpaceModel& model) override;

  const QuadraticFunctions& value() const { return value_; }

 private:
  void add_observation(const StepView& step);

  bool recursive_;
  double total_ = 0.0;
  double next_total_ = 0.0;
  QuadraticFunctions value_;
  QuadraticFunctions next_value_;
  Gaussian marginal_;
  Gaussian next_marginal_;

  JointVariables joint_;
  ExpectedLogDensity log_density_;
  ExpectedDerivatives derivatives_;
  Eigen::VectorXd variation_;
  Eigen::MatrixXd scratch_;
};

}  // namespace ovf
