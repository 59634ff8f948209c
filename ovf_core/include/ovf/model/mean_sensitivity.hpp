#pragma once

#include <Eigen/Core>

#include "ovf/model/mean_function.hpp"
#include "ovf/model/sensitivity.hpp"

namespace ovf {

/// Columns of left and right that the parameters of a mean take.
int mean_sensitivity_columns(const MeanFunction& mean);

/// How mean and covariance of m_theta(x) move with theta for a Gaussian x, with m and dm/dtheta
/// replaced by their expected lines.
class MeanSensitivity {
 public:
  /// Fills the first columns of `out`, which are zero.
  void add(const MeanFunction& mean, const StepInput& input, const Gaussian& at, Sensitivity& out);

 private:
  Eigen::VectorXd value_;
  Eigen::MatrixXd slope_;
  Eigen::MatrixXd half_;
  Eigen::MatrixXd covariance_;  // of m and x
  Eigen::MatrixXd parameter_value_;
  Eigen::MatrixXd parameter_slope_;
};

}  // namespace ovf
