#include "ovf/math/tabulated_density.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// Cells that a search takes at a time.
constexpr Eigen::Index kBlock = 16;
constexpr double kBelowOne = 1.0 - 0x1p-53;

}  // namespace

void TabulatedDensity::assign(const Eigen::Ref<const Eigen::ArrayXd>& points,
                              const Eigen::Ref<const Eigen::ArrayXd>& log_values) {
  const Eigen::Index size = points.size();
  if (points_.size() < size) {
    points_.resize(size);
    values_.resize(size);
    areas_.resize(size);
  }
  points_.head(size) = points;
  values_.head(size) = (log_values - log_values.maxCoeff()).exp();
  cells_ = size - 1;
  areas_.head(cells_) = 0.5 * (points_.segment(1, cells_) - points_.head(cells_)) *
                        (values_.segment(1, cells_) + values_.head(cells_));
  total_ = areas_.head(cells_).sum();
  while (cells_ > 1 && !(areas_[cells_ - 1] > 0.0)) --cells_;
}

double TabulatedDensity::quantile(double u, double& log_density) const {
  // Zero itself may lie in an empty cell, where there is no density.
  double rest = std::max(u, 0x1p-54) * total_;
  // The cell in which the cumulative density passes that.
  Eigen::Index cell = 0;
  for (; cell + kBlock < cells_; cell += kBlock) {
    const double area = areas_.segment<kBlock>(cell).sum();
    if (area > rest) break;
    rest -= area;
  }
  for (; cell + 1 < cells_ && !(areas_[cell] > rest); ++cell) rest -= areas_[cell];
  const double width = points_[cell + 1] - points_[cell];
  const double a = values_[cell];
  const double slope = values_[cell + 1] - a;
  rest /= width;
  // a s + slope s^2 / 2 = rest, in the form that does not cancel.
  const double root = std::sqrt(std::max(a * a + 2.0 * slope * rest, 0.0));
  const double s = rest > 0.0 ? std::min(2.0 * rest / (a + root), kBelowOne) : 0.0;
  log_density = std::log((a + slope * s) / total_);
  return points_[cell] + width * s;
}

}  // namespace ovf
