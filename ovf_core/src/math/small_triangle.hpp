#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace ovf {

/// A triangular matrix of few rows. Its columns are kept in whole packets of numbers: Eigen's
/// general routines cost more to enter than such a matrix costs to factorise, invert or solve with.
class SmallTriangle {
  static constexpr Eigen::Index kPacket = 8;

  template <typename Columns>
  static auto packet(Columns& columns, Eigen::Index j, Eigen::Index p) {
    return columns.col(j).template segment<kPacket>(p * kPacket);
  }

 public:
  static constexpr Eigen::Index kMaxRows = 32;

  /// A copy of a triangle of a square matrix with at most kMaxRows.
  template <typename Matrix>
  static SmallTriangle lower(const Matrix& matrix) {
    SmallTriangle triangle(matrix.rows());
    for (Eigen::Index j = 0; j < triangle.rows_; ++j) {
      const Eigen::Index count = triangle.rows_ - j;
      triangle.columns_.col(j).segment(j, count) = matrix.col(j).tail(count);
    }
    return triangle;
  }
  template <typename Matrix>
  static SmallTriangle upper(const Matrix& matrix) {
    SmallTriangle triangle(matrix.rows());
    for (Eigen::Index j = 0; j < triangle.rows_; ++j) {
      triangle.columns_.col(j).head(j + 1) = matrix.col(j).head(j + 1);
    }
    return triangle;
  }

  auto matrix() const { return columns_.topLeftCorner(rows_, rows_); }

  /// Replaces the lower triangle of a symmetric matrix by its Cholesky factor. False if that matrix
  /// is not positive definite.
  bool factorise() {
    for (Eigen::Index k = 0; k < rows_; ++k) {
      const double pivot = columns_(k, k);
      if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
      columns_.col(k).head(k).setZero();  // whole packets were subtracted
      const double scale = 1.0 / std::sqrt(pivot);
      for (Eigen::Index p = k / kPacket; p < packets_; ++p) packet(columns_, k, p) *= scale;
      for (Eigen::Index j = k + 1; j < rows_; ++j) {
        subtract(columns_(j, k), k, j / kPacket, packets_, columns_, j);
      }
    }
    return true;
  }

  /// The inverse of a lower triangle.
  SmallTriangle lower_inverse() const {
    SmallTriangle inverse(rows_);
    for (Eigen::Index k = 0; k < rows_; ++k) {
      inverse.columns_(k, k) = 1.0;
      const double scale = 1.0 / columns_(k, k);
      for (Eigen::Index j = 0; j <= k; ++j) {
        const double value = scale * inverse.columns_(k, j);
        subtract(value, k, k / kPacket, packets_, inverse.columns_, j);
        inverse.columns_(k, j) = value;
      }
    }
    return inverse;
  }

  /// x := triangle^-1 x, for a lower triangle or an upper one.
  template <bool lower>
  void solve(Eigen::Ref<Eigen::MatrixXd> x) const {
    constexpr Eigen::Index kTogether = 8;
    Eigen::Matrix<double, kMaxRows, kTogether> part;
    part.topRows(packets_ * kPacket).setZero();
    for (Eigen::Index first = 0; first < x.cols(); first += kTogether) {
      const Eigen::Index count = std::min(kTogether, x.cols() - first);
      for (Eigen::Index j = 0; j < count; ++j) part.col(j).head(rows_) = x.col(first + j);
      for (Eigen::Index step = 0; step < rows_; ++step) {
        const Eigen::Index k = lower ? step : rows_ - 1 - step;
        const Eigen::Index begin = lower ? k / kPacket : 0;
        const Eigen::Index end = lower ? packets_ : k / kPacket + 1;
        const double scale = 1.0 / columns_(k, k);
        for (Eigen::Index j = 0; j < count; ++j) {
          const double value = scale * part(k, j);
          subtract(value, k, begin, end, part, j);
          part(k, j) = value;
        }
      }
      for (Eigen::Index j = 0; j < count; ++j) x.col(first + j) = part.col(j).head(rows_);
    }
  }

 private:
  explicit SmallTriangle(Eigen::Index rows)
      : rows_(rows), packets_((rows + kPacket - 1) / kPacket) {
    columns_.topLeftCorner(packets_ * kPacket, rows_).setZero();
  }

  /// Column j of `out` -= value times column k, in these packets.
  template <typename Columns>
  void subtract(double value, Eigen::Index k, Eigen::Index begin, Eigen::Index end, Columns& out,
                Eigen::Index j) const {
    for (Eigen::Index p = begin; p < end; ++p) packet(out, j, p) -= value * packet(columns_, k, p);
  }

  Eigen::Index rows_;
  Eigen::Index packets_;  // of a column
  Eigen::Matrix<double, kMaxRows, kMaxRows> columns_;
};

}  // namespace ovf
