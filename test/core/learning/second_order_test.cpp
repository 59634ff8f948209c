#include "ovf/learning/second_order.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <vector>

#include "math/random_inputs.hpp"
#include "ovf/math/random.hpp"

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
    // Wider where the scores of so few steps happen to vary more than expected.
    const Eigen::ArrayXd widening =
        rule.standard_deviations().array() / covariance.diagonal().array().sqrt();
    EXPECT_GE(widening.minCoeff(), 1.0 - kRounding) << t;
    EXPECT_LE(widening.maxCoeff(), 1.5) << t;
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
    const Eigen::VectorXd row = stream.rows.row(t);
    rule.step(Eigen::VectorXd::Zero(kCount), row * row.transpose() / kNoiseVariance, numbers);
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

// Whatever it had gathered before: scores that all point one way are no chance. The mean of all
// targets would be two thirds.
TEST(SecondOrder, FollowsAChange) {
  SecondOrder rule(without_step_limit(), 1);
  RandomInputs inputs(122);
  Eigen::VectorXd number = Eigen::VectorXd::Zero(1);
  for (int t = 0; t < 900; ++t) {
    const double y = (t < 300 ? 0.0 : 1.0) + 0.1 * inputs.vector(1)[0];
    const double gradient = (y - number[0]) / 0.01;
    rule.step(Eigen::VectorXd::Constant(1, gradient), Eigen::MatrixXd::Constant(1, 1, 100.0),
              number);
  }
  EXPECT_NEAR(number[0], 1.0, 0.05);
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

// A gradient from far away counts for no more than a step of the longest length.
TEST(SecondOrder, CutsOuterProductsToTheLongestStep) {
  LearningConfig config = without_step_limit();
  config.longest_step = 0.5;
  SecondOrder rule(config, 1);
  Eigen::VectorXd number = Eigen::VectorXd::Zero(1);
  rule.step(Eigen::VectorXd::Constant(1, 1e6), {}, number);
  EXPECT_NEAR(rule.precision()(0, 0), 0.25 * (1.0 + 0.5 * 0.5), kRounding);
}

// log sigma of Gaussian residuals: information 2 each, wherever it is.
double learned_noise(double start, std::uint64_t seed, double& deviation) {
  LearningConfig config;
  config.rule = LearningRule::kSecondOrder;
  config.prior_deviation = std::log(3.0);
  SecondOrder rule(config, 1);
  RandomStream random(seed);
  Eigen::VectorXd number = Eigen::VectorXd::Constant(1, std::log(start));
  double squares = 0.0;
  constexpr int kSteps = 2000;
  for (int t = 0; t < kSteps; ++t) {
    const double e = random.normal();
    squares += e * e;
    const double score = e * e * std::exp(-2.0 * number[0]) - 1.0;
    rule.step(Eigen::VectorXd::Constant(1, score), Eigen::MatrixXd::Constant(1, 1, 2.0), number);
  }
  deviation = rule.standard_deviations()[0];
  return number[0] - 0.5 * std::log(squares / kSteps);
}

TEST(SecondOrder, FindsANoiseLevelFromAnyStart) {
  for (const double start : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      double deviation = 0.0;
      EXPECT_NEAR(learned_noise(start, seed, deviation), 0.0, 0.03) << start << " " << seed;
      // Never less than the information of all residuals allows; more where some was forgotten.
      EXPECT_GT(deviation, 0.99 / std::sqrt(4000.0)) << start;
      EXPECT_LT(deviation, 2.0 / std::sqrt(4000.0)) << start;
    }
  }
}

// The mean of a series with correlation c from one to the next: its variance is (1 + c) / (1 - c)
// times that of independent numbers.
double stated_deviation(double correlation, int steps, double& error) {
  LearningConfig config;
  config.rule = LearningRule::kSecondOrder;
  config.prior_deviation = 1.0;
  SecondOrder rule(config, 1);
  RandomStream random(17);
  Eigen::VectorXd number = Eigen::VectorXd::Zero(1);
  double y = 0.0;
  for (int t = 0; t < steps; ++t) {
    y = correlation * y + std::sqrt(1.0 - correlation * correlation) * random.normal();
    rule.step(Eigen::VectorXd::Constant(1, y - number[0]), Eigen::MatrixXd::Ones(1, 1), number);
  }
  error = number[0];
  return rule.standard_deviations()[0];
}

TEST(SecondOrder, WidensItsDeviationWhereScoresAreCorrelated) {
  constexpr int kSteps = 20'000;
  for (const double correlation : {0.0, 0.5, 0.9}) {
    double error = 0.0;
    const double expected = std::sqrt((1.0 + correlation) / (1.0 - correlation) / kSteps);
    EXPECT_NEAR(stated_deviation(correlation, kSteps, error) / expected, 1.0, 0.2) << correlation;
    EXPECT_LT(std::abs(error), 3.0 * expected) << correlation;
  }
}

TEST(SecondOrder, NeverStatesLessThanItsInformationGives) {
  // Scores that cancel: far less than the model's variance.
  SecondOrder rule(without_step_limit(), 1);
  Eigen::VectorXd number = Eigen::VectorXd::Zero(1);
  for (int t = 0; t < 100; ++t) {
    const double score = t % 2 == 0 ? 0.1 : -0.1;
    rule.step(Eigen::VectorXd::Constant(1, score), Eigen::MatrixXd::Ones(1, 1), number);
  }
  EXPECT_GE(rule.standard_deviations()[0], 1.0 / std::sqrt(100.25) - kRounding);
}

}  // namespace
}  // namespace ovf
