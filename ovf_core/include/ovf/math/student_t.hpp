#pragma once

#include <Eigen/Core>

#include "ovf/math/random.hpp"

namespace ovf {

/// d log Gamma(x) / dx for x > 0.
double digamma(double x);

/// A draw from the gamma distribution with this shape and scale 1.
double draw_gamma(double shape, RandomStream& random);

/// A draw from the Student-t distribution with nu degrees of freedom and scale 1.
double draw_student_t(double nu, RandomStream& random);

/// log of the density's factor that does not depend on the residual, scale 1, and its derivative.
double student_t_log_constant(double nu);
double student_t_log_constant_slope(double nu);

/// Quadrature for a residual e ~ N(mean, spread^2) of functions that are smooth on the scale of
/// `width`: those of width^2 + e^2, in which width is sqrt(nu) times the Student-t's scale.
struct StudentTQuadrature {
  static constexpr int kNodes = 32;
  using Nodes = Eigen::Array<double, kNodes, 1>;

  Nodes residual;
  Nodes weight;

  void assign(double mean, double spread, double width);
};

}  // namespace ovf
