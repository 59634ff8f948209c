#include "ovf/math/gauss_hermite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

double expect_power(const GaussHermite& rule, int power) {
  return rule.weights.dot(rule.nodes.array().pow(power).matrix());
}

// E[z^power] of a standard normal: 1 * 3 * ... * (power - 1).
double normal_moment(int power) {
  if (power % 2 == 1) return 0.0;
  double moment = 1.0;
  for (int k = 1; k < power; k += 2) moment *= k;
  return moment;
}

TEST(GaussHermite, IsExactForPolynomialsUpToTwiceThePointsMinusOne) {
  for (const int n : {1, 2, 3, 8, 20, 64}) {
    const GaussHermite rule = gauss_hermite(n);
    for (int power = 0; power <= 2 * n - 1; ++power) {
      // Odd moments vanish by symmetry, but for rounding of the terms.
      const double size = normal_moment(power + power % 2);
      EXPECT_NEAR(expect_power(rule, power), normal_moment(power), 1e-11 * size)
          << n << " points, power " << power;
    }
  }
}

TEST(GaussHermite, MissesTheNextPolynomial) {
  for (const int n : {1, 2, 3, 8}) {
    EXPECT_LT(expect_power(gauss_hermite(n), 2 * n), 0.999 * normal_moment(2 * n));
  }
}

TEST(GaussHermite, ExpectsASmoothFunctionToRounding) {
  // E[cos(2 z)] = exp(-2).
  for (const int n : {32, 127, 128}) {
    const GaussHermite rule = gauss_hermite(n);
    EXPECT_NEAR(rule.weights.dot((2.0 * rule.nodes).array().cos().matrix()), std::exp(-2.0), 1e-13);
  }
}

TEST(GaussHermite, HasSymmetricAscendingNodesAndPositiveWeights) {
  for (const int n : {1, 5, 32, 128}) {
    const GaussHermite rule = gauss_hermite(n);
    ASSERT_EQ(rule.nodes.size(), n);
    EXPECT_EQ(rule.nodes, -rule.nodes.reverse().eval());
    EXPECT_TRUE((rule.weights.array() > 0.0).all());
    for (int k = 1; k < n; ++k) EXPECT_LT(rule.nodes[k - 1], rule.nodes[k]);
  }
}

TEST(GaussHermite, RefusesANumberOfPointsOutOfRange) {
  for (const int n : {-1, 0, 129}) {
    const std::string text = test::message_of([&] { gauss_hermite(n); });
    EXPECT_TRUE(test::contains(text, std::to_string(n) + " points; expected 1 to 128")) << text;
  }
}

}  // namespace
}  // namespace ovf
