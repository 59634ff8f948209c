#include "ovf/evaluation/autocorrelation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "ovf/math/random.hpp"

namespace ovf {
namespace {

// x_k = a x_{k-1} + noise, stationary with variance 1.
std::vector<double> autoregressive(double a, int count, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<double> values{random.normal()};
  while (static_cast<int>(values.size()) < count) {
    values.push_back(a * values.back() + std::sqrt(1.0 - a * a) * random.normal());
  }
  return values;
}

TEST(Autocorrelation, OfASmallExample) {
  // About the mean: -1.5, -0.5, 0.5, 1.5; squares sum to 5.
  const auto r = autocorrelation({1.0, 2.0, 3.0, 4.0}, 10);
  ASSERT_EQ(r.size(), 3U);
  EXPECT_NEAR(r[0], 1.25 / 5.0, 1e-12);
  EXPECT_NEAR(r[1], -1.5 / 5.0, 1e-12);
  EXPECT_NEAR(r[2], -2.25 / 5.0, 1e-12);
}

TEST(Autocorrelation, OfAFirstOrderProcessIsAPower) {
  const auto r = autocorrelation(autoregressive(0.8, 100000, 1), 5);
  // Standard error about sqrt((1 + a^2) / (1 - a^2) / n) = 0.007; four of them.
  double expected = 1.0;
  for (const double value : r) EXPECT_NEAR(value, expected *= 0.8, 0.028);
}

TEST(Autocorrelation, OfWhatNeverChangesIsNan) {
  const auto r = autocorrelation(std::vector<double>(100, 0.1), 3);
  ASSERT_EQ(r.size(), 3U);
  for (const double value : r) EXPECT_TRUE(std::isnan(value));
  EXPECT_TRUE(autocorrelation({}, 3).empty());
  EXPECT_TRUE(autocorrelation({1.0}, 3).empty());
}

TEST(EffectiveSampleSize, OfAFirstOrderProcessIsTheClosedForm) {
  // (1 - a) / (1 + a) of the count. The longer the correlations, the fewer of them fit into the
  // series: tolerances are three standard deviations of the estimate.
  const std::vector<std::pair<double, double>> cases{
      {0.0, 0.05}, {0.5, 0.07}, {0.9, 0.09}, {0.99, 0.27}, {0.995, 0.36}};
  for (const auto& [a, tolerance] : cases) {
    const auto values = autoregressive(a, 200000, 2);
    const double expected = 200000.0 * (1.0 - a) / (1.0 + a);
    EXPECT_NEAR(effective_sample_size(values) / expected, 1.0, tolerance) << a;
  }
}

TEST(EffectiveSampleSize, StaysBetweenOneAndTheCount) {
  EXPECT_EQ(effective_sample_size({}), 0.0);
  EXPECT_EQ(effective_sample_size({3.0}), 1.0);
  EXPECT_EQ(effective_sample_size(std::vector<double>(1000, 0.1)), 1.0);
  std::vector<double> alternating;
  std::vector<double> rising;
  for (int i = 0; i < 1000; ++i) {
    alternating.push_back(i % 2 == 0 ? 1.0 : -1.0);
    rising.push_back(i);
  }
  EXPECT_EQ(effective_sample_size(alternating), 1000.0);
  EXPECT_GE(effective_sample_size(rising), 1.0);
  EXPECT_LT(effective_sample_size(rising), 5.0);
  EXPECT_EQ(effective_sample_size(autoregressive(-0.9, 1000, 3)), 1000.0);
}

TEST(Whiteness, LjungBoxOfASmallExample) {
  // Ten values, two lags.
  const std::vector<double> values{1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 2.0, 3.0, 4.0, 5.0};
  const Whiteness white = test_whiteness(values);
  ASSERT_EQ(white.autocorrelation.size(), 2U);
  // Deviations -2 -1 0 1 2 twice; squares sum to 20, products to 4 - 4 + 4 and to -1 - 4 - 1.
  EXPECT_NEAR(white.autocorrelation[0], 4.0 / 20.0, 1e-12);
  EXPECT_NEAR(white.autocorrelation[1], -6.0 / 20.0, 1e-12);
  const double q = 10.0 * 12.0 * (0.04 / 9.0 + 0.09 / 8.0);
  EXPECT_NEAR(white.ljung_box, q, 1e-12);
  EXPECT_NEAR(white.p_value, std::exp(-0.5 * q), 1e-12);
}

TEST(Whiteness, OfWhiteNoiseIsAccepted) {
  // The p-value of white noise is uniform: of 400 series, 20 +- 4.4 are below 5 %. Four deviations.
  int rejected = 0;
  int outside = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Whiteness white = test_whiteness(autoregressive(0.0, 1000, 100 + seed));
    if (white.p_value < 0.05) ++rejected;
    outside += white.outside;
  }
  EXPECT_GT(rejected, 2);
  EXPECT_LT(rejected, 38);
  // Of 8000 lags 400 +- 20.
  EXPECT_GT(outside, 300);
  EXPECT_LT(outside, 480);
}

TEST(Whiteness, OfCorrelatedNoiseIsRejected) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Whiteness white = test_whiteness(autoregressive(0.3, 1000, seed));
    EXPECT_EQ(white.autocorrelation.size(), 20U);
    EXPECT_NEAR(white.bound, 1.96 / std::sqrt(1000.0), 1e-12);
    EXPECT_GE(white.outside, 1);
    EXPECT_LT(white.p_value, 1e-4);
  }
}

TEST(Whiteness, OfTooFewIsNan) {
  const Whiteness white = test_whiteness({1.0, 2.0, 1.0, 3.0});
  EXPECT_EQ(white.count, 4);
  EXPECT_TRUE(white.autocorrelation.empty());
  EXPECT_TRUE(std::isnan(white.p_value));
  EXPECT_TRUE(std::isnan(test_whiteness(std::vector<double>(50, 2.0)).p_value));
}

}  // namespace
}  // namespace ovf
