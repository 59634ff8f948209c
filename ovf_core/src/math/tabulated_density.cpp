#include "ovf/math/tabulated_density.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {

void TabulatedDensity::assign(const Eigen::Ref<const Eigen::ArrayXd>& points,
                              const Eigen::Ref<const Eigen::ArrayXd>& log_values) {
  points_ = points;
  values_ = (log_values - log_values.maxCoeff()).exp();
  cumulative_.resize(values_.size());
  cumulative_[0] = 0.0;
  for (Eigen::Index i = 1; i < values_.size(); ++i) {
    const double width = points_[i] - points_[i - 1];
    cumulative_[i] = cumulative_[i - 1] + 0.5 * width * (values_[i - 1] + values_[i]);
  }
}

double TabulatedDensity::quantile(double u, double& log_density) const {
  const double total = cumulative_[cumulative_.size() - 1];
  const double* begin = cumulative_.data();
  const double* end = begin + cumulative_.size();
  // Zero itself may lie in an empty cell, where there is no density.
  const double target = std::max(u, 0x1p-54) * total;
  // The cell in which the cumulative density passes the target.
  const auto right = std::clamp<Eigen::Index>(std::upper_bound(begin, end, target) - begin, 1,
                                              cumulative_.size() - 1);
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
