// A filter that says when it is not well, and starts again by itself.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "ovf/filter/health_watch.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/function_mean.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_gaussian.hpp"

namespace ovf {
namespace {

TEST(HealthWatch, IsGoodWhileObservationsAreNearTheirPredictions) {
  HealthWatch watch;
  for (int t = 0; t < 200; ++t) {
    // One in ten is an outlier: heavy tails.
    EXPECT_EQ(watch.step_taken({.steps = t, .nis = t % 10 == 0 ? 300.0 : 1.0, .dim = 1}),
              Health::kGood)
        << t;
  }
}

TEST(HealthWatch, IsInconsistentWhenTheyAreFarOffAgainAndAgainAndRecovers) {
  HealthWatch watch;
  Health health = Health::kGood;
  for (int t = 0; t < 50; ++t) health = watch.step_taken({.steps = t, .nis = 30.0, .dim = 2});
  EXPECT_EQ(health, Health::kInconsistent);
  for (int t = 50; t < 250; ++t) health = watch.step_taken({.steps = t, .nis = 2.0, .dim = 2});
  EXPECT_EQ(health, Health::kGood);
}

TEST(HealthWatch, IsOverconfidentWhereGaussianErrorsAreLargerThanPredictedForLong) {
  // Errors a quarter larger than they should be, and right ones.
  for (const double scale : {1.25, 1.0}) {
    HealthWatch watch;
    RandomStream random(3);
    Health health = Health::kGood;
    for (int t = 0; t < 2000; ++t) {
      const double error = scale * random.normal();
      health = watch.step_taken({.steps = t, .nis = error * error, .dim = 1, .gaussian = true});
      if (scale == 1.0) {
        EXPECT_EQ(health, Health::kGood) << t;
      }
    }
    if (scale > 1.0) {
      EXPECT_EQ(health, Health::kOverconfident);
    }
  }
}

TEST(HealthWatch, FindsAPoorFitInWeightsThatVaryForSeveralSteps) {
  HealthWatch watch;
  // One step alone is not enough, however bad it is.
  EXPECT_EQ(watch.step_taken({.steps = 1, .log_variance = 1e6}), Health::kGood);
  for (int t = 2; t < 60; ++t) EXPECT_EQ(watch.step_taken({.steps = t}), Health::kGood) << t;
  Health health = Health::kGood;
  for (int t = 60; t < 70; ++t) health = watch.step_taken({.steps = t, .log_variance = 0.8});
  EXPECT_EQ(health, Health::kPoorFit);
}

TEST(HealthWatch, RemembersAnAmbiguousChoiceForAHundredSteps) {
  HealthWatch watch;
  EXPECT_EQ(watch.step_taken({.steps = 1, .ambiguous = true}), Health::kAmbiguous);
  EXPECT_EQ(watch.step_taken({.steps = 101}), Health::kAmbiguous);
  EXPECT_EQ(watch.step_taken({.steps = 102}), Health::kGood);
}

// x' = x^2 beyond any bound while no observation holds it back.
StateSpaceModel explosive() {
  NonlinearGaussianSpec spec;
  spec.prior = standard_gaussian(1, CovarianceForm::kFull);
  spec.f = std::make_unique<FunctionMean>(FunctionMean::Spec{
      .input_dim = 1,
      .output_dim = 1,
      .value = [](const Eigen::VectorXd& x, const Eigen::VectorXd&, const StepInput& input) {
        const double gain = input.control.size() > 0 ? input.control[0] : 0.5;
        return Eigen::VectorXd(gain * x);
      }});
  spec.g = std::make_unique<LinearMean>(LinearMean::identity(1));
  spec.U = Eigen::MatrixXd::Ones(1, 1);
  spec.V = Eigen::VectorXd::Ones(1);
  return make_nonlinear_gaussian(std::move(spec));
}

TEST(OnlineVariationalFilter, StartsAgainAfterManyNumericalFailures) {
  OnlineVariationalFilter filter(explosive(), OnlineVariationalFilterConfig::fast());
  const Eigen::VectorXd y = Eigen::VectorXd::Constant(1, 0.3);
  for (int t = 0; t < 10; ++t) ASSERT_TRUE(filter.step(y).ok());
  StepInput overflow;
  overflow.control = Eigen::VectorXd::Constant(1, std::numeric_limits<double>::max());
  int failures = 0;
  while (filter.last_result().health != Health::kRestarted && failures < 1000) {
    EXPECT_EQ(filter.step(y, overflow).status, StepStatus::kNumericalFailure);
    ++failures;
  }
  EXPECT_EQ(failures, 20);
  EXPECT_NEAR(filter.belief().factor.standard_deviations()[0], 3.0, 1e-12);
  Health health = Health::kGood;
  for (int t = 0; t < 99; ++t) {
    ASSERT_TRUE(filter.step(y).ok()) << t;
    health = filter.last_result().health;
  }
  EXPECT_EQ(health, Health::kRestarted);
  EXPECT_EQ(filter.step(y).health, Health::kGood);
  EXPECT_NEAR(filter.belief().mean[0], 0.3, 0.5);
}

}  // namespace
}  // namespace ovf
