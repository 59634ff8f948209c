#include "ovf/math/chi_square.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ovf {
namespace {

TEST(ChiSquare, AgreesWithTables) {
  EXPECT_NEAR(chi_square_quantile(0.95, 1.0), 3.841459, 1e-6);
  EXPECT_NEAR(chi_square_quantile(0.95, 2.0), 5.991465, 1e-6);
  EXPECT_NEAR(chi_square_quantile(0.99, 3.0), 11.344867, 1e-6);
  EXPECT_NEAR(chi_square_quantile(0.999, 6.0), 22.457744, 1e-6);
  EXPECT_NEAR(chi_square_quantile(0.025, 100.0), 74.221927, 1e-6);
}

TEST(ChiSquare, OfTwoDegreesIsExponential) {
  for (const double x : {0.01, 0.5, 3.0, 20.0, 200.0}) {
    EXPECT_NEAR(chi_square_probability(x, 2.0), -std::expm1(-0.5 * x), 1e-14) << x;
  }
}

TEST(ChiSquare, QuantileUndoesProbability) {
  for (const double degrees : {1.0, 2.0, 5.0, 30.0, 1000.0}) {
    for (const double p : {1e-6, 0.05, 0.5, 0.9, 0.9999}) {
      EXPECT_NEAR(chi_square_probability(chi_square_quantile(p, degrees), degrees), p, 1e-10);
    }
  }
}

TEST(ChiSquare, HasItsEnds) {
  EXPECT_EQ(chi_square_quantile(0.0, 3.0), 0.0);
  EXPECT_EQ(chi_square_quantile(1.0, 3.0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(chi_square_probability(0.0, 3.0), 0.0);
  EXPECT_EQ(chi_square_probability(std::numeric_limits<double>::infinity(), 3.0), 1.0);
}

TEST(ChiSquare, SurvivalIsTheRest) {
  for (const double x : {0.01, 3.0, 40.0}) {
    for (const double degrees : {1.0, 5.0, 30.0}) {
      EXPECT_NEAR(chi_square_survival(x, degrees), 1.0 - chi_square_probability(x, degrees), 1e-14);
    }
  }
  EXPECT_EQ(chi_square_survival(0.0, 3.0), 1.0);
  EXPECT_EQ(chi_square_survival(std::numeric_limits<double>::infinity(), 3.0), 0.0);
}

TEST(ChiSquare, SurvivalIsExactFarOut) {
  for (const double x : {100.0, 500.0, 1200.0}) {
    EXPECT_NEAR(chi_square_survival(x, 2.0) / std::exp(-0.5 * x), 1.0, 1e-10) << x;
  }
}

}  // namespace
}  // namespace ovf
