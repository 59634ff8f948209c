#pragma once

#include <Eigen/Core>

#include "ovf/math/cubature.hpp"
#include "ovf/model/linearisation.hpp"
#include "ovf/model/mean_function.hpp"

namespace ovf {

/// The affine-Gaussian conditional that stands for N(m(x), noise) where x has a distribution.
class MeanLineariser {
 public:
  /// `out` is resized once and then reused; kTangent and kExpected allocate nothing of their own.
  void linearise(const MeanFunction& mean, const StepInput& input, const Gaussian& at,
                 Linearisation method, const CovarianceFactor& noise, AffineGaussian& out);

 private:
  /// Adds the covariance of m's distance from the line to the noise.
  void add_error(const MeanFunction& mean, const StepInput& input, const Gaussian& at,
                 AffineGaussian& out);

  Eigen::MatrixXd point_;
  Eigen::MatrixXd values_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd scratch_;
  Cubature cubature_;
};

}  // namespace ovf
