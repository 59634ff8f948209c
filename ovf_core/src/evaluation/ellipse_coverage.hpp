#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <limits>

#include "ovf/math/chi_square.hpp"

namespace ovf {

/// An error squared in units of its covariance; NaN if that is not positive definite.
template <typename Vector, typename Matrix>
double squared_in_units_of(const Vector& error, const Matrix& covariance) {
  const auto undefined = std::numeric_limits<double>::quiet_NaN();
  if (!covariance.allFinite()) return undefined;
  const auto symmetric = (0.5 * (covariance + covariance.transpose())).eval();
  const Eigen::LLT<typename Matrix::PlainObject> llt(symmetric);
  if (llt.info() != Eigen::Success) return undefined;
  const double value = llt.matrixL().solve(error).squaredNorm();
  return std::isfinite(value) ? value : undefined;
}

/// Counts errors within the ellipses of 50, 90 and 95 %.
class EllipseCoverage {
 public:
  explicit EllipseCoverage(int degrees)
      : limit50_(chi_square_quantile(0.5, degrees)),
        limit90_(chi_square_quantile(0.9, degrees)),
        limit95_(chi_square_quantile(0.95, degrees)) {}

  void add(double squared) {
    ++count_;
    if (squared <= limit50_) ++within50_;
    if (squared <= limit90_) ++within90_;
    if (squared <= limit95_) ++within95_;
  }

  long count() const { return count_; }
  /// Shares; NaN of nothing.
  double within50() const { return share(within50_); }
  double within90() const { return share(within90_); }
  double within95() const { return share(within95_); }

 private:
  double share(long part) const {
    if (count_ == 0) return std::numeric_limits<double>::quiet_NaN();
    return static_cast<double>(part) / static_cast<double>(count_);
  }

  double limit50_;
  double limit90_;
  double limit95_;
  long count_ = 0;
  long within50_ = 0;
  long within90_ = 0;
  long within95_ = 0;
};

}  // namespace ovf
