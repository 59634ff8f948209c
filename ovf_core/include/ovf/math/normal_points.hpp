#pragma once

#include <Eigen/Core>

namespace ovf {

/// Points (columns) and weights that stand for the standard normal of a dimension.
struct NormalPoints {
  Eigen::MatrixXd points;
  Eigen::VectorXd weights;
};

/// Tensor Gauss-Hermite for up to three dimensions; beyond, antithetic quasi-Monte-Carlo whose mean
/// and covariance are exact. Computed once for each dimension.
const NormalPoints& normal_points(int dim);

/// 2 d^2 + 1 points that are exact for polynomials of degree five (McNamee and Stenger, 1967).
const NormalPoints& fifth_degree_points(int dim);

}  // namespace ovf
