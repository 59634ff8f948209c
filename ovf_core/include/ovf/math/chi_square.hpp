#pragma once

namespace ovf {

/// P(X <= x) for X chi-square distributed with this many degrees of freedom.
double chi_square_probability(double x, double degrees);

/// P(X > x): exact far out too, where 1 - chi_square_probability is lost in rounding.
double chi_square_survival(double x, double degrees);

/// The x with chi_square_probability(x, degrees) = probability; 0 at 0, infinity at 1.
double chi_square_quantile(double probability, double degrees);

}  // namespace ovf
