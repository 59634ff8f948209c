#include "ovf/math/chi_square.hpp"

#include <cmath>
#include <limits>

namespace ovf {
namespace {

constexpr int kMostTerms = 1000;
constexpr double kPrecision = 1e-15;

// The regularised incomplete gamma function P(a, x), by its series for small x and by the continued
// fraction of 1 - P (Lentz) otherwise.
double lower_gamma(double a, double x) {
  if (x <= 0.0) return 0.0;
  const double scale = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1.0) {
    double term = 1.0 / a;
    double sum = term;
    for (int n = 1; n < kMostTerms && term > kPrecision * sum; ++n) {
      term *= x / (a + n);
      sum += term;
    }
    return scale * sum;
  }
  constexpr double kTiny = 1e-300;
  double b = x + 1.0 - a;
  double c = 1.0 / kTiny;
  double d = 1.0 / b;
  double fraction = d;
  for (int n = 1; n < kMostTerms; ++n) {
    const double numerator = -n * (n - a);
    b += 2.0;
    d = 1.0 / (numerator * d + b);
    c = b + numerator / c;
    fraction *= c * d;
    if (std::abs(c * d - 1.0) < kPrecision) break;
  }
  return 1.0 - scale * fraction;
}

}  // namespace

double chi_square_probability(double x, double degrees) {
  return std::isinf(x) ? 1.0 : lower_gamma(0.5 * degrees, 0.5 * x);
}

double chi_square_quantile(double probability, double degrees) {
  if (probability <= 0.0) return 0.0;
  if (probability >= 1.0) return std::numeric_limits<double>::infinity();
  double low = 0.0;
  double high = degrees + 10.0;
  while (chi_square_probability(high, degrees) < probability) high *= 2.0;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (chi_square_probability(middle, degrees) < probability ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace ovf
