#include "ovf/math/chi_square.hpp"

#include <cmath>
#include <limits>

namespace ovf {
namespace {

constexpr int kMostTerms = 1000;
constexpr double kPrecision = 1e-15;

// The regularised incomplete gamma functions P(a, x) and Q = 1 - P: the series of P for small x,
// the continued fraction of Q (Lentz) otherwise.
bool takes_series(double a, double x) { return x < a + 1.0; }

double scale(double a, double x) { return std::exp(a * std::log(x) - x - std::lgamma(a)); }

double lower_series(double a, double x) {
  double term = 1.0 / a;
  double sum = term;
  for (int n = 1; n < kMostTerms && term > kPrecision * sum; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return scale(a, x) * sum;
}

double upper_fraction(double a, double x) {
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
  return scale(a, x) * fraction;
}

}  // namespace

double chi_square_probability(double x, double degrees) {
  if (x <= 0.0) return 0.0;
  if (std::isinf(x)) return 1.0;
  const double a = 0.5 * degrees;
  return takes_series(a, 0.5 * x) ? lower_series(a, 0.5 * x) : 1.0 - upper_fraction(a, 0.5 * x);
}

double chi_square_survival(double x, double degrees) {
  if (x <= 0.0) return 1.0;
  if (std::isinf(x)) return 0.0;
  const double a = 0.5 * degrees;
  return takes_series(a, 0.5 * x) ? 1.0 - lower_series(a, 0.5 * x) : upper_fraction(a, 0.5 * x);
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
