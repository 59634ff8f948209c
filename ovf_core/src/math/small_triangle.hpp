#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace ovf {

/// A triangular matrix of few rows as (I + N) D, with zeros on the diagonal of N and a diagonal D.
/// Columns are kept in whole packets of numbers: Eigen's general routines cost more to enter than
/// such a matrix costs to factorise, invert or solve with.
class SmallTriangle {
  static constexpr Eigen::Index kPacket = 8;

  template <typename Columns>
  static auto packet(Columns& columns, Eigen::Index j, Eigen::Index p) {
    return columns.col(j).template segment<kPacket>(p * kPacket);
  }

 public:
  static constexpr Eigen::Index kMaxRows = 32;
  using Square = Eigen::Array<double, kMaxRows, kMaxRows>;

  explicit SmallTriangle(Eigen::Index rows)
      : rows_(rows), packets_((rows + kPacket - 1) / kPacket) {
    columns_.topLeftCorner(packets_ * kPacket, rows_).setZero();
    inverse_diagonal_.setOnes();
  }

  /// Of a square matrix with at most kMaxRows.
  template <typename Matrix>
  static SmallTriangle lower(const Matrix& matrix) {
    SmallTriangle triangle(matrix.rows());
    for (Eigen::Index k = 0; k < triangle.rows_; ++k) {
      const Eigen::Index count = triangle.rows_ - k - 1;
      triangle.inverse_diagonal_[k] = 1.0 / matrix(k, k);
      triangle.columns_.col(k).segment(k + 1, count) =
          triangle.inverse_diagonal_[k] * matrix.col(k).tail(count).array();
    }
    return triangle;
  }
  template <typename Matrix>
  static SmallTriangle upper(const Matrix& matrix) {
    SmallTriangle triangle(matrix.rows());
    for (Eigen::Index k = 0; k < triangle.rows_; ++k) {
      triangle.inverse_diagonal_[k] = 1.0 / matrix(k, k);
      triangle.columns_.col(k).head(k) =
          triangle.inverse_diagonal_[k] * matrix.col(k).head(k).array();
    }
    return triangle;
  }

  /// Becomes the lower Cholesky factor of a matrix, of which the lower triangle is read. False if
  /// that is not positive definite.
  template <typename Matrix>
  bool factorise(const Matrix& matrix) {
    for (Eigen::Index j = 0; j < rows_; ++j) {
      columns_.col(j).segment(j, rows_ - j) = matrix.col(j).tail(rows_ - j).array();
    }
    // A column that is subtracted from spoils numbers above its diagonal only.
    for (Eigen::Index k = 0; k < rows_; ++k) {
      const double pivot = columns_(k, k);
      if (!(pivot > 0.0) || !std::isfinite(pivot)) return false;
      const double scale = 1.0 / pivot;
      inverse_diagonal_[k] = scale;
      for (Eigen::Index j = k + 1; j < rows_; ++j) {
        subtract(scale * columns_(j, k), k, j / kPacket, packets_, columns_, j);
      }
    }
    for (Eigen::Index k = 0; k < rows_; ++k) {
      for (Eigen::Index p = k / kPacket; p < packets_; ++p) {
        packet(columns_, k, p) *= inverse_diagonal_[k];
      }
      columns_.col(k).segment(k / kPacket * kPacket, k % kPacket + 1).setZero();
    }
    for (Eigen::Index p = 0; p < packets_; ++p) {
      auto part = inverse_diagonal_.segment<kPacket>(p * kPacket);
      part = part.sqrt();
    }
    return true;
  }

  /// The lower triangle.
  void copy_to(Eigen::MatrixXd& lower) const {
    for (Eigen::Index k = 0; k < rows_; ++k) {
      const double diagonal = 1.0 / inverse_diagonal_[k];
      lower(k, k) = diagonal;
      lower.col(k).tail(rows_ - k - 1).array() =
          diagonal * columns_.col(k).segment(k + 1, rows_ - k - 1);
    }
  }

  /// Writes the inverse of the lower triangle to `out`, zeros above its diagonal.
  void invert(Square& out) const {
    out.topLeftCorner(packets_ * kPacket, rows_).setZero();
    out.matrix().diagonal().head(rows_).setOnes();
    for (Eigen::Index k = 0; k < rows_; ++k) {
      for (Eigen::Index j = 0; j <= k; ++j) {
        subtract(out(k, j), k, k / kPacket, packets_, out, j);
      }
    }
    for (Eigen::Index j = 0; j < rows_; ++j) divide_by_diagonal(out, j);
  }

  /// x := triangle^-1 x, for a lower triangle or an upper one.
  template <bool Lower>
  void solve(Eigen::Ref<Eigen::MatrixXd> x) const {
    constexpr Eigen::Index kTogether = 8;
    Eigen::Array<double, kMaxRows, kTogether> part;
    part.topRows(packets_ * kPacket).setZero();
    for (Eigen::Index first = 0; first < x.cols(); first += kTogether) {
      const Eigen::Index count = std::min(kTogether, x.cols() - first);
      for (Eigen::Index j = 0; j < count; ++j) part.col(j).head(rows_) = x.col(first + j).array();
      for (Eigen::Index step = 0; step < rows_; ++step) {
        const Eigen::Index k = Lower ? step : rows_ - 1 - step;
        const Eigen::Index begin = Lower ? k / kPacket : 0;
        const Eigen::Index end = Lower ? packets_ : k / kPacket + 1;
        for (Eigen::Index j = 0; j < count; ++j) subtract(part(k, j), k, begin, end, part, j);
      }
      for (Eigen::Index j = 0; j < count; ++j) {
        divide_by_diagonal(part, j);
        x.col(first + j).array() = part.col(j).head(rows_);
      }
    }
  }

 private:
  /// Column j of `out` -= value times column k of N, in these packets.
  template <typename Columns>
  void subtract(double value, Eigen::Index k, Eigen::Index begin, Eigen::Index end, Columns& out,
                Eigen::Index j) const {
    for (Eigen::Index p = begin; p < end; ++p) packet(out, j, p) -= value * packet(columns_, k, p);
  }

  template <typename Columns>
  void divide_by_diagonal(Columns& out, Eigen::Index j) const {
    for (Eigen::Index p = 0; p < packets_; ++p) {
      packet(out, j, p) *= inverse_diagonal_.template segment<kPacket>(p * kPacket);
    }
  }

  Eigen::Index rows_;
  Eigen::Index packets_;  // of a column
  Square columns_;        // of N
  Eigen::Array<double, kMaxRows, 1> inverse_diagonal_;
};

}  // namespace ovf
