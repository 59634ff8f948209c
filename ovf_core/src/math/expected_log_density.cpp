#include "ovf/math/expected_log_density.hpp"

namespace ovf {

void ExpectedLogDensity::add(double weight, const AffineGaussian& conditional,
                             const AffineVariable& input, const AffineVariable& output,
                             QuadraticFunctions& out) {
  residual_.constant = output.constant - conditional.offset;
  residual_.constant.noalias() -= conditional.matrix * input.constant;
  residual_.by_z = output.by_z;
  residual_.by_z.noalias() -= conditional.matrix * input.by_z;
  residual_.by_e = output.by_e;
  residual_.by_e.noalias() -= conditional.matrix * input.by_e;
  add_residual(weight, conditional.noise, out);
}

void ExpectedLogDensity::add(double weight, const Gaussian& marginal, const AffineVariable& output,
                             QuadraticFunctions& out) {
  residual_.constant = output.constant - marginal.mean;
  residual_.by_z = output.by_z;
  residual_.by_e = output.by_e;
  add_residual(weight, marginal.factor, out);
}

void ExpectedLogDensity::add_residual(double weight, const CovarianceFactor& noise,
                                      QuadraticFunctions& out) {
  noise.whiten(residual_.constant);
  noise.whiten(residual_.by_z);
  noise.whiten(residual_.by_e);
  out.add_squared_norm(weight, residual_.constant, residual_.by_z, residual_.by_e.squaredNorm());
  out.constant()[0] -= weight * (noise.log_determinant() + 0.5 * noise.dim() * kLogTwoPi);
}

}  // namespace ovf
