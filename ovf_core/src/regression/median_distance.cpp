#include "ovf/regression/median_distance.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ovf {

double median_pairwise_distance(const Eigen::MatrixXd& points) {
  const Eigen::Index count = points.cols();
  if (count < 2) return 1.0;
  std::vector<double> squared;
  squared.reserve(static_cast<std::size_t>(count * (count - 1) / 2));
  for (Eigen::Index i = 1; i < count; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      squared.push_back((points.col(i) - points.col(j)).squaredNorm());
    }
  }
  const auto middle = squared.begin() + static_cast<std::ptrdiff_t>(squared.size() / 2);
  std::nth_element(squared.begin(), middle, squared.end());
  return *middle > 0.0 ? std::sqrt(*middle) : 1.0;
}

}  // namespace ovf
