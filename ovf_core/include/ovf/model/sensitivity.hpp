#pragma once

#include <Eigen/Core>
#include <numeric>
#include <vector>

namespace ovf {

/// Derivatives of an output distribution with mean m and covariance C with respect to parameters:
/// column j of `mean` is dm/dtheta_j, and dC/dtheta_j is the sum of
/// left_k right_k' + right_k left_k' over the columns k that belong to parameter j.
struct Sensitivity {
  Eigen::MatrixXd mean;
  Eigen::MatrixXd left;
  Eigen::MatrixXd right;
  std::vector<int> parameter;  ///< of each column of left and right

  /// Zeros, and `columns` of left and right that belong to no parameter yet.
  void set_zero(Eigen::Index dim, Eigen::Index count, Eigen::Index columns) {
    mean.setZero(dim, count);
    left.setZero(dim, columns);
    right.setZero(dim, columns);
    parameter.assign(static_cast<std::size_t>(columns), 0);
  }
  /// Zeros, and one column for each parameter.
  void set_zero(Eigen::Index dim, Eigen::Index count) {
    set_zero(dim, count, count);
    std::iota(parameter.begin(), parameter.end(), 0);
  }
};

}  // namespace ovf
