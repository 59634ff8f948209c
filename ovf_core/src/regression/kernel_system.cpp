#include "ovf/regression/kernel_system.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ovf {
namespace {

// The symmetric matrices are worked on by blocks of this many columns, from their diagonal down:
// half of the work, and a block stays in the cache.
constexpr Eigen::Index kColumns = 64;

// By halves, which leaves more of the work to large matrix products than the narrow panels of
// Eigen's own factorisation.
template <typename Matrix>
bool cholesky_in_place(Eigen::Ref<Matrix> a) {
  if (a.rows() <= kColumns) return Eigen::LLT<Eigen::Ref<Matrix>>(a).info() == Eigen::Success;
  constexpr Eigen::Index kAlign = 16;
  const Eigen::Index half = a.rows() / 2 / kAlign * kAlign;
  const Eigen::Index rest = a.rows() - half;
  const auto first = a.topLeftCorner(half, half);
  if (!cholesky_in_place<Matrix>(first)) return false;
  auto below = a.bottomLeftCorner(rest, half);
  auto last = a.bottomRightCorner(rest, rest);
  first.template triangularView<Eigen::Lower>()
      .transpose()
      .template solveInPlace<Eigen::OnTheRight>(below);
  last.template selfadjointView<Eigen::Lower>().rankUpdate(below, -1);
  return cholesky_in_place<Matrix>(last);
}

}  // namespace

template <typename Scalar>
void KernelSystem<Scalar>::set_points(const Eigen::MatrixXd& points) {
  // |x|^2 + |y|^2 - 2 x'y on centred points, where the cancellation is harmless: an error of the
  // size of rounding relative to the spread of the points.
  const Eigen::Index count = points.cols();
  const Matrix centred = (points.colwise() - points.rowwise().mean()).template cast<Scalar>();
  const Eigen::Matrix<Scalar, Eigen::Dynamic, 1> norms = centred.colwise().squaredNorm();
  squared_distances_.resize(count, count);
  for (Eigen::Index first = 0; first < count; first += kColumns) {
    const Eigen::Index columns = std::min(kColumns, count - first);
    const Eigen::Index rows = count - first;
    auto block = squared_distances_.block(first, first, rows, columns);
    block.noalias() =
        Scalar(-2) * centred.rightCols(rows).transpose() * centred.middleCols(first, columns);
    block.colwise() += norms.tail(rows);
    block.rowwise() += norms.segment(first, columns).transpose();
    block = block.cwiseMax(Scalar(0));
    block.diagonal().setZero();
  }
}

template <typename Scalar>
bool KernelSystem<Scalar>::factorise(KernelKind kind, double bandwidth, double ridge) {
  const Eigen::Index count = squared_distances_.cols();
  factor_.resize(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    auto column = factor_.col(j).tail(count - j);
    column = squared_distances_.col(j).tail(count - j);
    kernel_values<Scalar>(kind, static_cast<Scalar>(bandwidth), column.array());
  }
  factor_.diagonal().array() += static_cast<Scalar>(ridge);
  const Scalar largest = factor_(0, 0);
  if (!cholesky_in_place<Matrix>(factor_)) return false;
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
  // dK is symmetric with a zero diagonal: its lower triangle serves left' dK right both ways.
  const Eigen::Index count = squared_distances_.cols();
  Matrix both(count, 2 * left.cols());
  both << left, right;
  Matrix swapped(count, 2 * left.cols());
  swapped << right, left;
  Matrix scratch(count, std::min(kColumns, count));
  double trace = 0.0;
  for (Eigen::Index first = 0; first < count; first += kColumns) {
    const Eigen::Index columns = std::min(kColumns, count - first);
    const Eigen::Index rows = count - first;
    auto derivative = scratch.topLeftCorner(rows, columns);
    derivative.setZero();
    for (Eigen::Index j = 0; j < columns; ++j) {
      auto column = derivative.col(j).tail(rows - j);
      column = squared_distances_.col(first + j).tail(rows - j);
      kernel_log_bandwidth_derivatives<Scalar>(kind, static_cast<Scalar>(bandwidth),
                                               column.array());
    }
    const Matrix product = derivative.transpose() * both.bottomRows(rows);
    trace += static_cast<double>(product.cwiseProduct(swapped.middleRows(first, columns)).sum());
  }
  return trace;
}

template class KernelSystem<float>;
template class KernelSystem<double>;

}  // namespace ovf
