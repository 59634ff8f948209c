#include "ovf/evaluation/latent_likelihood.hpp"

#include <gtest/gtest.h>

#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/linear_gaussian.hpp"

namespace ovf {
namespace {

LinearGaussianSpec two_states() {
  LinearGaussianSpec spec;
  spec.prior = standard_gaussian(2, CovarianceForm::kFull);
  spec.F = Eigen::Matrix2d{{0.9, 0.2}, {-0.2, 0.9}};
  spec.G = Eigen::Matrix2d::Identity();
  spec.U = 0.1 * Eigen::Matrix2d::Identity();
  spec.V = 0.05 * Eigen::Matrix2d::Identity();
  spec.learn_F = Learned::kFull;
  return spec;
}

// On a linear-Gaussian model the integral is the predictive density that the filter reports.
TEST(LatentLikelihood, IsThePredictiveDensityOfALinearGaussianModel) {
  const StateSpaceModel model = make_linear_gaussian(two_states());
  RandomStream random(3);
  const auto data = simulate(model, 400, random);
  auto config = OnlineVariationalFilterConfig::fast();
  config.learning.rule = LearningRule::kNone;
  OnlineVariationalFilter filter(make_linear_gaussian(two_states()), config);
  LatentLikelihood likelihood(32);
  double exact = 0.0;
  for (int t = 0; t < 400; ++t) {
    const StepResult& result = filter.step(data.observations.col(t));
    if (t > 0) exact += result.predictive_log_density;
    likelihood.add(filter.model(), filter.record());
  }
  EXPECT_EQ(likelihood.steps(), 399U);
  // 32 weighed draws of each: some hundredths of a nat for each step, less in the mean.
  EXPECT_NEAR(likelihood.average(filter.model().transition()), exact / 399.0, 0.02);
}

TEST(LatentLikelihood, PrefersTheParametersThatMadeTheData) {
  const StateSpaceModel model = make_linear_gaussian(two_states());
  RandomStream random(3);
  const auto data = simulate(model, 300, random);
  auto config = OnlineVariationalFilterConfig::fast();
  config.learning.rule = LearningRule::kNone;
  OnlineVariationalFilter filter(make_linear_gaussian(two_states()), config);
  LatentLikelihood likelihood;
  for (int t = 0; t < 300; ++t) {
    filter.step(data.observations.col(t));
    likelihood.add(filter.model(), filter.record());
  }
  LinearGaussianSpec other = two_states();
  other.F = Eigen::Matrix2d{{0.9, -0.2}, {0.2, 0.9}};
  EXPECT_GT(likelihood.average(model.transition()),
            likelihood.average(make_linear_gaussian(other).transition()) + 0.1);
}

TEST(LatentLikelihood, IsZeroWithoutAStep) {
  EXPECT_EQ(LatentLikelihood().average(make_linear_gaussian(two_states()).transition()), 0.0);
}

}  // namespace
}  // namespace ovf
