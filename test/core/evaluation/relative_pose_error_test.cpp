#include "ovf/evaluation/relative_pose_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "evaluation/test_tracks.hpp"

namespace ovf {
namespace {

std::vector<PoseSample> straight_track(int count, double step) {
  std::vector<PoseSample> track;
  for (int i = 0; i < count; ++i) track.push_back(pose_of(0.1 * i, step * i, 0.0));
  return track;
}

TEST(RelativePoseError, OfOnePercentOfScaleIsOnePercent) {
  const auto truth = straight_track(1500, 0.1);
  auto estimates = truth;
  for (PoseSample& pose : estimates) pose.position *= 1.01;
  const auto error = relative_pose_error(match_trajectories(estimates, truth));
  ASSERT_EQ(error.segments.size(), 6U);
  for (const SegmentError& segment : error.segments) {
    EXPECT_NEAR(segment.translation_percent, 1.0, 1e-6) << segment.length;
    EXPECT_NEAR(segment.rotation_degrees_per_metre, 0.0, 1e-6);
  }
  // 149.9 m long; 100 m segments start every 10 m: at 0, 10, 20, 30, 40.
  EXPECT_EQ(error.segments[5].count, 5);
  EXPECT_NEAR(error.all.translation_percent, 1.0, 1e-6);
}

TEST(RelativePoseError, DoesNotSeeWhereTheWholePathIs) {
  const auto truth = circle_track(1000);
  auto estimates = truth;
  for (PoseSample& pose : estimates) {
    pose.position = turned(2.0) * pose.position + Eigen::Vector3d(1.0, 2.0, 3.0);
    pose.orientation = turned(2.0) * pose.orientation;
  }
  const auto error = relative_pose_error(match_trajectories(estimates, truth));
  EXPECT_LT(error.all.translation_percent, 1e-6);
  EXPECT_LT(error.all.rotation_degrees_per_metre, 1e-5);
}

TEST(RelativePoseError, OfADriftingHeadingIsItsRate) {
  // The estimate runs on a circle, turning 0.02 radians a metre; the truth runs straight.
  std::vector<PoseSample> estimates;
  const auto truth = straight_track(600, 0.1);
  for (int i = 0; i < 600; ++i) {
    const double angle = 0.02 * 0.1 * i;
    estimates.push_back(
        pose_of(0.1 * i, 50.0 * std::sin(angle), 50.0 * (1.0 - std::cos(angle)), 0.0, angle));
  }
  const auto error = relative_pose_error(match_trajectories(estimates, truth), {10.0});
  ASSERT_EQ(error.segments.size(), 1U);
  EXPECT_NEAR(error.segments[0].rotation_degrees_per_metre, 0.02 * 180.0 / std::numbers::pi, 1e-6);
  const double x = 50.0 * std::sin(0.2) - 10.0;
  const double y = 50.0 * (1.0 - std::cos(0.2));
  EXPECT_NEAR(error.segments[0].translation_percent, 10.0 * std::hypot(x, y), 1e-6);
}

TEST(RelativePoseError, TakesOnlyLengthsThatThePathHas) {
  const auto track = straight_track(121, 0.1);  // 12 m
  const auto error =
      relative_pose_error(match_trajectories(track, track), {1.0, 5.0, 10.0, 20.0, -1.0});
  ASSERT_EQ(error.segments.size(), 3U);
  EXPECT_EQ(error.segments.back().length, 10.0);
}

TEST(RelativePoseError, DividesByRealLengthsAndLeavesOutSparseOnes) {
  auto truth = straight_track(100, 1.2);
  auto estimates = truth;
  for (PoseSample& pose : estimates) pose.position *= 1.01;
  const auto match = match_trajectories(estimates, truth);
  const auto error = relative_pose_error(match, {0.5, 1.0});
  ASSERT_EQ(error.segments.size(), 2U);
  EXPECT_EQ(error.segments[0].count, 0);
  EXPECT_TRUE(std::isnan(error.segments[0].translation_percent));
  EXPECT_EQ(error.segments[1].count, 99);
  EXPECT_NEAR(error.segments[1].translation_percent, 1.0, 1e-6);
}

TEST(RelativePoseError, LeavesOutSegmentsWithAGapOfTheTruth) {
  auto truth = straight_track(200, 0.1);
  for (int i = 100; i < 200; ++i) {
    truth[static_cast<std::size_t>(i)].stamp += stamp_at(60.0);
    truth[static_cast<std::size_t>(i)].position.y() = 1.0;
  }
  auto estimates = truth;
  // Lost in the gap.
  for (int i = 100; i < 200; ++i) estimates[static_cast<std::size_t>(i)].position.x() += 30.0;
  const auto error = relative_pose_error(match_trajectories(estimates, truth), {5.0, 15.0});
  ASSERT_EQ(error.segments.size(), 2U);
  EXPECT_GT(error.segments[0].count, 10);
  EXPECT_LT(error.segments[0].translation_percent, 1e-9);
  EXPECT_EQ(error.segments[1].count, 0);
}

TEST(RelativePoseError, DoesNotCountARobotAtRestMoreOften) {
  auto truth = straight_track(201, 0.1);
  const auto without = relative_pose_error(match_trajectories(truth, truth), {5.0});
  for (int i = 0; i < 1000; ++i) truth.push_back(pose_of(20.1 + 0.1 * i, 20.0, 0.0));
  const auto with = relative_pose_error(match_trajectories(truth, truth), {5.0});
  EXPECT_EQ(with.segments[0].count, without.segments[0].count);
}

TEST(RelativePoseError, WithoutTrueOrientationComparesInTheWorld) {
  const auto truth = straight_track(200, 0.1);
  auto estimates = truth;
  for (PoseSample& pose : estimates) {
    pose.position = turned(0.1) * pose.position;
    pose.orientation = turned(0.1);
  }
  const auto error =
      relative_pose_error(match_trajectories(estimates, truth, {.has_orientation = false}), {5.0});
  EXPECT_TRUE(error.in_world_axes);
  EXPECT_NEAR(error.segments[0].translation_percent, 200.0 * std::sin(0.05), 1e-6);
  EXPECT_TRUE(std::isnan(error.segments[0].rotation_degrees_per_metre));
}

TEST(RelativePoseError, OfNothingHasNoSegments) {
  const auto error = relative_pose_error({});
  EXPECT_TRUE(error.segments.empty());
  EXPECT_EQ(error.all.count, 0);
  EXPECT_TRUE(std::isnan(error.all.translation_percent));
}

}  // namespace
}  // namespace ovf
