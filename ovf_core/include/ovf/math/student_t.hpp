#pragma once

#include <Eigen/Core>

#include "ovf/math/random.hpp"

namespace ovf {

/// d log Gamma(x) / dx for x > 0.
double digamma(double x);

/// Its derivative.
double trigamma(double x);

/// The Fisher information of one observation with Student-t noise in `dim` dimensions (a common
/// weight for all), about log scale_i and nu, relative to the Gaussian that stands for it:
/// that Gaussian's information about log scale_i is 2 gaussian_share, and the rest is added.
struct StudentTInformation {
  double gaussian_share = 1.0;  ///< (nu + dim) / (nu + dim + 2)
  double scales = 0.0;          ///< about every pair of log scales, negative
  double scale_and_nu = 0.0;    ///< about each log scale and nu, negative
  double nu = 0.0;
};
StudentTInformation student_t_information(double nu, int dim);

/// What is left of the information about nu (a factor of its square root) where only this share of
/// the predicted variance is noise: fitted to exact integrals, within 15 % for nu from 1.6 to 10
/// and shares above 0.4. Tails are seen through the uncertainty of the state, heavy ones better.
double tail_attenuation(double nu, double share);

/// A draw from the gamma distribution with this shape and scale 1.
double draw_gamma(double shape, RandomStream& random);

/// A draw from the Student-t distribution with nu degrees of freedom and scale 1.
double draw_student_t(double nu, RandomStream& random);

/// log of the density's factor that does not depend on the residual, scale 1, and its derivative.
double student_t_log_constant(double nu);
double student_t_log_constant_slope(double nu);

/// Quadrature for a residual e ~ N(mean, spread^2) of functions that are smooth on the scale of
/// `width`: those of width^2 + e^2, in which width is sqrt(nu) times the Student-t's scale.
template <int Count>
struct StudentTRule {
  using Nodes = Eigen::Array<double, Count, 1>;

  Nodes residual;
  Nodes weight;

  void assign(double mean, double spread, double width);
};
extern template struct StudentTRule<24>;
extern template struct StudentTRule<32>;

/// For every spread: expectations of log(1 + e^2 / width^2) to 1e-4 at ten widths.
using StudentTQuadrature = StudentTRule<32>;
/// Where this is true, to 4e-6, and no less exact than the other where that is at its worst.
using ShortStudentTQuadrature = StudentTRule<24>;
bool short_quadrature_does(double spread, double width);

}  // namespace ovf
