// A multirotor that is driven by its commands: what is learned of it, and how far ahead it is seen.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "evaluation/multirotor_flight.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

using test::fly;
using test::parameter_of;
using test::SimulatedMultirotor;

constexpr double kSeconds = 90.0;
constexpr double kLearned = 40.0;

EstimatorConfig multirotor(ControlKind control) {
  EstimatorConfig config =
      load_estimator_config(test::config_folder() / "multirotor_commands.yaml");
  config.motion.control = control;
  return config;
}

/// Of a parameter whose true value is known: within so many of its stated standard deviations,
/// which are a fraction of the one that it started with.
void expect_learned(const Estimator& estimator, const std::string& name, double truth,
                    double first_deviation) {
  const ParameterEstimate found = parameter_of(estimator, name);
  EXPECT_EQ(found.name, name);
  EXPECT_LT(std::abs(found.value - truth), 3.5 * found.deviation)
      << name << " is " << found.value << " +- " << found.deviation << ", in truth " << truth;
  EXPECT_LT(found.deviation, 0.3 * first_deviation) << name;
}

class MultirotorRollouts : public testing::TestWithParam<ControlKind> {};

TEST_P(MultirotorRollouts, WithItsCommandsBeatStandingStillAndConstantVelocity) {
  const test::MultirotorOptions truth{
      .seconds = kSeconds, .grounded = 4.0, .commands_rates = GetParam() == ControlKind::kBodyRate};
  const SimulatedMultirotor flight(truth);
  const EstimatorConfig config = multirotor(GetParam());
  Estimator estimator(config);
  const HorizonError ahead = fly(flight, kSeconds, estimator, ControlPlan::kGiven, kLearned);
  ASSERT_GT(ahead.count, 90);
  EXPECT_LT(ahead.position.rmse, 0.4 * ahead.standing.rmse);
  EXPECT_LT(ahead.position.rmse, 0.4 * ahead.constant_velocity.rmse);
  EXPECT_GT(ahead.coverage90, 0.8);
  EXPECT_EQ(estimator.counters().of(Outcome::kNumericalFailure), 0);

  expect_learned(estimator, "motion.thrust_scale", truth.thrust_scale,
                 config.motion.thrust_scale.deviation);
  for (int i = 0; i < 3; ++i) {
    expect_learned(estimator, "motion.drag[" + std::to_string(i) + "]", truth.drag[i],
                   config.motion.drag.deviation);
    // A ramp of attitudes is followed by the inverse of the autopilot's gain. The autopilot is not
    // two equal lags, so that this is no matter of stated deviations.
    const double lag =
        GetParam() == ControlKind::kBodyRate ? truth.rate_lag : 1.0 / truth.attitude_gain[i];
    EXPECT_NEAR(parameter_of(estimator, "motion.attitude_lag[" + std::to_string(i) + "]").value,
                lag, 0.25 * lag);
  }
}

INSTANTIATE_TEST_SUITE_P(OfEachCommand, MultirotorRollouts,
                         testing::Values(ControlKind::kAttitude, ControlKind::kBodyRate),
                         [](const auto& command) {
                           return command.param == ControlKind::kAttitude ? "Attitude" : "BodyRate";
                         });

TEST(MultirotorRolloutsWithoutAPlan, SayHowLittleIsKnown) {
  const SimulatedMultirotor flight({.seconds = 40.0});
  Estimator estimator(multirotor(ControlKind::kAttitude));
  const HorizonError open = fly(flight, 40.0, estimator, ControlPlan::kUnknown, 15.0);
  ASSERT_GT(open.count, 40);
  // The velocity goes on, as of constant velocity but for the error of the velocity.
  EXPECT_NEAR(open.position.rmse, open.constant_velocity.rmse, 0.2 * open.constant_velocity.rmse);
  EXPECT_GT(open.coverage90, 0.7);
  EXPECT_THROW(estimator.rollout({.plan = ControlPlan::kZero}), std::invalid_argument);
}

}  // namespace
}  // namespace ovf
