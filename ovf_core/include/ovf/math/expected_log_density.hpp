#pragma once

#include <Eigen/Core>

#include "ovf/math/gaussian.hpp"
#include "ovf/math/quadratic_functions.hpp"

namespace ovf {

/// Adds E_e[log N(output; A input + b, L L')] to function 0 of a QuadraticFunctions, for inputs and
/// outputs affine in (z, e). Holds its scratch space, so that repeated use allocates nothing.
class ExpectedLogDensity {
 public:
  void add(double weight, const AffineGaussian& conditional, const AffineVariable& input,
           const AffineVariable& output, QuadraticFunctions& out);
  /// The same for a marginal density of the output.
  void add(double weight, const Gaussian& marginal, const AffineVariable& output,
           QuadraticFunctions& out);

 private:
  void add_residual(double weight, const CovarianceFactor& noise, QuadraticFunctions& out);

  AffineVariable residual_;
};

}  // namespace ovf
