#include "ovf/math/tabulated_density.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ovf {

void TabulatedDensity::assign(const Eigen::Ref<const Eigen::ArrayXd>& points,
                              const Eigen::Ref<const Eigen::ArrayXd>& log_values) {
  size_ = points.size();
  if (points_.size() < size_) {
    points_.resize(size_);
    values_.resize(size_);
    cumulative_.resize(size_);
  }
  points_.head(size_) = points;
  values_.head(size_) = (log_values - log_values.maxCoeff()).exp();
  const Eigen::Index cells = size_ - 1;
  cumulative_[0] = 0.0;
  cumulative_.segment(1, cells) = 0.5 * (points_.segment(1, cells) - points_.head(cells)) *
                                  (values_.segment(1, cells) + values_.head(cells));
  const auto begin = cumulative_.begin();
  std::partial_sum(begin, begin + size_, begin);
}

double TabulatedDensity::quantile(double u, double& log_density) const {
  const double total = cumulative_[size_ - 1];
  const double* begin = cumulative_.data();
  const double* end = begin + size_;
  // Zero itself may lie in an empty cell, where there is no density.
  const double target = std::max(u, 0x1p-54) * total;
  // The cell in which the cumulative density passes the target.
  const auto right =
      std::clamp<Eigen::Index>(std::upper_bound(begin, end, target) - begin, 1, size_ - 1);
  const double width = points_[right] - points_[right - 1];
  const double a = values_[right - 1];
  const double slope = values_[right] - a;
  const double rest = (target - cumulative_[right - 1]) / width;
  // a s + slope s^2 / 2 = rest, in the form that does not cancel.
  const double root = std::sqrt(std::max(a * a + 2.0 * slope * rest, 0.0));
  const double s = rest > 0.0 ? std::min(2.0 * rest / (a + root), 1.0) : 0.0;
  log_density = std::log((a + slope * s) / total);
  return points_[right - 1] + width * s;
}

}  // namespace ovf
