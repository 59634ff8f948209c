#include "ovf/math/student_t.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ovf {
namespace {

// Five standard errors are exceeded once in two million seeds, and the seeds are fixed.
constexpr double kErrors = 5.0;
constexpr int kDraws = 400'000;

TEST(Digamma, HasItsKnownValues) {
  const double euler = std::numbers::egamma;
  EXPECT_NEAR(digamma(1.0), -euler, 1e-14);
  EXPECT_NEAR(digamma(0.5), -euler - 2.0 * std::numbers::ln2, 1e-14);
  EXPECT_NEAR(digamma(4.0), -euler + 1.0 + 1.0 / 2 + 1.0 / 3, 1e-14);
  EXPECT_NEAR(digamma(1e6), std::log(1e6) - 0.5e-6, 1e-12);
}

TEST(Digamma, GrowsByTheInverseFromOneNumberToTheNext) {
  for (const double x : {0.01, 0.3, 1.7, 9.2, 9.99, 10.5, 200.0}) {
    EXPECT_NEAR(digamma(x + 1.0) - digamma(x), 1.0 / x, 2e-15 + 2e-14 / x) << x;
  }
}

TEST(Trigamma, IsTheDerivativeOfDigamma) {
  EXPECT_NEAR(trigamma(1.0), std::numbers::pi * std::numbers::pi / 6.0, 1e-13);
  for (const double x : {0.3, 1.7, 9.2, 10.5, 200.0}) {
    const double step = 1e-5 * x;
    const double numerical = (digamma(x + step) - digamma(x - step)) / (2.0 * step);
    EXPECT_NEAR(trigamma(x) / numerical, 1.0, 1e-8) << x;
  }
}

// Against averages of products of scores over draws.
TEST(StudentT, HasItsFisherInformation) {
  for (const int k : {1, 3}) {
    for (const double nu : {1.5, 4.0, 20.0}) {
      RandomStream random(41);
      double scale = 0.0;
      double scales = 0.0;
      double scale_and_nu = 0.0;
      double nu_square = 0.0;
      Eigen::VectorXd w(k);
      for (int n = 0; n < kDraws; ++n) {
        random.fill_normal(w);
        w /= std::sqrt(2.0 * draw_gamma(0.5 * nu, random) / nu);
        const double square = w.squaredNorm();
        const double by_nu =
            0.5 * (digamma(0.5 * (nu + k)) - digamma(0.5 * nu) - k / nu - std::log1p(square / nu) +
                   (nu + k) * square / (nu * (nu + square)));
        const Eigen::VectorXd by_scale = (nu + k) * w.cwiseAbs2().array() / (nu + square) - 1.0;
        scale += by_scale[0] * by_scale[0] / kDraws;
        scales += by_scale[0] * by_scale[k - 1] / kDraws;
        scale_and_nu += by_scale[0] * by_nu / kDraws;
        nu_square += by_nu * by_nu / kDraws;
      }
      const StudentTInformation information = student_t_information(nu, k);
      EXPECT_NEAR(scale, 2.0 * information.gaussian_share + information.scales, 0.02) << nu;
      if (k > 1) {
        EXPECT_NEAR(scales, information.scales, 0.01) << nu;
      }
      EXPECT_NEAR(scale_and_nu / information.scale_and_nu, 1.0, 0.05) << nu;
      EXPECT_NEAR(nu_square / information.nu, 1.0, 0.05) << nu;
    }
  }
}

TEST(StudentT, HasTheDerivativeOfItsLogConstant) {
  for (const double nu : {0.5, 1.0, 2.0, 7.3, 100.0}) {
    const double step = 1e-5 * nu;
    const double numerical =
        (student_t_log_constant(nu + step) - student_t_log_constant(nu - step)) / (2.0 * step);
    EXPECT_NEAR(student_t_log_constant_slope(nu), numerical, 1e-8) << nu;
  }
  EXPECT_NEAR(student_t_log_constant(1.0), -std::log(std::numbers::pi), 1e-14);
}

TEST(GammaDraw, HasItsMeanAndVariance) {
  for (const double shape : {0.25, 0.5, 1.0, 3.7, 50.0}) {
    RandomStream random(81);
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < kDraws; ++i) {
      const double x = draw_gamma(shape, random);
      ASSERT_GE(x, 0.0);
      sum += x;
      squares += (x - shape) * (x - shape);
    }
    EXPECT_NEAR(sum / kDraws, shape, kErrors * std::sqrt(shape / kDraws)) << shape;
    // The fourth central moment is 3 shape^2 + 6 shape.
    const double error = std::sqrt((2.0 * shape * shape + 6.0 * shape) / kDraws);
    EXPECT_NEAR(squares / kDraws, shape, kErrors * error) << shape;
  }
}

// Share of draws below the quantile p must be p, with a binomial error.
void expect_quantile(double nu, double quantile, double p) {
  RandomStream random(82);
  int below = 0;
  for (int i = 0; i < kDraws; ++i) below += draw_student_t(nu, random) < quantile ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(below) / kDraws, p, kErrors * std::sqrt(p * (1.0 - p) / kDraws))
      << "nu " << nu << ", quantile " << quantile;
}

TEST(StudentT, DrawsHaveTheClosedFormQuantiles) {
  for (const double x : {-30.0, -2.0, -0.4, 0.0, 0.7, 5.0}) {
    expect_quantile(1.0, x, 0.5 + std::atan(x) / std::numbers::pi);
    expect_quantile(2.0, x, 0.5 + 0.5 * x / std::sqrt(2.0 + x * x));
    // nu = 4, with s = x / sqrt(1 + x^2 / 4).
    const double s = x / std::sqrt(1.0 + 0.25 * x * x);
    expect_quantile(4.0, x, 0.5 + 0.375 * (s - s * s * s / 12.0));
  }
}

TEST(StudentT, DrawsHaveTheVarianceOfManyDegreesOfFreedom) {
  constexpr double kNu = 12.0;
  RandomStream random(83);
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) squares += std::pow(draw_student_t(kNu, random), 2);
  // Variance nu / (nu - 2), fourth moment 3 nu^2 / ((nu - 2)(nu - 4)).
  const double variance = kNu / (kNu - 2.0);
  const double fourth = 3.0 * kNu * kNu / ((kNu - 2.0) * (kNu - 4.0));
  EXPECT_NEAR(squares / kDraws, variance,
              kErrors * std::sqrt((fourth - variance * variance) / kDraws));
}

// E[h(e)] for e ~ N(mean, spread^2) by the trapezoidal rule, here exact to rounding.
template <typename Function>
double brute_force(double mean, double spread, const Function& h) {
  constexpr int kSteps = 40'000;
  double sum = 0.0, weights = 0.0;
  for (int i = 0; i <= kSteps; ++i) {
    const double z = -9.0 + 18.0 * i / kSteps;
    const double weight = std::exp(-0.5 * z * z);
    sum += weight * h(mean + spread * z);
    weights += weight;
  }
  return sum / weights;
}

class StudentTQuadratureWidth : public ::testing::TestWithParam<double> {};

TEST_P(StudentTQuadratureWidth, IntegratesTheLogDensityAndItsDerivatives) {
  const double width = GetParam();
  StudentTQuadrature rule;
  for (const double spread : {0.0, 0.1, 0.5, 0.8, 1.0, 1.2, 2.0, 4.0, 10.0}) {
    for (const double mean : {0.0, 0.3, -1.0, 2.0, 5.0, -20.0}) {
      rule.assign(mean, spread, width);
      const auto log_part = [&](auto e) { return std::log1p(e * e / (width * width)); };
      const auto first = [&](auto e) { return e / (width * width + e * e); };
      const auto second = [&](auto e) {
        return (width * width - e * e) / std::pow(width * width + e * e, 2);
      };
      const auto integrate = [&](const auto& h) {
        return rule.weight.matrix().dot(rule.residual.unaryExpr(h).matrix());
      };
      // Measured: 1e-4 for the widest spreads; 5e-6 and 1e-4 of the derivatives where the rules
      // change.
      EXPECT_NEAR(integrate(log_part), brute_force(mean, spread, log_part), 3e-4);
      EXPECT_NEAR(integrate(first), brute_force(mean, spread, first), 2e-5 / width);
      EXPECT_NEAR(integrate(second), brute_force(mean, spread, second), 2e-4 / (width * width));
    }
  }
}

TEST_P(StudentTQuadratureWidth, NeedsFewerNodesForSomeSpreads) {
  const double width = GetParam();
  ShortStudentTQuadrature rule;
  for (const double share : {0.0, 0.1, 0.3, 0.499, 0.801, 0.9, 1.0, 1.1, 1.249}) {
    const double spread = share * width;
    ASSERT_TRUE(short_quadrature_does(spread, width));
    for (const double mean : {0.0, 0.3, -1.0, 2.0, 5.0, -20.0}) {
      rule.assign(mean, spread, width);
      const auto log_part = [&](auto e) { return std::log1p(e * e / (width * width)); };
      const auto slope = [&](auto e) { return e / (width * width + e * e); };
      const auto integrate = [&](const auto& h) {
        return rule.weight.matrix().dot(rule.residual.unaryExpr(h).matrix());
      };
      EXPECT_NEAR(integrate(log_part), brute_force(mean, spread, log_part), 1e-5);
      EXPECT_NEAR(integrate(slope), brute_force(mean, spread, slope), 1e-6 / width);
    }
  }
  for (const double share : {0.501, 0.799, 1.251, 3.0}) {
    EXPECT_FALSE(short_quadrature_does(share * width, width));
  }
}

// sqrt(nu) for a scale of 1 and nu of 0.5, 1, 2, 5, 30.
INSTANTIATE_TEST_SUITE_P(, StudentTQuadratureWidth,
                         ::testing::Values(0.707, 1.0, 1.414, 2.236, 5.477));

}  // namespace
}  // namespace ovf
