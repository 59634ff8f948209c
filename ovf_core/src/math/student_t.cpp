#include "ovf/math/student_t.hpp"

#include <cmath>
#include <numbers>

#include "ovf/math/gauss_hermite.hpp"

namespace ovf {
namespace {

// Above this spread in widths the poles at +-i width are too near for Gauss-Hermite nodes.
constexpr double kWide = 0.8;
// Half the range of the rule for wide spreads, in standard deviations: beyond it lies 4e-8.
constexpr double kReach = 5.5;
// Below the first and between kWide and the second, in widths, few nodes do.
constexpr double kNarrow = 0.5;
constexpr double kLessWide = 1.25;

template <int Count>
struct StandardRule {
  Eigen::Array<double, Count, 1> residual, weight;

  StandardRule() {
    const GaussHermite rule = gauss_hermite(Count);
    residual = rule.nodes.array();
    weight = rule.weights.array();
  }
};

template <int Count>
const StandardRule<Count>& standard_rule() {
  static const StandardRule<Count> kRule;
  return kRule;
}

// exp(asinh(x)); infinite or zero where the square of x overflows, so that such a residual has no
// finite expectations.
double exp_asinh(double x) {
  const double size = std::abs(x);
  const double growth = size + std::sqrt(size * size + 1.0);
  return x < 0.0 ? 1.0 / growth : growth;
}

// first ratio^k
template <int Count>
Eigen::Array<double, Count, 1> geometric(double first, double ratio) {
  constexpr int kPart = 8;
  using Part = Eigen::Array<double, kPart, 1>;
  // The binary digits of k: built so, the powers never leave vector registers.
  static const Part kOnes = (Part() << 0, 1, 0, 1, 0, 1, 0, 1).finished();
  static const Part kTwos = (Part() << 0, 0, 1, 1, 0, 0, 1, 1).finished();
  static const Part kFours = (Part() << 0, 0, 0, 0, 1, 1, 1, 1).finished();
  const double square = ratio * ratio;
  const double fourth = square * square;
  Part part = (first * (1.0 + (ratio - 1.0) * kOnes)) * (1.0 + (square - 1.0) * kTwos) *
              (1.0 + (fourth - 1.0) * kFours);
  Eigen::Array<double, Count, 1> out;
  for (int k = 0; k < Count; k += kPart) {
    out.template segment<kPart>(k) = part;
    part *= fourth * fourth;
  }
  return out;
}

}  // namespace

double digamma(double x) {
  double shift = 0.0;
  while (x < 10.0) {
    shift -= 1.0 / x;
    x += 1.0;
  }
  // Asymptotic series; the first term left out is below 1e-16 for x >= 10.
  const double r = 1.0 / (x * x);
  const double series =
      r * (1.0 / 12 -
           r * (1.0 / 120 -
                r * (1.0 / 252 -
                     r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760 - r * (1.0 / 12)))))));
  return shift + std::log(x) - 0.5 / x - series;
}

double trigamma(double x) {
  double shift = 0.0;
  while (x < 10.0) {
    shift += 1.0 / (x * x);
    x += 1.0;
  }
  const double r = 1.0 / (x * x);
  const double series =
      1.0 / 6 -
      r * (1.0 / 30 - r * (1.0 / 42 - r * (1.0 / 30 - r * (5.0 / 66 - r * 691.0 / 2730))));
  return shift + 1.0 / x + 0.5 * r + r / x * series;
}

StudentTInformation student_t_information(double nu, int dim) {
  const double k = dim;
  const double a = nu + k;
  return {.gaussian_share = a / (a + 2.0),
          .scales = -2.0 / (a + 2.0),
          .scale_and_nu = -2.0 / (a * (a + 2.0)),
          .nu = 0.25 * (trigamma(0.5 * nu) - trigamma(0.5 * a)) -
                0.5 * k * (a + 4.0) / (nu * a * (a + 2.0))};
}

double tail_attenuation(double nu, double share) { return std::pow(share, nu / (nu + 8.0)); }

double draw_gamma(double shape, RandomStream& random) {
  // Marsaglia and Tsang (2000). A shape below 1 is reached from shape + 1 by a power of a uniform.
  if (shape < 1.0) {
    const double larger = draw_gamma(shape + 1.0, random);
    return larger * std::pow(1.0 - random.uniform(), 1.0 / shape);
  }
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  for (;;) {
    const double z = random.normal();
    const double root = 1.0 + c * z;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    const double u = 1.0 - random.uniform();
    if (std::log(u) < 0.5 * z * z + d - d * v + d * std::log(v)) return d * v;
  }
}

double draw_student_t(double nu, RandomStream& random) {
  const double z = random.normal();
  return z / std::sqrt(2.0 * draw_gamma(0.5 * nu, random) / nu);
}

double student_t_log_constant(double nu) {
  return std::lgamma(0.5 * (nu + 1.0)) - std::lgamma(0.5 * nu) -
         0.5 * std::log(nu * std::numbers::pi);
}

double student_t_log_constant_slope(double nu) {
  return 0.5 * (digamma(0.5 * (nu + 1.0)) - digamma(0.5 * nu) - 1.0 / nu);
}

template <int Count>
void StudentTRule<Count>::assign(double mean, double spread, double width) {
  if (!(spread > kWide * width)) {
    const StandardRule<Count>& rule = standard_rule<Count>();
    residual = mean + spread * rule.residual;
    weight = rule.weight;
    return;
  }
  // e = width sinh(t) puts the poles at t = +-i pi / 2 whatever the spread; then the trapezoidal
  // rule over the bulk of the normal converges geometrically.
  const double start = exp_asinh((mean - kReach * spread) / width);
  const double end = exp_asinh((mean + kReach * spread) / width);
  const double ratio = std::exp(std::log(end / start) / (Count - 1));
  const Nodes growth = geometric<Count>(start, ratio);
  const Nodes inverse = geometric<Count>(1.0 / start, 1.0 / ratio);
  residual = (0.5 * width) * (growth - inverse);
  const Nodes z = (residual - mean) * (1.0 / spread);
  weight = (-0.5 * z.square()).exp();
  weight *= growth + inverse;
  weight *= 1.0 / weight.sum();
}

template struct StudentTRule<24>;
template struct StudentTRule<32>;

bool short_quadrature_does(double spread, double width) {
  return spread < kNarrow * width || (spread > kWide * width && spread < kLessWide * width);
}

}  // namespace ovf
