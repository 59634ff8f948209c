#pragma once

#include <Eigen/Core>

namespace ovf {

/// Quadrature for a standard normal z: E[h(z)] = sum_k weights_k h(nodes_k), exact for polynomials
/// up to degree 2 n - 1. Nodes ascend and are symmetric about zero.
struct GaussHermite {
  Eigen::VectorXd nodes;
  Eigen::VectorXd weights;
};

/// Throws std::invalid_argument unless 1 <= n <= 128.
GaussHermite gauss_hermite(int n);

}  // namespace ovf
