#pragma once

#include "ovf/math/covariance_factor.hpp"

namespace ovf {

/// Of a covariance that rounding may have cost its definiteness: then correlations are dropped.
inline CovarianceFactor factor_of(const Eigen::MatrixXd& covariance) {
  CovarianceFactor factor(static_cast<int>(covariance.rows()), CovarianceForm::kFull);
  Eigen::MatrixXd scratch;
  if (!factor.assign_covariance(covariance, scratch)) {
    factor.lower() = covariance.diagonal().cwiseSqrt().asDiagonal();
  }
  return factor;
}

}  // namespace ovf
