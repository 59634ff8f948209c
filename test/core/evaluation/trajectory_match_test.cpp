#include "ovf/evaluation/trajectory_match.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "evaluation/test_tracks.hpp"

namespace ovf {
namespace {

TEST(TrajectoryMatch, CountsWhatItLeavesOut) {
  const std::vector<PoseSample> truth{pose_of(1.0, 1.0, 0.0), pose_of(1.4, 1.4, 0.0),
                                      pose_of(3.0, 3.0, 0.0), pose_of(3.4, 3.4, 0.0)};
  std::vector<PoseSample> estimates;
  for (int i = 0; i < 50; ++i) estimates.push_back(pose_of(0.1 * i, 0.1 * i, 0.0));
  estimates.push_back(pose_of(1.2, std::numeric_limits<double>::infinity(), 0.0));
  const TrajectoryMatch match = match_trajectories(estimates, truth);
  EXPECT_EQ(match.before, 10);   // 0.0 to 0.9
  EXPECT_EQ(match.in_gaps, 15);  // 1.5 to 2.9
  EXPECT_EQ(match.after, 15);    // 3.5 to 4.9
  EXPECT_EQ(match.unusable, 1);
  ASSERT_EQ(match.pairs.size(), 10U);
  for (const PosePair& pair : match.pairs) {
    EXPECT_NEAR(pair.true_position.x(), pair.estimate.position.x(), 1e-9);
  }
  EXPECT_EQ(match.pairs[0].stretch, match.pairs[4].stretch);
  EXPECT_NE(match.pairs[4].stretch, match.pairs[5].stretch);
}

TEST(TrajectoryMatch, ShiftsTime) {
  const std::vector<PoseSample> truth{pose_of(0.0, 0.0, 0.0), pose_of(0.5, 5.0, 0.0)};
  const TrajectoryMatch match = match_trajectories({pose_of(0.1, 0.0, 0.0)}, truth, {}, 0.2);
  ASSERT_EQ(match.pairs.size(), 1U);
  EXPECT_NEAR(match.pairs[0].true_position.x(), 3.0, 1e-9);
  EXPECT_EQ(match.pairs[0].estimate.stamp, stamp_at(0.1));
}

TEST(TrajectoryMatch, TakesNoShiftThatIsNone) {
  const std::vector<PoseSample> track{pose_of(0.0, 0.0, 0.0), pose_of(0.5, 5.0, 0.0)};
  for (const double offset : {std::numeric_limits<double>::quiet_NaN(), 1e300, -1e11}) {
    EXPECT_EQ(match_trajectories(track, track, {}, offset).unusable, 2) << offset;
  }
}

TEST(TrajectoryMatch, SaysThatTheTruthHasNoOrientation) {
  const auto track = circle_track(20);
  const TrajectoryMatch match = match_trajectories(track, track, {.has_orientation = false});
  EXPECT_FALSE(match.has_orientation);
  ASSERT_EQ(match.pairs.size(), 20U);
  // The estimate keeps its own.
  EXPECT_NEAR(match.pairs[19].estimate.orientation.angularDistance(turned(0.19)), 0.0, 1e-7);
}

TEST(TrajectoryMatch, PutsEstimatesInOrder) {
  const auto track = circle_track(3);
  const TrajectoryMatch match = match_trajectories({track[2], track[0], track[1]}, track);
  ASSERT_EQ(match.pairs.size(), 3U);
  EXPECT_EQ(match.pairs[0].estimate.stamp, track[0].stamp);
  EXPECT_EQ(match.pairs[2].estimate.stamp, track[2].stamp);
}

TEST(TrajectoryMatch, OfNothingIsEmpty) {
  EXPECT_TRUE(match_trajectories({}, circle_track(3)).pairs.empty());
  EXPECT_EQ(match_trajectories(circle_track(3), std::vector<PoseSample>{}).after, 3);
}

}  // namespace
}  // namespace ovf
