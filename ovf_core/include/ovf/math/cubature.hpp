#pragma once

#include <Eigen/Core>

#include "ovf/math/gaussian.hpp"

namespace ovf {

/// Points and weights that stand for a Gaussian: its mean and a pair on each axis of L at
/// +-radius. Exact for polynomials of degree three; in one dimension it is the Gauss-Hermite rule
/// of three points, from three dimensions on the mean has no weight (spherical cubature).
class Cubature {
 public:
  /// Columns 0 to d - 1 lie at mean + radius L_k, d to 2 d - 1 at mean - radius L_k, the last at
  /// the mean. Allocates nothing once sized.
  void assign(const Gaussian& gaussian);

  const Eigen::MatrixXd& points() const { return points_; }
  const Eigen::VectorXd& weights() const { return weights_; }

  /// E[h] of values at the points, one row for each function.
  template <typename Values>
  auto mean(const Values& values) const {
    return values * weights_;
  }
  /// (E[h z'])', z = L^-1 (x - mean): by Stein's lemma the expected gradients are L^-T times it.
  template <typename Values>
  auto with_axes(const Values& values) const {
    const Eigen::Index d = points_.rows();
    return (radius_ * weights_[0]) * (values.leftCols(d) - values.middleCols(d, d)).transpose();
  }

 private:
  double radius_ = 0.0;
  Eigen::MatrixXd points_;
  Eigen::VectorXd weights_;
};

}  // namespace ovf
