#include "ovf/learning/parameter_learner.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRate = 0.01;

// theta = (2, 0.5, 1, 0.2): free, positive, bounded in [-1, 4], and held in [0, 1].
ParameterVector one_of_each() {
  ParameterVector parameters;
  parameters.add({.name = "free"}, 2.0);
  parameters.add({.name = "positive", .transform = Transform::kPositive}, 0.5);
  parameters.add({.name = "bounded", .transform = Transform::kBounded, .lower = -1.0, .upper = 4.0},
                 1.0);
  parameters.add({.name = "held", .lower = 0.0, .upper = 1.0}, 0.2);
  return parameters;
}
// d value / d number there; (1 + 1)(4 - 1) / 5 for the bounded one.
const Eigen::Vector4d kSlope(1.0, 0.5, 1.2, 1.0);
const Eigen::Vector4d kGradient(1.0, -2.0, 3.0, 4.0);

LearningConfig config_of(LearningRule rule) {
  LearningConfig config;
  config.rule = rule;
  config.burn_in = 0;
  config.schedule = {.rate = kRate, .scale = 0.0};
  config.prior_deviation = 0.4;
  config.longest_step = 1e9;
  return config;
}

Eigen::VectorXd numbers_of(const Eigen::VectorXd& values) {
  ParameterVector parameters = one_of_each();
  parameters.set_values(values);
  return parameters.unconstrained();
}

TEST(ParameterLearner, KeepsThetaWithoutARule) {
  ParameterLearner learner(config_of(LearningRule::kNone), one_of_each());
  EXPECT_FALSE(learner.active());
  EXPECT_FALSE(learner.update({kGradient, {}}));
  EXPECT_EQ(learner.values(), one_of_each().values());
  EXPECT_EQ(learner.standard_deviations().size(), 0);
  EXPECT_FALSE(ParameterLearner(config_of(LearningRule::kGradient), ParameterVector()).active());
}

TEST(ParameterLearner, BeginsAfterTheBurnIn) {
  LearningConfig config = config_of(LearningRule::kGradient);
  config.burn_in = 3;
  ParameterLearner learner(config, one_of_each());
  EXPECT_TRUE(learner.active());
  for (int t = 0; t < 3; ++t) {
    EXPECT_FALSE(learner.update({kGradient, {}}));
    EXPECT_EQ(learner.values(), one_of_each().values());
  }
  EXPECT_TRUE(learner.update({kGradient, {}}));
  EXPECT_NE(learner.values(), one_of_each().values());
}

TEST(ParameterLearner, KeepsThetaWhileFrozenAndGoesOnWhenResumed) {
  ParameterLearner learner(config_of(LearningRule::kGradient), one_of_each());
  learner.freeze();
  EXPECT_TRUE(learner.frozen());
  for (int t = 0; t < 5; ++t) EXPECT_FALSE(learner.update({kGradient, {}}));
  EXPECT_EQ(learner.values(), one_of_each().values());
  learner.resume();
  EXPECT_FALSE(learner.frozen());
  EXPECT_TRUE(learner.update({kGradient, {}}));
  EXPECT_NEAR(learner.values()[0], 2.0 + kRate, 1e-14);
}

TEST(ParameterLearner, MovesTheNumbersByTheChainRule) {
  ParameterLearner learner(config_of(LearningRule::kGradient), one_of_each());
  ASSERT_TRUE(learner.update({kGradient, {}}));
  const Eigen::VectorXd moved = numbers_of(learner.values()) - numbers_of(one_of_each().values());
  EXPECT_TRUE(all_close(moved, kRate * kGradient.cwiseProduct(kSlope), 1e-12));
}

TEST(ParameterLearner, TakesTheSlopeAtThePresentTheta) {
  ParameterLearner learner(config_of(LearningRule::kGradient), one_of_each());
  ASSERT_TRUE(learner.update({kGradient, {}}));
  const double positive = learner.values()[1];
  ASSERT_TRUE(learner.update({kGradient, {}}));
  EXPECT_NEAR(std::log(learner.values()[1] / positive), kRate * kGradient[1] * positive, 1e-13);
}

TEST(ParameterLearner, TransformsTheInformationLikeTheGradientTwice) {
  const LearningConfig config = config_of(LearningRule::kSecondOrder);
  ParameterLearner learner(config, one_of_each());
  EXPECT_TRUE(learner.wants_information());
  test::RandomInputs inputs(131);
  const Eigen::MatrixXd information = inputs.covariance(4, CovarianceForm::kFull);
  const Eigen::Vector4d gradient = 0.1 * kGradient;
  ASSERT_TRUE(learner.update({gradient, information}));

  const auto rule = make_update_rule(config, 4);
  Eigen::VectorXd numbers = numbers_of(one_of_each().values());
  rule->step(gradient.cwiseProduct(kSlope), kSlope.asDiagonal() * information * kSlope.asDiagonal(),
             numbers);
  EXPECT_TRUE(all_close(numbers_of(learner.values()), numbers, 1e-12));
}

TEST(ParameterLearner, UsesTheGradientAloneWhenAnIncrementHasNoInformation) {
  const LearningConfig config = config_of(LearningRule::kSecondOrder);
  ParameterVector one;
  one.add({.name = "free"}, 0.0);
  ParameterLearner learner(config, one);
  const Eigen::VectorXd gradient = Eigen::VectorXd::Constant(1, 2.0);
  ASSERT_TRUE(learner.update({gradient, Eigen::MatrixXd::Constant(1, 1, 50.0)}));
  ASSERT_TRUE(learner.update({gradient, {}}));
  // 1 / 0.4^2 and the two increments: 50 given, then 2^2 in place of one that is missing.
  EXPECT_NEAR(learner.standard_deviations()[0], 1.0 / std::sqrt(6.25 + 50.0 + 4.0), 1e-12);
}

TEST(ParameterLearner, HasStandardDeviationsByTheDeltaMethod) {
  ParameterLearner learner(config_of(LearningRule::kSecondOrder), one_of_each());
  EXPECT_TRUE(all_close(learner.standard_deviations(), 0.4 * kSlope, 1e-12));
  ASSERT_TRUE(
      learner.update({Eigen::Vector4d::Zero(), Eigen::Vector4d(1.0, 2.0, 3.0, 4.0).asDiagonal()}));
  const Eigen::Array4d precision =
      6.25 + Eigen::Array4d(1.0, 2.0, 3.0, 4.0) * kSlope.array().square();
  EXPECT_TRUE(all_close(learner.standard_deviations(), kSlope.array() / precision.sqrt(), 1e-12));
}

TEST(ParameterLearner, LeavesThetaAsItWasWhenAnIncrementIsNotFinite) {
  for (const auto rule :
       {LearningRule::kGradient, LearningRule::kAdam, LearningRule::kSecondOrder}) {
    ParameterLearner learner(config_of(rule), one_of_each()), clean(config_of(rule), one_of_each());
    for (const double bad : {kNan, kInfinity, -kInfinity}) {
      Eigen::Vector4d gradient = kGradient;
      gradient[2] = bad;
      EXPECT_FALSE(learner.update({gradient, {}}));
      Eigen::MatrixXd information = Eigen::MatrixXd::Identity(4, 4);
      information(3, 1) = bad;
      EXPECT_FALSE(learner.update({kGradient, information}));
      EXPECT_EQ(learner.values(), one_of_each().values());
    }
    // Nothing of them is left in the rule either.
    EXPECT_TRUE(learner.update({kGradient, Eigen::MatrixXd::Identity(4, 4)}));
    EXPECT_TRUE(clean.update({kGradient, Eigen::MatrixXd::Identity(4, 4)}));
    EXPECT_EQ(learner.values(), clean.values());
  }
}

TEST(ParameterLearner, KeepsEveryValueInsideItsBounds) {
  for (const auto rule :
       {LearningRule::kGradient, LearningRule::kAdam, LearningRule::kSecondOrder}) {
    for (const double sign : {1.0, -1.0}) {
      LearningConfig config = config_of(rule);
      config.schedule.rate = 5.0;
      ParameterLearner learner(config, one_of_each());
      ParameterVector model = one_of_each();
      for (int t = 0; t < 200; ++t) {
        learner.update({sign * Eigen::Vector4d(1.0, 1.0, 1.0, 1.0), {}});
        ASSERT_GT(learner.values()[1], 0.0);
        ASSERT_NO_THROW(model.set_values(learner.values())) << learner.values().transpose();
      }
    }
  }
}

// Scores that never stop pushing: no model explains them, and no standard deviation would be true.
TEST(ParameterLearner, StopsSixPriorDeviationsFromTheStartAndSaysSo) {
  ParameterLearner learner(config_of(LearningRule::kSecondOrder), one_of_each());
  ScoreIncrement increment;
  increment.gradient = Eigen::Vector4d(0.0, 1e3, 0.0, 0.0);
  increment.information = Eigen::Vector4d(1.0, 1.0, 1.0, 1.0).asDiagonal();
  EXPECT_EQ(learner.statuses()[1], ParameterStatus::kNotIdentified);
  for (int t = 0; t < 2000; ++t) learner.update(increment);
  EXPECT_DOUBLE_EQ(learner.values()[1], 0.5 * std::exp(6.0 * 0.4));
  EXPECT_EQ(learner.statuses()[1], ParameterStatus::kAtBound);
  EXPECT_EQ(learner.statuses()[0], ParameterStatus::kIdentified);
}

// What was learned from a wrong belief is not known better than before, wherever it went.
TEST(ParameterLearner, DoubtsWhatItLearnedFromAWrongBelief) {
  ParameterLearner learner(config_of(LearningRule::kSecondOrder), one_of_each());
  ScoreIncrement increment;
  increment.gradient = Eigen::Vector4d(0.0, -200.0, 0.0, 0.0);
  increment.information = 100.0 * Eigen::Matrix4d::Identity();
  for (int t = 0; t < 70; ++t) {
    ASSERT_TRUE(learner.update(increment));
    learner.judge_belief(t >= 3, false);
    EXPECT_EQ(learner.in_doubt(), t < 32) << t;
    if (t != 30) continue;
    EXPECT_EQ(learner.statuses()[0], ParameterStatus::kInDoubt);
    EXPECT_DOUBLE_EQ(learner.standard_deviations()[0], 0.4);
    // The positive one came down from 0.5.
    const double way = std::log(learner.values()[1] / 0.5);
    ASSERT_LT(way, -1.0);
    EXPECT_NEAR(learner.standard_deviations()[1], 0.5 * std::hypot(0.4, way), 1e-12);
  }
  EXPECT_EQ(learner.statuses()[0], ParameterStatus::kIdentified);
  EXPECT_LT(learner.standard_deviations()[0], 0.1);
  learner.freeze();
  learner.judge_belief(false, false);
  EXPECT_FALSE(learner.in_doubt());
}

TEST(ParameterLearner, DoubtsWhileItsPredictionsAreOverconfident) {
  ParameterLearner learner(config_of(LearningRule::kSecondOrder), one_of_each());
  ScoreIncrement increment;
  increment.gradient = Eigen::Vector4d::Zero();
  increment.information = 100.0 * Eigen::Matrix4d::Identity();
  for (int t = 0; t < 30; ++t) {
    ASSERT_TRUE(learner.update(increment));
    learner.judge_belief(true, t >= 10 && t < 20);
    EXPECT_EQ(learner.in_doubt(), t >= 10 && t < 20) << t;
  }
}

TEST(ParameterLearner, KeepsValuesThatWereSetBeyondTheReachOfLearning) {
  ParameterLearner learner(config_of(LearningRule::kSecondOrder), one_of_each());
  learner.set_values(Eigen::Vector4d(2.0, 100.0, 1.0, 0.2));
  ScoreIncrement increment;
  increment.gradient = Eigen::Vector4d(0.0, 1.0, 0.0, 0.0);
  increment.information = Eigen::Matrix4d::Identity();
  learner.update(increment);
  EXPECT_DOUBLE_EQ(learner.values()[1], 100.0);
}

TEST(ParameterLearner, RejectsAConfigurationThatIsWrong) {
  LearningConfig config = config_of(LearningRule::kSecondOrder);
  config.retention = 2.0;
  const std::string message = test::message_of([&] { ParameterLearner(config, one_of_each()); });
  EXPECT_TRUE(test::contains(message, "learning.retention is 2")) << message;
}

}  // namespace
}  // namespace ovf
