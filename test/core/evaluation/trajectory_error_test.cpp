#include "ovf/evaluation/trajectory_error.hpp"

#include <gtest/gtest.h>

#include "evaluation/test_tracks.hpp"
#include "ovf/math/random.hpp"

namespace ovf {
namespace {

TEST(ErrorSummary, OfASmallExample) {
  const ErrorSummary summary = summarise_errors({-1.0, 2.0, 3.0, -6.0});
  EXPECT_EQ(summary.count, 4);
  EXPECT_NEAR(summary.rmse, std::sqrt(50.0 / 4.0), 1e-12);
  EXPECT_NEAR(summary.mean, 3.0, 1e-12);
  EXPECT_NEAR(summary.median, 2.5, 1e-12);
  EXPECT_NEAR(summary.p95, 3.0 + 0.85 * 3.0, 1e-12);
  EXPECT_EQ(summary.max, 6.0);
  EXPECT_EQ(summarise_errors({4.0}).median, 4.0);
  EXPECT_TRUE(std::isnan(summarise_errors({}).rmse));
}

TEST(TrajectoryError, OfASmallExample) {
  const std::vector<PoseSample> truth{pose_of(0.0, 0.0, 0.0), pose_of(0.4, 4.0, 0.0),
                                      pose_of(0.8, 4.0, 3.0)};
  const std::vector<PoseSample> estimates{pose_of(0.0, 0.0, 1.0, 0.0, 0.1),
                                          pose_of(0.4, 4.0, 0.0, 0.0, -0.1),
                                          pose_of(0.8, 7.0, 7.0, 0.0, 0.3)};
  const TrajectoryError error = trajectory_error(match_trajectories(estimates, truth));
  EXPECT_EQ(error.alignment.kind, AlignmentKind::kNone);
  EXPECT_NEAR(error.position.rmse, std::sqrt((1.0 + 0.0 + 25.0) / 3.0), 1e-12);
  EXPECT_NEAR(error.position.mean, 2.0, 1e-12);
  EXPECT_NEAR(error.position.median, 1.0, 1e-12);
  EXPECT_NEAR(error.position.max, 5.0, 1e-12);
  EXPECT_NEAR(error.yaw.rmse, std::sqrt(0.11 / 3.0), 1e-9);
  EXPECT_NEAR(error.rotation.rmse, std::sqrt(0.11 / 3.0), 1e-9);
  EXPECT_NEAR(error.path_length, 7.0, 1e-12);
  EXPECT_NEAR(error.duration, 0.8, 1e-12);
  ASSERT_EQ(error.series.size(), 3U);
  EXPECT_NEAR(error.series[2].difference.y(), 4.0, 1e-12);
  EXPECT_NEAR(error.series[1].yaw, -0.1, 1e-9);
}

TEST(TrajectoryError, AfterAlignmentIsThatOfTheShape) {
  const auto truth = circle_track(500);
  auto estimates = truth;
  for (PoseSample& pose : estimates) {
    pose.position = turned(0.7) * pose.position + Eigen::Vector3d(5.0, 6.0, 0.0);
    pose.orientation = turned(0.7) * pose.orientation;
  }
  const auto match = match_trajectories(estimates, truth, {.planar = true});
  EXPECT_GT(trajectory_error(match).position.rmse, 5.0);
  const TrajectoryError error = trajectory_error(match, AlignmentKind::kYaw);
  EXPECT_EQ(error.alignment.kind, AlignmentKind::kYaw);
  EXPECT_LT(error.position.max, 1e-9);
  EXPECT_LT(error.yaw.max, 1e-9);
}

TEST(TrajectoryError, InThePlaneHeightsDoNotCount) {
  const auto truth = circle_track(50);
  auto estimates = truth;
  for (PoseSample& pose : estimates) pose.position.z() = 100.0;
  const auto flat = match_trajectories(estimates, truth, {.planar = true});
  EXPECT_LT(trajectory_error(flat).position.max, 1e-9);
  EXPECT_NEAR(trajectory_error(match_trajectories(estimates, truth)).position.rmse, 100.0, 1e-9);
}

TEST(TrajectoryError, WithoutTrueOrientationHasNoneOfRotation) {
  const auto track = circle_track(50);
  const TrajectoryError error =
      trajectory_error(match_trajectories(track, track, {.has_orientation = false}));
  EXPECT_EQ(error.position.count, 50);
  EXPECT_EQ(error.yaw.count, 0);
  EXPECT_TRUE(std::isnan(error.rotation.rmse));
  EXPECT_TRUE(std::isnan(error.series[0].yaw));
}

TEST(TrajectoryError, OfNothingIsNan) {
  const TrajectoryError error = trajectory_error({}, AlignmentKind::kSimilarity);
  EXPECT_EQ(error.position.count, 0);
  EXPECT_TRUE(std::isnan(error.position.rmse));
  EXPECT_TRUE(error.series.empty());
}

TEST(PathLengths, OfARobotAtRestDoNotGrow) {
  RandomStream random(3);
  std::vector<PoseSample> truth;
  for (int i = 0; i < 5000; ++i) {
    truth.push_back(pose_of(0.1 * i, 0.005 * random.normal(), 0.005 * random.normal()));
  }
  for (int i = 0; i < 100; ++i) truth.push_back(pose_of(500.0 + 0.1 * i, 0.1 * i, 0.0));
  const auto lengths = path_lengths(match_trajectories(truth, truth));
  // Step by step the noise alone would be about 40 m.
  EXPECT_LT(lengths[4999], 0.2);
  EXPECT_NEAR(lengths.back() - lengths[4999], 9.9, 0.1);
}

}  // namespace
}  // namespace ovf
