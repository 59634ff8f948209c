#include "ovf/math/tabulated_density.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ovf/math/gaussian.hpp"

namespace ovf {
namespace {

constexpr double kFirst = -1.5;
constexpr double kSpacing = 0.25;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// An uneven density with two modes and a gap between them; its constant does not matter.
Eigen::ArrayXd two_modes() {
  Eigen::ArrayXd log_values(8);
  log_values << -2.0, 0.5, 1.0, -kInfinity, -kInfinity, -0.5, 0.0, -4.0;
  return log_values + 700.0;
}

Eigen::ArrayXd grid(Eigen::Index points) {
  return kFirst + kSpacing * Eigen::ArrayXd::LinSpaced(points, 0.0, points - 1.0);
}

// The density between the points, without the class.
double interpolated(const Eigen::ArrayXd& log_values, double x) {
  const Eigen::ArrayXd values = (log_values - log_values.maxCoeff()).exp();
  const Eigen::Index last = values.size() - 1;
  const double area = kSpacing * (values.sum() - 0.5 * (values[0] + values[last]));
  const double at = (x - kFirst) / kSpacing;
  if (at < 0.0 || at > static_cast<double>(last)) return 0.0;
  const auto cell = std::min(static_cast<Eigen::Index>(at), last - 1);
  const double share = at - static_cast<double>(cell);
  return ((1.0 - share) * values[cell] + share * values[cell + 1]) / area;
}

TEST(TabulatedDensity, HasQuantilesThatInvertTheCumulativeDensity) {
  TabulatedDensity density;
  density.assign(grid(8), two_modes());
  // Midpoint rule: exact within cells of a linear density, 2e-5 where a step ends inside one.
  constexpr int kSteps = 70'000;
  const double step = 7.0 * kSpacing / kSteps;
  double cumulative = 0.0;
  int next = 1;
  for (int i = 0; i < kSteps; ++i) {
    cumulative += step * interpolated(two_modes(), kFirst + (i + 0.5) * step);
    if (cumulative < 0.01 * next) continue;
    double log_value = 0.0;
    const double x = density.quantile(0.01 * next, log_value);
    // The gap has no mass: the quantile at its edge may be either end.
    ASSERT_NEAR(x, kFirst + (i + 1) * step, 2.0 * step) << "u = " << 0.01 * next;
    ASSERT_NEAR(std::exp(log_value), interpolated(two_modes(), x), 1e-12);
    ++next;
  }
  EXPECT_NEAR(cumulative, 1.0, 1e-9);
  EXPECT_GE(next, 100);
}

// 1 = E[1 / density] / width of the support where the density is positive: by quantiles of equal
// steps in u.
TEST(TabulatedDensity, HasLogDensitiesThatIntegrateToOne) {
  Eigen::ArrayXd log_values(5);
  log_values << 3.0, 4.0, 2.5, 2.0, 3.5;
  TabulatedDensity density;
  density.assign(grid(log_values.size()), log_values);
  constexpr int kCount = 100'000;
  double sum = 0.0;
  for (int i = 0; i < kCount; ++i) {
    double log_value = 0.0;
    density.quantile((i + 0.5) / kCount, log_value);
    sum += std::exp(-log_value);
  }
  // Midpoint rule of a function with a kinked slope: of order kCount^-2.
  EXPECT_NEAR(sum / kCount, 4.0 * kSpacing, 1e-8);
}

TEST(TabulatedDensity, AgreesWithANormalForAFineTable) {
  constexpr double kMean = 3.0, kDeviation = 0.2;
  constexpr int kPoints = 1601;
  const Eigen::ArrayXd z = Eigen::ArrayXd::LinSpaced(kPoints, -8.0, 8.0);
  TabulatedDensity density;
  density.assign(kMean + kDeviation * z, -0.5 * z.square());
  for (const double expected : {-3.0, -1.5, -0.3, 0.0, 0.7, 2.0, 3.5}) {
    const double u = 0.5 * std::erfc(-expected / std::sqrt(2.0));
    double log_value = 0.0;
    const double x = density.quantile(u, log_value);
    const double z_found = (x - kMean) / kDeviation;
    // Linear interpolation misses a density by h^2 / 8 of its second derivative, here 1e-5 (z^2 -
    // 1) of it.
    EXPECT_NEAR(z_found, expected, 1e-4);
    EXPECT_NEAR(log_value, -0.5 * z_found * z_found - 0.5 * kLogTwoPi - std::log(kDeviation), 2e-4);
  }
}

TEST(TabulatedDensity, StaysWithinItsSupportAtTheEdges) {
  Eigen::ArrayXd log_values(4);
  log_values << -1.0, 0.0, -0.5, -2.0;
  TabulatedDensity density;
  density.assign(grid(log_values.size()), log_values);
  double log_value = 0.0;
  EXPECT_NEAR(density.quantile(0.0, log_value), kFirst, 1e-12);
  EXPECT_NEAR(std::exp(log_value), interpolated(log_values, kFirst), 1e-12);
  const double below_one = std::nextafter(1.0, 0.0);
  const double x = density.quantile(below_one, log_value);
  EXPECT_LE(x, kFirst + 3.0 * kSpacing);
  EXPECT_NEAR(x, kFirst + 3.0 * kSpacing, 1e-12);
  EXPECT_NEAR(std::exp(log_value), interpolated(log_values, kFirst + 3.0 * kSpacing), 1e-9);
}

TEST(TabulatedDensity, GivesAFiniteLogDensityAtEveryQuantileBesideEmptyCells) {
  Eigen::ArrayXd log_values(6);
  log_values << -1e300, -1e300, 0.0, -1e300, -kInfinity, -1e300;
  TabulatedDensity density;
  density.assign(grid(log_values.size()), log_values);
  const double peak = kFirst + 2.0 * kSpacing;
  // A triangle of two cells.
  for (const double u : {0x1p-53, 1e-9, 0.1, 0.5, 0.9, 1.0 - 1e-9, 1.0 - 0x1p-53}) {
    double log_value = 0.0;
    const double x = density.quantile(u, log_value);
    ASSERT_TRUE(std::isfinite(log_value)) << "u = " << u;
    EXPECT_NEAR(
        x,
        peak + kSpacing * (u < 0.5 ? std::sqrt(2.0 * u) - 1.0 : 1.0 - std::sqrt(2.0 * (1.0 - u))),
        1e-8);
    EXPECT_NEAR(std::exp(log_value), (1.0 - std::abs(x - peak) / kSpacing) / kSpacing, 1e-7);
  }
}

// Of 2^53 uniform numbers one is zero, and a draw without a density would spoil a whole ELBO.
TEST(TabulatedDensity, GivesAFiniteLogDensityAtZeroBesideEmptyCells) {
  Eigen::ArrayXd log_values(4);
  log_values << -1e300, 0.0, 0.0, -1e300;
  TabulatedDensity density;
  density.assign(grid(log_values.size()), log_values);
  double log_value = 0.0;
  const double x = density.quantile(0.0, log_value);
  EXPECT_GE(x, kFirst);
  EXPECT_LE(x, kFirst + 1e-3);
  EXPECT_TRUE(std::isfinite(log_value)) << log_value;
}

// A refined stretch of the grid changes nothing where the density is linear anyway.
TEST(TabulatedDensity, TakesPointsAtUnequalDistances) {
  Eigen::ArrayXd points(5), log_values(5);
  points << 0.0, 1.0, 1.25, 1.5, 3.0;
  const Eigen::ArrayXd values = (Eigen::ArrayXd(5) << 1.0, 2.0, 2.5, 3.0, 0.0).finished();
  log_values = values.log();
  TabulatedDensity density;
  density.assign(points, log_values);
  Eigen::ArrayXd coarse(4);
  coarse << 0.0, 1.0, 1.5, 3.0;
  TabulatedDensity same;
  same.assign(coarse, (Eigen::ArrayXd(4) << 1.0, 2.0, 3.0, 0.0).finished().log());
  for (const double u : {0.01, 0.2, 0.35, 0.4, 0.45, 0.5, 0.9, 0.999}) {
    double log_value = 0.0;
    double expected_log_value = 0.0;
    const double x = density.quantile(u, log_value);
    EXPECT_NEAR(x, same.quantile(u, expected_log_value), 1e-12);
    EXPECT_NEAR(log_value, expected_log_value, 1e-12);
  }
}

}  // namespace
}  // namespace ovf
