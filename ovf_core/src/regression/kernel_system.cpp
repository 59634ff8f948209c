#include "ovf/regression/kernel_system.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ovf {
namespace {

template <typename Matrix>
auto as_array(Matrix& matrix) {
  using Scalar = typename Matrix::Scalar;
  return Eigen::Map<Eigen::Array<Scalar, Eigen::Dynamic, 1>>(matrix.data(), matrix.size());
}

}  // namespace

template <typename Scalar>
void KernelSystem<Scalar>::set_points(const Eigen::MatrixXd& points) {
  // |x|^2 + |y|^2 - 2 x'y in double on centred points, where the cancellation is harmless.
  const Eigen::MatrixXd centred = points.colwise() - points.rowwise().mean();
  const Eigen::VectorXd norms = centred.colwise().squaredNorm();
  Eigen::MatrixXd distances(points.cols(), points.cols());
  distances.noalias() = -2.0 * (centred.transpose() * centred);
  distances.colwise() += norms;
  distances.rowwise() += norms.transpose();
  distances.diagonal().setZero();
  squared_distances_ = distances.cwiseMax(0.0).template cast<Scalar>();
}

template <typename Scalar>
bool KernelSystem<Scalar>::factorise(KernelKind kind, double bandwidth, double ridge) {
  factor_ = squared_distances_;
  kernel_values<Scalar>(kind, static_cast<Scalar>(bandwidth), as_array(factor_));
  factor_.diagonal().array() += static_cast<Scalar>(ridge);
  const Scalar largest = factor_(0, 0);
  const Eigen::LLT<Eigen::Ref<Matrix>> in_place(factor_);
  if (in_place.info() != Eigen::Success) return false;
  // Rounding errors of a pivot add up like a random walk over the columns before it: a pivot below
  // their size is noise.
  const Scalar noise = std::sqrt(static_cast<Scalar>(factor_.rows())) *
                       std::numeric_limits<Scalar>::epsilon() * largest;
  return factor_.diagonal().array().square().minCoeff() > noise;
}

template <typename Scalar>
void KernelSystem<Scalar>::solve_in_place(Matrix& b) const {
  factor_.template triangularView<Eigen::Lower>().solveInPlace(b);
  factor_.template triangularView<Eigen::Lower>().transpose().solveInPlace(b);
}

template <typename Scalar>
double KernelSystem<Scalar>::derivative_trace(KernelKind kind, double bandwidth, const Matrix& left,
                                              const Matrix& right) const {
  // Columns at a time, so that dK is never stored whole.
  constexpr Eigen::Index kColumns = 64;
  const Eigen::Index points = squared_distances_.cols();
  Matrix derivative;
  double trace = 0.0;
  for (Eigen::Index first = 0; first < points; first += kColumns) {
    const Eigen::Index columns = std::min(kColumns, points - first);
    derivative = squared_distances_.middleCols(first, columns);
    kernel_log_bandwidth_derivatives<Scalar>(kind, static_cast<Scalar>(bandwidth),
                                             as_array(derivative));
    const Matrix product = derivative.transpose() * left;
    trace += static_cast<double>(product.cwiseProduct(right.middleRows(first, columns)).sum());
  }
  return trace;
}

template class KernelSystem<float>;
template class KernelSystem<double>;

}  // namespace ovf
