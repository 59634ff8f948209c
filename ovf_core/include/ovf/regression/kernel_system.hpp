#pragma once

#include <Eigen/Core>

#include "ovf/regression/kernel.hpp"

namespace ovf {

/// The linear system K + ridge I of a set of points, solved by a Cholesky factorisation. The
/// squared distances are kept, so that a new bandwidth costs one pass of the kernel and one
/// factorisation. Scalar is float or double.
template <typename Scalar>
class KernelSystem {
 public:
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  void set_points(const Eigen::MatrixXd& points);

  /// False if the matrix is not safely positive definite in this precision; then there is no
  /// factor to solve with.
  bool factorise(KernelKind kind, double bandwidth, double ridge);

  /// Replaces B (P x anything) by (K + ridge I)^-1 B.
  void solve_in_place(Matrix& b) const;

  /// trace(left' (dK / d log bandwidth) right) for left, right of size P x anything.
  double derivative_trace(KernelKind kind, double bandwidth, const Matrix& left,
                          const Matrix& right) const;

 private:
  // Lower triangles.
  Matrix squared_distances_;
  Matrix factor_;
};

}  // namespace ovf
