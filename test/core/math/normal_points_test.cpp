// Points that stand for a standard normal.
#include "ovf/math/normal_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ovf {
namespace {

double moment(const NormalPoints& rule, int first, int first_power, int second, int second_power) {
  return (rule.points.row(first).array().pow(first_power) *
          rule.points.row(second).array().pow(second_power) * rule.weights.transpose().array())
      .sum();
}

class NormalPointsTest : public testing::TestWithParam<int> {};

TEST_P(NormalPointsTest, HaveTheMeanAndCovarianceOfAStandardNormal) {
  const int d = GetParam();
  const NormalPoints& rule = normal_points(d);
  EXPECT_NEAR(rule.weights.sum(), 1.0, 1e-12);
  const Eigen::MatrixXd covariance =
      rule.points * rule.weights.asDiagonal() * rule.points.transpose();
  EXPECT_LT((rule.points * rule.weights).norm(), 1e-12);
  EXPECT_LT((covariance - Eigen::MatrixXd::Identity(d, d)).norm(), 1e-10);
}

TEST_P(NormalPointsTest, IntegrateAFunctionThatIsNoPolynomial) {
  const int d = GetParam();
  const NormalPoints& rule = normal_points(d);
  // E[cos(sum of z / sqrt(d))] = exp(-1/2).
  const Eigen::VectorXd sums = rule.points.colwise().sum() / std::sqrt(static_cast<double>(d));
  EXPECT_NEAR(sums.array().cos().matrix().dot(rule.weights), std::exp(-0.5), 0.03);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, NormalPointsTest, testing::Values(1, 2, 3, 4, 5, 12, 40));

TEST(FifthDegreePoints, AreExactUpToDegreeFive) {
  for (const int d : {2, 3, 6, 10}) {
    const NormalPoints& rule = fifth_degree_points(d);
    EXPECT_EQ(rule.points.cols(), 2 * d * d + 1);
    EXPECT_NEAR(rule.weights.sum(), 1.0, 1e-12);
    for (int i = 0; i < d; ++i) {
      EXPECT_NEAR(moment(rule, i, 2, i, 0), 1.0, 1e-12);
      EXPECT_NEAR(moment(rule, i, 4, i, 0), 3.0, 1e-12);
      EXPECT_NEAR(moment(rule, i, 5, i, 0), 0.0, 1e-12);
      for (int j = 0; j < i; ++j) {
        EXPECT_NEAR(moment(rule, i, 1, j, 1), 0.0, 1e-12);
        EXPECT_NEAR(moment(rule, i, 2, j, 2), 1.0, 1e-12);
        EXPECT_NEAR(moment(rule, i, 3, j, 2), 0.0, 1e-12);
      }
    }
  }
}

}  // namespace
}  // namespace ovf
