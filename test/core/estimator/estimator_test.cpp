#include "ovf/estimator/estimator.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "estimator/planar_case.hpp"

namespace ovf {
namespace {

using test::at_seconds;
using test::circle_messages;
using test::gps;
using test::has_event;
using test::planar_config;
using test::process_all;

double value_of(const Estimator& estimator, const std::string& name) {
  for (const ParameterEstimate& parameter : estimator.parameters()) {
    if (parameter.name == name) return parameter.value;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

TEST(Estimator, FollowsACircleAndLearnsTheScaleOfTheWheels) {
  Estimator estimator(planar_config());
  process_all(estimator, circle_messages(60.0, 1.08));
  const double yaw = 0.2 * 60.0;
  EXPECT_NEAR(estimator.belief().mean[0], 5.0 * std::sin(yaw), 0.4);
  EXPECT_NEAR(estimator.belief().mean[1], 5.0 * (1.0 - std::cos(yaw)), 0.4);
  // More than one turn: the yaw of the state is not wrapped, the compass is.
  EXPECT_NEAR(estimator.belief().mean[2], yaw, 0.1);
  EXPECT_NEAR(value_of(estimator, "motion.scale"), 1.08, 0.02);
  EXPECT_EQ(estimator.counters().of(Outcome::kUsed), 600);
  EXPECT_EQ(estimator.counters().of(Outcome::kPredicted), 600);
}

TEST(Estimator, LearnsTheNoiseOfASensor) {
  EstimatorConfig config = planar_config();
  config.sensors[0].noise = {3.0};
  Estimator estimator(config);
  process_all(estimator, circle_messages(200.0));
  EXPECT_NEAR(value_of(estimator, "gps.noise[0]"), 0.3, 0.05);
  EXPECT_NEAR(value_of(estimator, "gps.noise[1]"), 0.3, 0.05);
}

TEST(Estimator, RefusesWhatIsWrongWithAMessageItself) {
  Estimator estimator(planar_config());
  estimator.process(gps(0.0, 0.0, 0.0));
  const Gaussian before = estimator.belief();
  const double nan = std::numeric_limits<double>::quiet_NaN();

  EXPECT_EQ(estimator.process(gps(0.1, nan, 0.0)).outcome, Outcome::kNotFinite);
  EXPECT_EQ(estimator.process(Measurement{at_seconds(0.1), "gps", Eigen::Vector3d::Zero()}).outcome,
            Outcome::kWrongSize);
  const auto& unknown =
      estimator.process(Measurement{at_seconds(0.1), "lidar", Eigen::Vector2d::Zero()});
  EXPECT_EQ(unknown.outcome, Outcome::kUnknownSensor);
  EXPECT_NE(unknown.reason.find("lidar"), std::string::npos);
  EXPECT_EQ(estimator.process(Control{at_seconds(0.1), Eigen::Vector3d::Zero()}).outcome,
            Outcome::kWrongSize);
  EXPECT_EQ(estimator.process(Control{at_seconds(0.1), Eigen::Vector2d(nan, 0.0)}).outcome,
            Outcome::kNotFinite);
  EXPECT_EQ(estimator.belief().mean, before.mean);
  EXPECT_EQ(estimator.counters().of(Outcome::kNotFinite), 2);
  EXPECT_EQ(estimator.counters().of(Outcome::kWrongSize), 2);
}

TEST(Estimator, UsesADuplicateOnce) {
  Estimator estimator(planar_config());
  estimator.process(gps(0.0, 0.0, 0.0));
  estimator.process(gps(0.1, 1.0, 1.0));
  const Eigen::VectorXd mean = estimator.belief().mean;
  EXPECT_EQ(estimator.process(gps(0.1, 1.0, 1.0)).outcome, Outcome::kDuplicate);
  EXPECT_EQ(estimator.belief().mean, mean);
  // Another measurement with the same stamp is none.
  EXPECT_EQ(estimator.process(gps(0.1, 1.0, 1.1)).outcome, Outcome::kUsed);
}

TEST(Estimator, RerunGivesWhatTheRightOrderGives) {
  const std::vector<Message> messages = circle_messages(10.0);
  Estimator ordered(planar_config());
  process_all(ordered, messages);

  std::vector<Message> shuffled = messages;  // no two have the same stamp
  for (std::size_t i = 20; i + 7 < shuffled.size(); i += 13)
    std::swap(shuffled[i], shuffled[i + 5]);
  Estimator reordered(planar_config());
  process_all(reordered, shuffled);
  EXPECT_EQ(reordered.counters().of(Outcome::kUsed), ordered.counters().of(Outcome::kUsed));
  EXPECT_GT(reordered.counters().of(EventKind::kRerun), 5);
  EXPECT_EQ(reordered.belief().mean, ordered.belief().mean);
  EXPECT_EQ(reordered.belief().factor.lower(), ordered.belief().factor.lower());
  EXPECT_EQ(reordered.filter().parameters(), ordered.filter().parameters());
}

TEST(Estimator, DropsLateMessagesIfToldSo) {
  EstimatorConfig config = planar_config();
  config.stream.late = LatePolicy::kDrop;
  Estimator estimator(config);
  estimator.process(gps(0.0, 0.0, 0.0));
  estimator.process(gps(1.0, 0.0, 0.0));
  EXPECT_EQ(estimator.process(gps(0.5, 0.0, 0.0)).outcome, Outcome::kOutOfOrder);
}

TEST(Estimator, DropsMessagesBeyondTheirDelayLimit) {
  EstimatorConfig config = planar_config();
  config.sensors[0].delay_limit = 0.3;
  Estimator estimator(config);
  estimator.process(gps(0.0, 0.0, 0.0));
  estimator.process(gps(1.0, 0.0, 0.0));
  EXPECT_EQ(estimator.process(gps(0.8, 0.0, 0.0)).outcome, Outcome::kUsed);
  EXPECT_EQ(estimator.process(gps(0.6, 0.0, 0.0)).outcome, Outcome::kTooOld);
}

TEST(Estimator, StartsAnewWhenTheClockIsSetBack) {
  Estimator estimator(planar_config());
  const std::vector<Message> messages = circle_messages(60.0, 1.08);
  process_all(estimator, messages);
  const double scale = value_of(estimator, "motion.scale");
  // One input alone is not believed.
  EXPECT_EQ(estimator.process(messages[0]).outcome, Outcome::kTooOld);
  const EstimatorResult& result = estimator.process(messages[1]);
  EXPECT_TRUE(has_event(result, EventKind::kClockSetBack));
  EXPECT_EQ(estimator.stamp(), stamp_of(messages[1]));
  EXPECT_NEAR(value_of(estimator, "motion.scale"), scale, 1e-12);
  process_all(estimator, messages);
  EXPECT_NEAR(estimator.belief().mean[0], 5.0 * std::sin(12.0), 0.4);
}

TEST(Estimator, ForgetsWhatWasLearnedWhenTheClockIsSetBackIfToldSo) {
  EstimatorConfig config = planar_config();
  config.stream.keep_parameters_on_jump = false;
  Estimator estimator(config);
  const std::vector<Message> messages = circle_messages(60.0, 1.08);
  process_all(estimator, messages);
  estimator.process(messages[0]);
  estimator.process(messages[1]);
  EXPECT_EQ(value_of(estimator, "motion.scale"), 1.0);
  EXPECT_EQ(value_of(estimator, "gps.noise[0]"), 0.3);
}

TEST(Estimator, GrowsUncertainInASilenceAndRecovers) {
  Estimator estimator(planar_config());
  process_all(estimator, circle_messages(20.0));
  const double before = estimator.belief().factor.standard_deviations()[0];
  const EstimatorResult silent =
      estimator.process(Control{at_seconds(49.9), Eigen::Vector2d::Zero()});
  EXPECT_TRUE(has_event(silent, EventKind::kGapCrossed));
  EXPECT_TRUE(has_event(silent, EventKind::kSensorSilent));
  const double wide = estimator.belief().factor.standard_deviations()[0];
  EXPECT_GT(wide, 2.0 * before);
  // The first measurement after it counts for more than one among many.
  const Eigen::Vector2d place = estimator.belief().mean.head<2>();
  EXPECT_TRUE(
      has_event(estimator.process(gps(50.0, place.x() + 0.5, place.y())), EventKind::kSensorBack));
  EXPECT_LT(estimator.belief().factor.standard_deviations()[0], wide);
  EXPECT_GT(estimator.belief().mean[0], place.x() + 0.1);
}

TEST(Estimator, ReportsASilentSensorOnceAndItsReturn) {
  Estimator estimator(planar_config());
  estimator.process(gps(0.0, 0.0, 0.0));
  int silent = 0;
  for (int k = 1; k < 60; ++k) {
    silent +=
        has_event(estimator.process(gps(0.1 * k, 0.0, 0.0)), EventKind::kSensorSilent) ? 1 : 0;
  }
  EXPECT_EQ(silent, 1);
  const Measurement compass{at_seconds(6.0), "compass", Eigen::VectorXd::Zero(1)};
  EXPECT_TRUE(has_event(estimator.process(compass), EventKind::kSensorBack));
}

TEST(Estimator, GatesOutliersButNotForEver) {
  EstimatorConfig config = planar_config();
  config.sensors[0].gate = 0.999;
  config.sensors[0].gate_patience = 3;
  Estimator estimator(config);
  for (int k = 0; k < 20; ++k) estimator.process(gps(0.1 * k, 0.0, 0.0));
  for (int k = 20; k < 23; ++k) {
    const EstimatorResult& result = estimator.process(gps(0.1 * k, 100.0, 0.0));
    EXPECT_EQ(result.outcome, Outcome::kGated);
    EXPECT_GT(result.nis, result.gate);
    EXPECT_NEAR(result.gate, 13.816, 0.01);  // chi-square, two degrees, 0.999
    EXPECT_NEAR(estimator.belief().mean[0], 0.0, 1.0);
  }
  const EstimatorResult& last = estimator.process(gps(2.3, 100.0, 0.0));
  EXPECT_EQ(last.outcome, Outcome::kUsed);
  EXPECT_TRUE(has_event(last, EventKind::kGateOverridden));
}

TEST(Estimator, TakesAnotherGateOnTheWay) {
  EstimatorConfig config = planar_config();
  config.sensors[0].gate = 1.0;
  config.guard = {.collapse = 0.0, .change = 0.0};
  Estimator estimator(config);
  for (int k = 0; k < 20; ++k) estimator.process(gps(0.1 * k, 0.0, 0.0));
  estimator.set_gate(0, 0.999);
  EXPECT_EQ(estimator.process(gps(2.0, 100.0, 0.0)).outcome, Outcome::kGated);
  estimator.set_gate(0, 1.0);
  EXPECT_EQ(estimator.process(gps(2.1, 100.0, 0.0)).outcome, Outcome::kUsed);
  EXPECT_THROW(estimator.set_gate(0, 1.5), std::invalid_argument);
  EXPECT_THROW(estimator.set_gate(0, std::nan("")), std::invalid_argument);
  EXPECT_THROW(estimator.set_gate(2, 0.5), std::invalid_argument);
}

TEST(Estimator, TakesTheCovarianceOfAMessageOnlyIfItIsOne) {
  EstimatorConfig config = planar_config();
  config.sensors[0].noise_source = NoiseSource::kMessage;
  config.sensors[0].noise = {1.0};
  config.sensors[0].learn_noise = false;
  const auto deviation_after = [&](const Eigen::MatrixXd& covariance, long replaced) {
    Estimator estimator(config);
    Measurement measurement = gps(0.0, 0.0, 0.0);
    measurement.covariance = covariance;
    EXPECT_EQ(estimator.process(measurement).outcome, Outcome::kUsed);
    EXPECT_EQ(estimator.counters().of(EventKind::kCovarianceReplaced), replaced);
    return estimator.belief().factor.standard_deviations()[0];
  };
  // The prior has deviation 1.
  const double configured = std::sqrt(0.5);
  const Eigen::Matrix2d identity = Eigen::Matrix2d::Identity();
  EXPECT_NEAR(deviation_after(0.01 * identity, 0), std::sqrt(0.01 / 1.01), 1e-6);
  EXPECT_NEAR(deviation_after(1e300 * identity, 0), 1.0, 1e-6);
  EXPECT_NEAR(deviation_after({}, 0), configured, 1e-6);
  EXPECT_NEAR(deviation_after(0.0 * identity, 0), configured, 1e-6);
  EXPECT_NEAR(deviation_after(-identity, 0), configured, 1e-6);
  // No sensor is that good: beyond all reason it is no covariance, and a millimetre is the least.
  EXPECT_NEAR(deviation_after(1e-12 * identity, 1), configured, 1e-6);
  EXPECT_NEAR(deviation_after(1e-9 * identity, 0), 1e-3, 1e-5);
  Eigen::Matrix2d bad = identity;
  bad(0, 1) = bad(1, 0) = 2.0;
  EXPECT_NEAR(deviation_after(bad, 1), configured, 1e-6);
  bad(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NEAR(deviation_after(bad, 1), configured, 1e-6);
  EXPECT_NEAR(deviation_after(Eigen::Matrix3d::Identity(), 1), configured, 1e-6);
}

TEST(Estimator, StartsFromTheFirstMeasurementIfToldSo) {
  EstimatorConfig config = planar_config();
  config.initial.rule = InitialRule::kMeasurement;
  Estimator estimator(config);
  const Measurement compass{at_seconds(0.0), "compass", Eigen::VectorXd::Zero(1)};
  EXPECT_EQ(estimator.process(compass).outcome, Outcome::kNotInitialised);
  EXPECT_FALSE(estimator.initialised());
  EXPECT_TRUE(has_event(estimator.process(gps(0.1, 500.0, -300.0)), EventKind::kInitialised));
  EXPECT_NEAR(estimator.belief().mean[0], 500.0, 1e-9);
  EXPECT_NEAR(estimator.belief().mean[1], -300.0, 1e-9);
}

TEST(Estimator, WaitsForACallIfToldSo) {
  EstimatorConfig config = planar_config();
  config.initial.rule = InitialRule::kCall;
  Estimator estimator(config);
  EXPECT_EQ(estimator.process(gps(0.0, 0.0, 0.0)).outcome, Outcome::kNotInitialised);
  Eigen::VectorXd mean(5);
  mean << 1.0, 2.0, 3.0, 0.0, 0.0;
  estimator.initialise(at_seconds(1.0), mean, 0.01 * Eigen::MatrixXd::Identity(5, 5));
  EXPECT_EQ(estimator.process(gps(1.1, 1.0, 2.0)).outcome, Outcome::kUsed);
  EXPECT_NEAR(estimator.belief().mean[2], 3.0, 0.01);
  EXPECT_THROW(estimator.initialise(0, mean.head(3), Eigen::MatrixXd::Identity(5, 5)),
               std::invalid_argument);
  EXPECT_THROW(estimator.initialise(0, mean, Eigen::MatrixXd::Zero(5, 5)), std::invalid_argument);
}

TEST(Estimator, MovesNothingThatIsLearnedWhileLearningIsOff) {
  Estimator estimator(planar_config());
  estimator.set_learning(false);
  const std::vector<Message> messages = circle_messages(30.0, 1.08);
  process_all(estimator, messages);
  EXPECT_NEAR(value_of(estimator, "motion.scale"), 1.0, 1e-3);
  EXPECT_EQ(value_of(estimator, "gps.noise[0]"), 0.3);
  estimator.set_learning(true);
  std::vector<Message> more = circle_messages(90.0, 1.08);
  more.erase(more.begin(), more.begin() + static_cast<std::ptrdiff_t>(messages.size()));
  process_all(estimator, more);
  EXPECT_NEAR(value_of(estimator, "motion.scale"), 1.08, 0.03);
}

TEST(Estimator, KeepsTheUncertaintyOfWhatIsNotExcited) {
  EstimatorConfig config = planar_config();
  config.motion.scale.drift = 0.05;
  Estimator estimator(config);
  // A robot at rest says nothing of its wheels.
  for (int k = 0; k < 3000; ++k) {
    estimator.process(Control{at_seconds(0.1 * k), Eigen::Vector2d::Zero()});
    estimator.process(gps(0.1 * k, 0.0, 0.0));
  }
  for (const ParameterEstimate& parameter : estimator.parameters()) {
    if (parameter.name != "motion.scale") continue;
    EXPECT_NEAR(parameter.value, 1.0, 1e-6);
    EXPECT_NEAR(parameter.deviation, 0.1, 0.02);
    EXPECT_EQ(parameter.status, ParameterStatus::kNotIdentified);
  }
}

TEST(Estimator, FindsItsWayAfterAnAbruptChange) {
  EstimatorConfig config = planar_config();
  config.sensors[0].learn_noise = false;
  config.sensors[1].learn_noise = false;
  config.motion.noise.learn = false;
  Estimator estimator(config);
  process_all(estimator, circle_messages(120.0, 1.0));
  // A wheel of another size: the odometry reads too low by a quarter.
  std::vector<Message> after = circle_messages(400.0, 1.25);
  after.erase(after.begin(), after.begin() + 2400);
  process_all(estimator, after);
  EXPECT_NEAR(value_of(estimator, "motion.scale"), 1.25, 0.05);
}

TEST(Estimator, FallsBackToTheLastGoodParametersWhenTheLikelihoodCollapses) {
  EstimatorConfig config = planar_config();
  config.guard.change = 0.0;
  Estimator estimator(config);
  RandomStream random(3, 73);
  Eigen::MatrixXd z(2, 1);
  const auto stand = [&](int from, int to, double deviation) {
    for (int k = from; k < to; ++k) {
      random.fill_normal(z);
      estimator.process(gps(k, deviation * z(0, 0), deviation * z(1, 0)));
    }
  };
  stand(0, 2000, 0.02);
  EXPECT_EQ(estimator.counters().of(EventKind::kParametersRestored), 0);
  stand(2000, 2200, 5.0);
  EXPECT_EQ(estimator.counters().of(EventKind::kParametersRestored), 1);
}

TEST(Estimator, KeepsItsBeliefWhenAStampIsBeyondAllTime) {
  Estimator estimator(planar_config());
  estimator.process(gps(0.0, 0.0, 0.0));
  for (const Stamp stamp : {std::numeric_limits<Stamp>::min(), std::numeric_limits<Stamp>::max()}) {
    Measurement measurement = gps(0.0, 1.0, 1.0);
    measurement.stamp = stamp;
    EXPECT_EQ(estimator.process(measurement).outcome, Outcome::kNotFinite);
  }
  EXPECT_EQ(estimator.stamp(), 0);
}

TEST(Estimator, StopsIteratingWhenTimeIsUp) {
  EstimatorConfig config = planar_config();
  config.stream.time_budget = 1.0;
  double now = 0.0;
  Estimator estimator(config, [&now] { return now += 0.01; });  // every look costs 10 ms
  estimator.process(gps(0.0, 0.0, 0.0));
  const EstimatorResult& result = estimator.process(gps(0.1, 1.0, 0.0));
  EXPECT_EQ(result.outcome, Outcome::kUsed);
  EXPECT_TRUE(has_event(result, EventKind::kCutShort));
  EXPECT_GT(result.seconds, 0.0);
}

TEST(Estimator, GivesTheSameResultTwice) {
  const std::vector<Message> messages = circle_messages(20.0, 1.05);
  Estimator one(planar_config());
  Estimator two(planar_config());
  process_all(one, messages);
  process_all(two, messages);
  EXPECT_EQ(one.belief().mean, two.belief().mean);
  EXPECT_EQ(one.belief().factor.lower(), two.belief().factor.lower());
  EXPECT_EQ(one.filter().parameters(), two.filter().parameters());
}

TEST(Estimator, SmoothsThePastWithWhatCameSince) {
  EstimatorConfig config = planar_config();
  config.smoothing_lag = 10;
  Estimator estimator(config);
  process_all(estimator, circle_messages(20.0));
  const auto states = estimator.smoothed();
  ASSERT_EQ(states.size(), 10U);
  EXPECT_EQ(states.front().stamp, estimator.stamp());
  EXPECT_EQ(states.front().state.mean, estimator.belief().mean);
  for (std::size_t k = 1; k < states.size(); ++k) EXPECT_LE(states[k].stamp, states[k - 1].stamp);
  // The messages since then have made it more certain than it was when it was the newest.
  Estimator then(config);
  std::vector<Message> messages = circle_messages(20.0);
  messages.resize(messages.size() - 9);
  process_all(then, messages);
  EXPECT_EQ(states.back().stamp, then.stamp());
  EXPECT_LT(states.back().state.factor.log_determinant(), then.belief().factor.log_determinant());
}

TEST(Estimator, RollsOutTheLearnedModel) {
  Estimator estimator(planar_config());
  process_all(estimator, circle_messages(60.0, 1.08));
  const Rollout rollout = estimator.rollout({.horizon = 2.0, .step = 0.1, .samples = 200});
  ASSERT_EQ(rollout.times.size(), 20U);
  EXPECT_NEAR(rollout.times.back(), 2.0, 1e-12);
  const double yaw = 0.2 * 62.0;
  EXPECT_NEAR(rollout.means(0, 19), 5.0 * std::sin(yaw), 0.5);
  EXPECT_NEAR(rollout.means(1, 19), 5.0 * (1.0 - std::cos(yaw)), 0.5);
  EXPECT_GT(rollout.covariances.back()(0, 0), estimator.belief().covariance()(0, 0));
  // Drawn paths have the stated spread: 200 of them, within four standard errors of a variance.
  Eigen::VectorXd x(200);
  for (int s = 0; s < 200; ++s) x[s] = rollout.paths[static_cast<std::size_t>(s)](0, 19);
  const double variance = (x.array() - x.mean()).square().sum() / 199.0;
  EXPECT_NEAR(variance / rollout.covariances.back()(0, 0), 1.0, 0.4);

  const Rollout still = estimator.rollout({.plan = ControlPlan::kZero});
  EXPECT_NEAR(still.means(0, 19), estimator.belief().mean[0], 1e-6);
  const Rollout given =
      estimator.rollout({.plan = ControlPlan::kGiven, .controls = {Eigen::Vector2d(0.0, 0.5)}});
  EXPECT_NEAR(given.means(2, 19), estimator.belief().mean[2] + 1.0, 0.05);
  EXPECT_THROW(estimator.rollout({.step = 0.0}), std::invalid_argument);
  EXPECT_THROW(estimator.rollout({.plan = ControlPlan::kGiven}), std::invalid_argument);
}

}  // namespace
}  // namespace ovf
