#pragma once

#include <Eigen/LU>
#include <cmath>

#include "ovf/regression/kernel_ridge.hpp"

namespace ovf::test {

inline KernelRidgeConfig double_config(double bandwidth, double ridge) {
  KernelRidgeConfig config;
  config.bandwidth = bandwidth;
  config.ridge = ridge;
  config.single_precision = false;
  return config;
}

inline Eigen::MatrixXd rbf(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double bandwidth) {
  Eigen::MatrixXd kernel(a.cols(), b.cols());
  for (int i = 0; i < a.cols(); ++i) {
    for (int j = 0; j < b.cols(); ++j) {
      kernel(i, j) = std::exp(-0.5 * (a.col(i) - b.col(j)).squaredNorm() / (bandwidth * bandwidth));
    }
  }
  return kernel;
}

/// R (K + ridge I)^-1 k*, by the inverse.
inline Eigen::MatrixXd textbook(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y,
                                const Eigen::MatrixXd& at, double bandwidth,
                                double diagonal_ridge) {
  Eigen::MatrixXd gram = rbf(x, x, bandwidth);
  gram.diagonal().array() += diagonal_ridge;
  return y * gram.inverse() * rbf(x, at, bandwidth);
}

}  // namespace ovf::test
