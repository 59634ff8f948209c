#pragma once

#include <Eigen/Core>

#include "ovf/filter/inference.hpp"
#include "ovf/filter/online_variational_filter_config.hpp"

namespace ovf {

/// Natural-gradient ascent of E_q[log g + log prediction] + entropy over a Gaussian q:
///     precision <- P^-1 + E[-hess log g],
///     mean <- mean + precision^-1 (E[grad log g] - P^-1 (mean - m)).
/// One step is the Kalman update for a linear-Gaussian observation. A step that would lower the
/// objective is halved until it does not.
class NaturalGradient final : public Inference {
 public:
  /// `warm`: a step starts at the covariance that the marginal has, not at the prediction's.
  NaturalGradient(const NaturalGradientConfig& config, int dim, bool warm = false);

  int optimise(const StateSpaceModel& model, const Gaussian& prediction, bool restart,
               ValueRecursion& value, StepRecord& record) override;

 private:
  double objective(const Gaussian& prediction, const Gaussian& q, double expected_log_g);
  /// From start_ and curvature_ towards `target`'s curvature and along direction_; false if the
  /// precision on the way is not positive definite.
  bool move(double rate, const ExpectedDerivatives& target, Gaussian& q);
  bool assign_precision(Gaussian& q);

  NaturalGradientConfig config_;
  bool warm_;
  ExpectedDerivatives derivatives_;
  ExpectedDerivatives trial_;
  Eigen::MatrixXd prior_precision_;
  Eigen::MatrixXd curvature_;  // of log g in the precision of q
  Eigen::MatrixXd next_curvature_;
  bool diagonal_curvature_ = false;
  Eigen::MatrixXd precision_;
  CovarianceFactor full_;  // of the precision's inverse; q itself may be a mean field
  Eigen::MatrixXd scratch_;
  Eigen::VectorXd offset_;
  Eigen::VectorXd shift_;
  Eigen::VectorXd direction_;
  Gaussian start_;
};

}  // namespace ovf
