#include "ovf/learning/update_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;

const Eigen::MatrixXd kNoInformation;

LearningConfig with_rule(LearningRule rule) {
  LearningConfig config;
  config.rule = rule;
  config.schedule = {.rate = 0.2, .scale = 4.0, .power = 0.7};
  return config;
}

TEST(UpdateRule, IsNullWhenThetaIsNotLearned) {
  EXPECT_EQ(make_update_rule(with_rule(LearningRule::kNone), 2), nullptr);
}

TEST(GradientRule, StepsByTheRobbinsMonroSchedule) {
  const auto rule = make_update_rule(with_rule(LearningRule::kGradient), 2);
  Eigen::VectorXd numbers = Eigen::VectorXd::Zero(2);
  for (int k = 0; k < 50; ++k) {
    const Eigen::VectorXd before = numbers;
    rule->step(Eigen::Vector2d(1.0, -3.0), kNoInformation, numbers);
    const double rate = 0.2 * 4.0 / (4.0 + std::pow(k, 0.7));
    EXPECT_TRUE(all_close(numbers - before, rate * Eigen::Vector2d(1.0, -3.0), 1e-14)) << k;
  }
}

TEST(GradientRule, KeepsAConstantRateAtScaleZero) {
  LearningConfig config = with_rule(LearningRule::kGradient);
  config.schedule.scale = 0.0;
  const auto rule = make_update_rule(config, 1);
  Eigen::VectorXd number = Eigen::VectorXd::Zero(1);
  for (int k = 1; k <= 20; ++k) {
    rule->step(Eigen::VectorXd::Ones(1), kNoInformation, number);
    EXPECT_NEAR(number[0], 0.2 * k, 1e-14);
  }
  EXPECT_EQ(rule->standard_deviations().size(), 0);
}

TEST(AdamRule, BeginsWithStepsOfTheScheduleInTheGradientsDirection) {
  // For a constant gradient Adam moves each number by the rate, whatever the gradient's size.
  const auto rule = make_update_rule(with_rule(LearningRule::kAdam), 3);
  Eigen::VectorXd numbers = Eigen::VectorXd::Zero(3);
  for (int k = 0; k < 20; ++k) {
    const Eigen::VectorXd before = numbers;
    rule->step(Eigen::Vector3d(5.0, -0.01, 0.0), kNoInformation, numbers);
    const double rate = 0.2 * 4.0 / (4.0 + std::pow(k, 0.7));
    // Adam adds 1e-8 to a root mean square gradient of 0.01.
    EXPECT_TRUE(all_close(numbers - before, rate * Eigen::Vector3d(1.0, -1.0, 0.0), 1e-6)) << k;
  }
}

TEST(AdamRule, AscendsToTheMaximum) {
  LearningConfig config = with_rule(LearningRule::kAdam);
  config.schedule = {.rate = 0.1, .scale = 20.0, .power = 1.0};
  const auto rule = make_update_rule(config, 2);
  const Eigen::Vector2d maximum(1.5, -0.5);
  Eigen::VectorXd numbers = Eigen::VectorXd::Zero(2);
  for (int k = 0; k < 3000; ++k) {
    const Eigen::VectorXd to_maximum = maximum - numbers;
    rule->step(Eigen::Vector2d(4.0, 0.5).cwiseProduct(to_maximum), kNoInformation, numbers);
  }
  // The last steps are no longer than the rate 0.1 * 20 / 3020.
  EXPECT_TRUE(all_close(numbers, maximum, 1e-3));
}

TEST(LearningConfig, IsValidByDefault) { EXPECT_NO_THROW(validate(LearningConfig{})); }

TEST(LearningConfig, NamesTheKeyAndTheValueThatIsWrong) {
  const auto message_for = [](auto change) {
    LearningConfig config = with_rule(LearningRule::kGradient);
    change(config);
    EXPECT_THROW(make_update_rule(config, 1), std::invalid_argument);
    return message_of([&] { validate(config); });
  };
  const auto expect = [&](auto change, const std::string& text) {
    const std::string message = message_for(change);
    EXPECT_TRUE(contains(message, text)) << message;
  };
  expect([](auto& c) { c.burn_in = -3; }, "learning.burn_in is -3");
  expect([](auto& c) { c.schedule.rate = 0.0; }, "learning.schedule.rate is 0");
  expect([](auto& c) { c.schedule.rate = std::nan(""); }, "learning.schedule.rate is nan");
  expect([](auto& c) { c.schedule.scale = -1.0; }, "learning.schedule.scale is -1");
  expect([](auto& c) { c.schedule.power = 1.5; }, "learning.schedule.power is 1.5");
  expect([](auto& c) { c.schedule.power = 0.0; }, "learning.schedule.power is 0");
  expect([](auto& c) { c.prior_deviation = -0.5; }, "learning.prior_deviation is -0.5");
  expect([](auto& c) { c.retention = 1.01; }, "learning.retention is 1.01");
  expect([](auto& c) { c.retention = 0.0; }, "learning.retention is 0");
  expect([](auto& c) { c.longest_step = 0.0; }, "learning.longest_step is 0");
}

}  // namespace
}  // namespace ovf
