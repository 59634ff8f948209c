#include "ovf/math/cubature.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {

void Cubature::assign(const Gaussian& gaussian) {
  const Eigen::Index d = gaussian.dim();
  const double square = std::max(3.0, static_cast<double>(d));
  radius_ = std::sqrt(square);
  points_.resize(d, 2 * d + 1);
  points_.leftCols(d) = radius_ * gaussian.factor.lower();
  points_.middleCols(d, d) = -points_.leftCols(d);
  points_.col(2 * d).setZero();
  points_.colwise() += gaussian.mean;
  weights_.setConstant(2 * d + 1, 0.5 / square);
  weights_[2 * d] = 1.0 - static_cast<double>(d) / square;
}

}  // namespace ovf
