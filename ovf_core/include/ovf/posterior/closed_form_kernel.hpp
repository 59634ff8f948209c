#pragma once

#include <Eigen/Core>

#include "ovf/math/gaussian.hpp"

namespace ovf {

/// The backward kernel proportional to f(x_t | x_{t-1}) q(x_{t-1}) for an affine-Gaussian f and a
/// Gaussian q, with the prediction of x_t beside it: P = J S J' + U, A = S J' P^-1,
/// b = m - A (J m + c), covariance (I - A J) S. Holds its scratch space; repeated use allocates
/// nothing.
class ClosedFormKernel {
 public:
  /// The kernel's noise may be diagonal: then each variance is the inverse of the exact precision's
  /// diagonal (the best mean-field fit). `prediction` must have the full form. False if a
  /// covariance lost definiteness; the outputs are then not to be used.
  bool compute(const Gaussian& previous, const AffineGaussian& transition, AffineGaussian& kernel,
               Gaussian& prediction);

 private:
  Eigen::MatrixXd moved_factor_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd gain_t_;
  Eigen::MatrixXd residual_factor_;
  Eigen::MatrixXd scratch_;
  Eigen::VectorXd predicted_;
  CovarianceFactor full_;
};

}  // namespace ovf
