#include "ovf/learning/second_order.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr double kRounding = 1e-10;
constexpr double kNoiseVariance = 0.09;
constexpr int kCount = 3;

LearningConfig without_step_limit() {
  LearningConfig config;
  config.rule = LearningRule::kSecondOrder;
  config.prior_deviation = 2.0;
  config.longest_step = 1e9;
  return config;
}

// The stream y = a' theta + noise.
struct Regression {
  explicit Regression(int steps) {
    RandomInputs inputs(121);
    theta = inputs.vector(kCount);
    rows = inputs.matrix(steps, kCount);
    y = rows * theta + std::sqrt(kNoiseVariance) * inputs.vector(steps);
  }
  void step(int t, UpdateRule& rule, Eigen::VectorXd& numbers) const {
    const Eigen::VectorXd a = rows.row(t);
    const Eigen::VectorXd gradient = a * (y[t] - a.dot(numbers)) / kNoiseVariance;
    rule.step(gradient, a * a.transpose() / kNoiseVariance, numbers);
  }
  Eigen::VectorXd theta, y;
  Eigen::MatrixXd rows;
};

TEST(SecondOrder, EqualsBayesianLinearRegression) {
  const Regression stream(40);
  SecondOrder rule(without_step_limit(), kCount);
  const Eigen::VectorXd start = Eigen::Vector3d(0.5, -1.0, 2.0);
  Eigen::VectorXd numbers = start;
  // Prior N(start, 2^2 I), all data at once.
  Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(kCount, kCount) / 4.0;
  Eigen::VectorXd weighted = start / 4.0;
  for (int t = 0; t < stream.y.size(); ++t) {
    stream.step(t, rule, numbers);
    precision += stream.rows.row(t).transpose() * stream.rows.row(t) / kNoiseVariance;
    weighted += stream.rows.row(t).transpose() * stream.y[t] / kNoiseVariance;
    const Eigen::MatrixXd covariance = precision.inverse();
    EXPECT_TRUE(all_close(numbers, covariance * weighted, kRounding)) << t;
    EXPECT_TRUE(all_close(rule.precision(), precision, kRounding)) << t;
    EXPECT_TRUE(
        all_close(rule.standard_deviations(), covariance.diagonal().cwiseSqrt(), kRounding));
  }
}

TEST(SecondOrder, DiscountsThePastButNeverThePrior) {
  constexpr double kRetention = 0.8;
  LearningConfig config = without_step_limit();
  config.retention = kRetention;
  const Regression stream(30);
  SecondOrder rule(config, kCount);
  Eigen::VectorXd numbers = Eigen::VectorXd::Zero(kCount);
  const Eigen::MatrixXd prior = Eigen::MatrixXd::Identity(kCount, kCount) / 4.0;
  Eigen::MatrixXd information = Eigen::MatrixXd::Zero(kCount, kCount);
  for (int t = 0; t < stream.y.size(); ++t) {
    stream.step(t, rule, numbers);
    information = kRetention * information +
                  stream.rows.row(t).transpose() * stream.rows.row(t) / kNoiseVariance;
    EXPECT_TRUE(all_close(rule.precision(), prior + information, kRounding)) << t;
  }
  // Nothing more to learn from: back to the prior, not beyond.
  for (int t = 0; t < 10000; ++t) {
    rule.step(Eigen::VectorXd::Zero(kCount), Eigen::MatrixXd::Zero(kCount, kCount), numbers);
  }
  EXPECT_TRUE(all_close(rule.precision(), prior, kRounding));
}

TEST(SecondOrder, IgnoresAnInformationThatIsNotPositive) {
  SecondOrder rule(without_step_limit(), 1);
  Eigen::VectorXd number = Eigen::VectorXd::Zero(1);
  rule.step(Eigen::VectorXd::Ones(1), Eigen::MatrixXd::Constant(1, 1, -100.0), number);
  EXPECT_EQ(number[0], 0.0);
  EXPECT_NEAR(rule.standard_deviations()[0], 2.0, kRounding);
  rule.step(Eigen::VectorXd::Ones(1), Eigen::MatrixXd::Ones(1, 1), number);
  EXPECT_NEAR(number[0], 1.0 / 1.25, kRounding);
}

TEST(SecondOrder, FollowsAChangeOnlyWithRetention) {
  const auto last_after_change = [](double retention) {
    LearningConfig config = without_step_limit();
    config.retention = retention;
    SecondOrder rule(config, 1);
    Eigen::VectorXd number = Eigen::VectorXd::Zero(1);
    for (int t = 0; t < 400; ++t) {
      const double target = t < 300 ? 0.0 : 1.0;
      const Eigen::VectorXd gradient = Eigen::VectorXd::Constant(1, target - number[0]);
      rule.step(gradient, Eigen::MatrixXd::Ones(1, 1), number);
    }
    return number[0];
  };
  // Weighted means of the targets: a quarter of them are 1; the discounted past weighs 0.95^100.
  EXPECT_NEAR(last_after_change(1.0), 0.25, 0.01);
  EXPECT_NEAR(last_after_change(0.95), 1.0 - std::pow(0.95, 100), 1e-3);
}

TEST(SecondOrder, UsesTheOuterProductOfTheGradientWithoutInformation) {
  SecondOrder rule(without_step_limit(), 2);
  const Eigen::Vector2d gradient(0.6, -1.1);
  Eigen::VectorXd numbers = Eigen::VectorXd::Zero(2);
  rule.step(gradient, Eigen::MatrixXd(), numbers);
  const Eigen::MatrixXd precision =
      Eigen::MatrixXd::Identity(2, 2) / 4.0 + gradient * gradient.transpose();
  EXPECT_TRUE(all_close(rule.precision(), precision, kRounding));
  EXPECT_TRUE(all_close(numbers, precision.inverse() * gradient, kRounding));
}

TEST(SecondOrder, LimitsTheStepInPosteriorStandardDeviations) {
  LearningConfig config = without_step_limit();
  config.longest_step = 0.5;
  SecondOrder rule(config, 2);
  const Eigen::Vector2d gradient(300.0, -100.0);
  const Eigen::MatrixXd information = Eigen::Matrix2d{{5.0, 1.0}, {1.0, 2.0}};
  Eigen::VectorXd numbers = Eigen::VectorXd::Zero(2);
  rule.step(gradient, information, numbers);
  const Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(2, 2) / 4.0 + information;
  EXPECT_NEAR(std::sqrt(numbers.dot(precision * numbers)), 0.5, kRounding);
  // Shortened, not turned.
  const Eigen::VectorXd unlimited = precision.inverse() * gradient;
  EXPECT_NEAR(numbers.normalized().dot(unlimited.normalized()), 1.0, kRounding);
}

TEST(SecondOrder, DoesNotLengthenStepsBelowTheLimit) {
  LearningConfig config = without_step_limit();
  config.longest_step = 0.5;
  SecondOrder rule(config, 1);
  Eigen::VectorXd number = Eigen::VectorXd::Zero(1);
  rule.step(Eigen::VectorXd::Constant(1, 0.01), Eigen::MatrixXd::Ones(1, 1), number);
  EXPECT_NEAR(number[0], 0.01 / 1.25, kRounding);
  rule.step(Eigen::VectorXd::Zero(1), Eigen::MatrixXd::Ones(1, 1), number);
  EXPECT_NEAR(number[0], 0.01 / 1.25, kRounding);
}

TEST(SecondOrder, BeginsWithThePriorDeviation) {
  const SecondOrder rule(without_step_limit(), 2);
  EXPECT_TRUE(all_close(rule.standard_deviations(), Eigen::Vector2d(2.0, 2.0), kRounding));
}

// With weights (k / t) the outer products of step k = 1, 2, 3 count 1/3, 2/3 and 1.
TEST(SecondOrder, FadesOuterProductsThatStandInForInformation) {
  SecondOrder rule(without_step_limit(), 1);
  Eigen::VectorXd number = Eigen::VectorXd::Zero(1);
  for (const double gradient : {3.0, 2.0, 1.0}) {
    rule.step(Eigen::VectorXd::Constant(1, gradient), {}, number);
  }
  EXPECT_NEAR(rule.precision()(0, 0), 0.25 + 9.0 / 3.0 + 4.0 * 2.0 / 3.0 + 1.0, kRounding);
}

}  // namespace
}  // namespace ovf
