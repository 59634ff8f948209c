#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "ovf/math/random.hpp"
#include "ovf/regression/regressor.hpp"

namespace ovf::test {

/// Standard normal columns.
inline Eigen::MatrixXd normal_matrix(int rows, int cols, std::uint64_t seed) {
  Eigen::MatrixXd values(rows, cols);
  RandomStream(seed).fill_normal(values);
  return values;
}

/// A smooth function with three outputs: sines of fixed directions, plus a constant.
inline Eigen::MatrixXd smooth_function(const Eigen::MatrixXd& x) {
  const Eigen::MatrixXd directions = 0.7 * normal_matrix(3, static_cast<int>(x.rows()), 77);
  Eigen::MatrixXd y = (directions * x).array().sin();
  y.colwise() += Eigen::Vector3d(0.5, -1.0, 2.0);
  return y;
}

inline Eigen::MatrixXd predictions(const Regressor& regressor, const Eigen::MatrixXd& inputs) {
  Eigen::MatrixXd outputs;
  regressor.predict(inputs, outputs);
  return outputs;
}

inline double largest_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

}  // namespace ovf::test
