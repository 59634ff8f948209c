#pragma once

#include <Eigen/Core>
#include <cmath>

namespace ovf::test {

/// h(x) = sum_i (sin(x_i + i) + 0.3 x_i x_{i-1}): smooth, with mixed derivatives.
inline double wavy(const Eigen::VectorXd& x) {
  double value = 0.0;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    value += std::sin(x[i] + static_cast<double>(i)) + (i > 0 ? 0.3 * x[i] * x[i - 1] : 0.0);
  }
  return value;
}

/// Its mean over the columns.
inline double wavy_mean(const Eigen::MatrixXd& x) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < x.cols(); ++i) sum += wavy(x.col(i));
  return sum / static_cast<double>(x.cols());
}

/// Its gradient at each column.
inline Eigen::MatrixXd wavy_gradient(const Eigen::MatrixXd& x) {
  Eigen::MatrixXd gradient(x.rows(), x.cols());
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      gradient(i, j) = std::cos(x(i, j) + static_cast<double>(i)) +
                       (i > 0 ? 0.3 * x(i - 1, j) : 0.0) +
                       (i + 1 < x.rows() ? 0.3 * x(i + 1, j) : 0.0);
    }
  }
  return gradient;
}

}  // namespace ovf::test
