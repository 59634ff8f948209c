#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/math/gaussian.hpp"
#include "ovf/regression/regressor_config.hpp"

namespace ovf {

struct RegressionConfig {
  RegressorConfig regressor;
  /// P: samples per fit.
  int points = 512;
  /// Regress on z = L^-1 (x - mean) of q_t instead of x.
  bool standardise = false;
  /// Inputs are drawn with this multiple of q_t's spread (Appendix A.1: cover a wider region).
  double inflation = 1.0;
  /// Hyper-parameter steps after each fit, and fresh validation samples for each.
  int tune_steps = 25;
  int tune_points = 10;
};

/// Throws std::invalid_argument; keys are named below `prefix`.
void validate(const RegressionConfig& config, const char* prefix);

/// A vector-valued function of the state that starts at zero and is refitted at every step.
class RegressedFunction {
 public:
  explicit RegressedFunction(const RegressionConfig& config);

  /// The next fit starts from what `last` learned of its hyper-parameters.
  void continue_from(const RegressedFunction& last);
  /// Inputs were drawn from around `marginal`, which standardises them.
  void fit(const Gaussian& marginal, const Eigen::MatrixXd& x, const Eigen::MatrixXd& targets);
  void tune(const Eigen::MatrixXd& x, const Eigen::MatrixXd& targets);
  /// False before the first fit: the function is zero there.
  bool fitted() const { return fitted_; }
  /// Must be fitted.
  void evaluate(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const;
  /// The same, but falling to zero where no point was fitted: beyond the reach of the fitted points
  /// around the marginal's mean a regressor only extrapolates.
  void evaluate_within_reach(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const;

  /// Of a state with `dim` dimensions; after reading, tune only after the next fit.
  void archive(Archive& archive, int dim, int outputs);

 private:
  const Eigen::MatrixXd& inputs(const Eigen::MatrixXd& x) const;
  void whiten(const Eigen::MatrixXd& x) const;

  bool standardise_;
  bool fitted_ = false;
  Gaussian marginal_;
  double reach_ = 0.0;  // the longest whitened distance of a fitted point from the mean
  std::unique_ptr<Regressor> regressor_;
  mutable Eigen::MatrixXd whitened_;
};

}  // namespace ovf
