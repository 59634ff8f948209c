#include <gtest/gtest.h>

#include <limits>

#include "math/random_inputs.hpp"
#include "ovf/learning/parameter_learner.hpp"

namespace ovf {
namespace {

using test::all_close;

LearningConfig second_order() {
  LearningConfig config;
  config.rule = LearningRule::kSecondOrder;
  config.burn_in = 0;
  config.prior_deviation = 0.5;
  config.longest_step = 100.0;
  return config;
}

ParameterVector two_parameters() {
  ParameterVector parameters;
  parameters.add({.name = "weight", .prior_deviation = 0.2}, 0.0);
  parameters.add({.name = "noise", .transform = Transform::kPositive}, 3.0);
  return parameters;
}

TEST(PriorDeviation, OfAParameterReplacesTheConfiguredOne) {
  const ParameterLearner learner(second_order(), two_parameters());
  EXPECT_TRUE(all_close(learner.standard_deviations(), Eigen::Vector2d(0.2, 3.0 * 0.5), 1e-14));
}

TEST(PriorDeviation, WeighsThePriorAgainstTheInformation) {
  ParameterLearner learner(second_order(), two_parameters());
  // Posterior precision 1 / 0.04 + 75 = 100 of the first number.
  Eigen::Matrix2d information = Eigen::Matrix2d::Zero();
  information(0, 0) = 75.0;
  ASSERT_TRUE(learner.update({Eigen::Vector2d(5.0, 0.0), information}));
  EXPECT_NEAR(learner.values()[0], 0.05, 1e-14);
  EXPECT_NEAR(learner.standard_deviations()[0], 0.1, 1e-14);
}

TEST(PriorDeviation, IsRefusedWhenItIsNotANumberOrNegative) {
  ParameterVector parameters;
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(parameters.add({.name = "weight", .prior_deviation = bad}, 0.0),
                 std::invalid_argument);
  }
}

TEST(ParameterCovariance, IsThatOfNaturalValuesWithCorrelations) {
  ParameterLearner learner(second_order(), two_parameters());
  Eigen::Matrix2d information;  // in natural values
  information << 40.0, 3.0, 3.0, 2.0;
  ASSERT_TRUE(learner.update({Eigen::Vector2d::Zero(), information}));
  // The prior's precision of the noise: 4 of its logarithm, so 4 / 3^2.
  Eigen::Matrix2d precision = information;
  precision.diagonal() += Eigen::Vector2d(25.0, 4.0 / 9.0);
  const Eigen::MatrixXd covariance = learner.covariance();
  EXPECT_TRUE(all_close(covariance * precision, Eigen::Matrix2d::Identity(), 1e-12));
  EXPECT_TRUE(all_close(covariance.diagonal().cwiseSqrt(), learner.standard_deviations(), 1e-13));
}

TEST(ParameterCovariance, IsEmptyWhereTheRuleHasNone) {
  LearningConfig config = second_order();
  config.rule = LearningRule::kAdam;
  EXPECT_EQ(ParameterLearner(config, two_parameters()).covariance().size(), 0);
}

}  // namespace
}  // namespace ovf
