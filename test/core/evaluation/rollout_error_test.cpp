#include "ovf/evaluation/rollout_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/test_tracks.hpp"
#include "ovf/math/random.hpp"

namespace ovf {
namespace {

const std::vector<double> kTimes{0.5, 1.0, 1.5, 2.0};

// Every half second, with what will come on the circle plus an error of 0.1 m per second ahead
// times a normal draw, per axis.
std::vector<RolloutSample> drawn_rollouts(int count, double stated = 1.0) {
  RandomStream random(21);
  std::vector<RolloutSample> rollouts;
  for (int i = 0; i < count; ++i) {
    RolloutSample rollout{.stamp = stamp_at(0.5 * i), .times = kTimes};
    for (const double time : kTimes) {
      const double angle = 0.1 * (0.5 * i + time);
      const double deviation = 0.1 * time;
      PoseSample pose =
          pose_of(0.5 * i + time, 10.0 * std::sin(angle) + deviation * random.normal(),
                  10.0 - 10.0 * std::cos(angle) + deviation * random.normal(), 99.0);
      pose.has_covariance = true;
      pose.covariance(0, 0) = pose.covariance(1, 1) = stated * stated * deviation * deviation;
      rollout.poses.push_back(pose);
    }
    rollouts.push_back(rollout);
  }
  return rollouts;
}

PoseTrack circle_truth(int count) { return PoseTrack(circle_track(count), {.planar = true}); }

TEST(RolloutError, IsThatOfTheDrawsAtEachHorizon) {
  const int count = 2000;
  const auto errors = rollout_error(drawn_rollouts(count), circle_truth(12000));
  ASSERT_EQ(errors.size(), 4U);
  for (std::size_t i = 0; i < 3; ++i) {
    const HorizonError& error = errors[i];
    // The first has no velocity before it.
    EXPECT_EQ(error.count, count - 1);
    EXPECT_EQ(error.left_out, 1);
    EXPECT_EQ(error.with_covariance, count - 1);
    // Two axes; a standard error of 1 / sqrt(4 count) of it = 1.1 %, and four of them. Between
    // truths the circle is a chord, off by 0.1 mm.
    const double expected = 0.1 * error.horizon * std::sqrt(2.0);
    EXPECT_NEAR(error.position.rmse, expected, 0.045 * expected);
    EXPECT_NEAR(error.coverage50, 0.5, 0.045);
    EXPECT_NEAR(error.coverage90, 0.9, 0.027);
    EXPECT_NEAR(error.coverage95, 0.95, 0.02);
  }
  // No rollout is that long.
  EXPECT_EQ(errors[3].count, 0);
  EXPECT_TRUE(std::isnan(errors[3].position.rmse));
  EXPECT_TRUE(std::isnan(errors[3].coverage90));
}

TEST(RolloutError, ComparesWithStandingAndWithConstantVelocity) {
  const auto errors = rollout_error(drawn_rollouts(100), circle_truth(12000));
  // 1 m/s on a circle of 10 m: the chord of 0.2 radians, and with the velocity over the last 0.5 s,
  // which points 0.025 radians back.
  EXPECT_NEAR(errors[2].standing.rmse, 20.0 * std::sin(0.1), 1e-3);
  const double along = 10.0 * std::sin(0.2) - 2.0 * std::cos(0.025);
  const double across = 10.0 * (1.0 - std::cos(0.2)) + 2.0 * std::sin(0.025);
  EXPECT_NEAR(errors[2].constant_velocity.rmse, std::hypot(along, across), 2e-3);
  EXPECT_LT(errors[2].constant_velocity.rmse, errors[2].standing.rmse);
}

TEST(RolloutError, SeesRolloutsThatAreTooSure) {
  const auto errors = rollout_error(drawn_rollouts(2000, 0.5), circle_truth(12000));
  // Within half the 90 % ellipse: 1 - 0.1^(1/4).
  EXPECT_NEAR(errors[1].coverage90, 1.0 - std::pow(0.1, 0.25), 0.045);
}

TEST(RolloutError, TakesRecordedTimesAndInterpolates) {
  auto rollouts = drawn_rollouts(50);
  const auto recorded = rollout_error(rollouts, circle_truth(12000), {.horizons = {}});
  ASSERT_EQ(recorded.size(), 4U);
  EXPECT_EQ(recorded[2].horizon, 1.5);
  EXPECT_EQ(recorded[2].count, 49);
  // Before its first time a rollout says nothing.
  const auto between = rollout_error(rollouts, circle_truth(12000), {.horizons = {0.2, 1.25}});
  EXPECT_EQ(between[0].count, 0);
  EXPECT_EQ(between[1].count, 49);
  EXPECT_GT(between[1].position.rmse, 0.05);
  EXPECT_LT(between[1].position.rmse, 0.2);
}

TEST(RolloutError, LeavesOutWhatHasNoTruthOrNoSense) {
  auto rollouts = drawn_rollouts(20);
  rollouts[5].times[1] = 0.1;  // goes back
  rollouts[6].poses.pop_back();
  rollouts[7].poses[0].position.x() = std::numeric_limits<double>::quiet_NaN();
  rollouts[8].times[3] = std::numeric_limits<double>::infinity();
  rollouts[9].stamp = std::numeric_limits<Stamp>::max();
  rollouts[10].poses[1].has_covariance = false;
  // The truth ends at 8 s: with a horizon of 1 s the last rollout that counts is that of 7 s, the
  // fifteenth.
  const auto errors = rollout_error(rollouts, circle_truth(81), {.horizons = {1.0}});
  EXPECT_EQ(errors[0].count, 15 - 1 - 5);
  EXPECT_EQ(errors[0].left_out, 11);
  EXPECT_EQ(errors[0].with_covariance, 8);
}

TEST(RolloutError, ShiftsTime) {
  auto rollouts = drawn_rollouts(20);
  for (RolloutSample& rollout : rollouts) rollout.stamp -= stamp_at(30.0);
  EXPECT_EQ(rollout_error(rollouts, circle_truth(500))[1].count, 0);
  EXPECT_EQ(rollout_error(rollouts, circle_truth(500), {.time_offset = 30.0})[1].count, 19);
}

TEST(RolloutError, OfNothingIsNan) {
  const auto errors = rollout_error({}, PoseTrack({}));
  ASSERT_EQ(errors.size(), 4U);
  EXPECT_EQ(errors[0].count, 0);
  EXPECT_TRUE(std::isnan(errors[0].position.median));
  EXPECT_TRUE(rollout_error({}, PoseTrack({}), {.horizons = {}}).empty());
}

}  // namespace
}  // namespace ovf
