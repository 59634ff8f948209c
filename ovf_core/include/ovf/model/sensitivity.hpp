#pragma once

#include <Eigen/Core>

namespace ovf {

/// Derivatives of an output distribution with mean m and covariance C with respect to parameters:
/// column j of `mean` is dm/dtheta_j, and dC/dtheta_j = left_j right_j' + right_j left_j'.
struct Sensitivity {
  Eigen::MatrixXd mean;
  Eigen::MatrixXd left;
  Eigen::MatrixXd right;

  void set_zero(Eigen::Index dim, Eigen::Index count) {
    mean.setZero(dim, count);
    left.setZero(dim, count);
    right.setZero(dim, count);
  }
};

}  // namespace ovf
