#pragma once

#include <Eigen/Core>

#include "ovf/filter/inference.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"

namespace ovf {

/// Natural-gradient ascent of E_q[log g + log prediction] + entropy over a Gaussian q:
///     precision <- P^-1 + E[-hess log g],  mean <- mean + precision^-1 (E[grad log g] - P^-1 (mean
///     - m)).
/// One step is the Kalman update for a linear-Gaussian observation. A step that would lower the
/// objective is halved until it does not.
class NaturalGradient final : public Inference {
 public:
  NaturalGradient(const NaturalGradientConfig& config, int dim);

  int optimise(const StateSpaceModel& model, const Gaussian& prediction, ValueRecursion& value,
               StepRecord& record) override;

 private:
  double objective(const Gaussian& prediction, const Gaussian& q, double expected_log_g);
  /// From start_ towards target_precision_ and along direction_; false if the precision on the way
  /// is not positive definite.
  bool move(double rate, Gaussian& q);
  bool assign_precision(Gaussian& q);

  NaturalGradientConfig config_;
  ExpectedDerivatives derivatives_;
  ExpectedDerivatives trial_;
  Eigen::MatrixXd prior_precision_;
  Eigen::MatrixXd precision_;
  Eigen::MatrixXd last_precision_;
  Eigen::MatrixXd target_precision_;
  Eigen::MatrixXd inverse_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd scratch_;
  Eigen::VectorXd offset_;
  Eigen::VectorXd direction_;
  CovarianceFactor precision_factor_;
  Gaussian start_;
};

}  // namespace ovf
