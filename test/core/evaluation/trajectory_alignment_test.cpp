#include "ovf/evaluation/trajectory_alignment.hpp"

#include <gtest/gtest.h>

#include "evaluation/test_tracks.hpp"

namespace ovf {
namespace {

const Eigen::Vector3d kShift(100.0, -50.0, 7.0);

// Estimates that the transform takes to the truth.
TrajectoryMatch moved_away(const std::vector<PoseSample>& truth, const Eigen::Quaterniond& rotation,
                           double scale = 1.0, const PoseTrackOptions& options = {}) {
  std::vector<PoseSample> estimates = truth;
  for (PoseSample& pose : estimates) {
    pose.position = rotation.conjugate() * (pose.position - kShift) / scale;
    pose.orientation = rotation.conjugate() * pose.orientation;
  }
  return match_trajectories(estimates, truth, options);
}

double largest_error(const TrajectoryMatch& match) {
  double largest = 0.0;
  for (const PosePair& pair : match.pairs) {
    largest = std::max(largest, (pair.estimate.position - pair.true_position).norm());
    largest = std::max(largest, pair.estimate.orientation.angularDistance(pair.true_orientation));
  }
  return largest;
}

Eigen::Quaterniond some_turn() {
  return Eigen::Quaterniond(Eigen::AngleAxisd(2.5, Eigen::Vector3d(1.0, -2.0, 0.5).normalized()));
}

TEST(TrajectoryAlignment, RecoversARigidMotion) {
  const auto match = moved_away(space_track(300), some_turn());
  for (const auto kind :
       {AlignmentKind::kFirstPose, AlignmentKind::kRigid, AlignmentKind::kSimilarity}) {
    const Alignment found = find_alignment(match, kind);
    EXPECT_FALSE(found.degenerate);
    EXPECT_NEAR(found.rotation.angularDistance(some_turn()), 0.0, 1e-7) << to_string(kind);
    EXPECT_NEAR((found.translation - kShift).norm(), 0.0, 1e-9) << to_string(kind);
    EXPECT_NEAR(found.scale, 1.0, 1e-12);
    EXPECT_LT(largest_error(aligned(match, found)), 1e-6);
  }
}

TEST(TrajectoryAlignment, RecoversAScaleOnlyWhereAsked) {
  const auto match = moved_away(space_track(300), some_turn(), 0.4);
  const Alignment found = find_alignment(match, AlignmentKind::kSimilarity);
  EXPECT_NEAR(found.scale, 0.4, 1e-12);
  EXPECT_NEAR((found.translation - kShift).norm(), 0.0, 1e-9);
  EXPECT_LT(largest_error(aligned(match, found)), 1e-6);
  EXPECT_EQ(find_alignment(match, AlignmentKind::kRigid).scale, 1.0);
}

TEST(TrajectoryAlignment, ByYawLeavesTheVerticalAlone) {
  const Alignment found =
      find_alignment(moved_away(space_track(300), turned(-2.0)), AlignmentKind::kYaw);
  EXPECT_NEAR(found.rotation.angularDistance(turned(-2.0)), 0.0, 1e-7);
  EXPECT_NEAR((found.translation - kShift).norm(), 0.0, 1e-9);
  const Alignment tilted =
      find_alignment(moved_away(space_track(300), some_turn()), AlignmentKind::kYaw);
  EXPECT_EQ(tilted.rotation.x(), 0.0);
  EXPECT_EQ(tilted.rotation.y(), 0.0);
}

TEST(TrajectoryAlignment, InThePlaneNeverTurnsOver) {
  // A mirrored path is best met by half a turn about an axis in the plane, which no robot does.
  auto mirrored = circle_track(300);
  for (PoseSample& pose : mirrored) pose.position.y() *= -1.0;
  const auto match = match_trajectories(mirrored, circle_track(300), {.planar = true});
  const Alignment found = find_alignment(match, AlignmentKind::kRigid);
  EXPECT_EQ(found.rotation.x(), 0.0);
  EXPECT_EQ(found.rotation.y(), 0.0);
}

TEST(TrajectoryAlignment, OfOnePlaceShiftsOnly) {
  const std::vector<PoseSample> truth(10, pose_of(1.0, 500000.1, 4000000.3, 2.0));
  const std::vector<PoseSample> estimates(10, pose_of(1.0, 3.3, 4.4, 1.0));
  const auto match = match_trajectories(estimates, truth);
  for (const auto kind : {AlignmentKind::kYaw, AlignmentKind::kRigid, AlignmentKind::kSimilarity}) {
    const Alignment found = find_alignment(match, kind);
    EXPECT_TRUE(found.degenerate);
    EXPECT_EQ(found.scale, 1.0);
    EXPECT_EQ(found.rotation.w(), 1.0);
    EXPECT_NEAR((found.translation - (truth[0].position - estimates[0].position)).norm(), 0.0,
                1e-6);
  }
}

TEST(TrajectoryAlignment, OfALineTurnsNoMoreThanNeeded) {
  std::vector<PoseSample> truth;
  std::vector<PoseSample> estimates;
  for (int i = 0; i < 50; ++i) {
    truth.push_back(pose_of(0.1 * i, 0.0, 2.0 * i, 0.0));
    estimates.push_back(pose_of(0.1 * i, i, 0.0, 0.0));
  }
  const auto match = match_trajectories(estimates, truth);
  const Alignment found = find_alignment(match, AlignmentKind::kSimilarity);
  EXPECT_TRUE(found.degenerate);
  EXPECT_NEAR(found.scale, 2.0, 1e-12);
  EXPECT_NEAR(found.rotation.angularDistance(turned(std::acos(0.0))), 0.0, 1e-7);
  // A line that goes the other way round is a turn too.
  for (PosePair pair : match.pairs) ASSERT_TRUE(pair.estimate.position.allFinite());
  auto opposite = truth;
  for (PoseSample& pose : opposite) pose.position *= -1.0;
  const Alignment back = find_alignment(match_trajectories(opposite, truth), AlignmentKind::kRigid);
  EXPECT_TRUE((back.rotation * Eigen::Vector3d::UnitY()).isApprox(-Eigen::Vector3d::UnitY(), 1e-9));
}

TEST(TrajectoryAlignment, ByYawOfAVerticalPathDoesNotTurn) {
  std::vector<PoseSample> track;
  for (int i = 0; i < 50; ++i) track.push_back(pose_of(0.1 * i, 0.0, 0.0, i));
  const Alignment found = find_alignment(match_trajectories(track, track), AlignmentKind::kYaw);
  EXPECT_TRUE(found.degenerate);
  EXPECT_EQ(found.rotation.w(), 1.0);
}

TEST(TrajectoryAlignment, OfTheFirstPositionWhereTheTruthHasNoOrientation) {
  const auto match = moved_away(space_track(20), turned(1.0), 1.0, {.has_orientation = false});
  const Alignment found = find_alignment(match, AlignmentKind::kFirstPose);
  EXPECT_TRUE(found.degenerate);
  EXPECT_EQ(found.rotation.w(), 1.0);
  const auto first = aligned(match, found).pairs[0];
  EXPECT_NEAR((first.estimate.position - first.true_position).norm(), 0.0, 1e-9);
}

TEST(TrajectoryAlignment, OfNothingIsNone) {
  for (int i = 0; i < kAlignmentKinds; ++i) {
    const Alignment found = find_alignment({}, static_cast<AlignmentKind>(i));
    EXPECT_EQ(found.count, 0);
    EXPECT_EQ(found.translation.norm(), 0.0);
  }
}

TEST(TrajectoryAlignment, TurnsCovariances) {
  PoseSample pose = pose_of(0.0, 1.0, 0.0);
  pose.has_covariance = true;
  pose.covariance.diagonal() << 1.0, 4.0, 9.0, 0.1, 0.2, 0.3;
  pose.covariance(0, 4) = pose.covariance(4, 0) = 0.05;
  const Alignment quarter{
      .kind = AlignmentKind::kSimilarity, .scale = 2.0, .rotation = turned(std::acos(0.0))};
  const PoseSample out = aligned(pose, quarter);
  EXPECT_NEAR(out.position.y(), 2.0, 1e-12);
  EXPECT_NEAR(out.covariance(0, 0), 16.0, 1e-12);
  EXPECT_NEAR(out.covariance(1, 1), 4.0, 1e-12);
  EXPECT_NEAR(out.covariance(3, 3), 0.2, 1e-12);
  EXPECT_NEAR(out.covariance(5, 5), 0.3, 1e-12);
  // x went with turns about y; now y goes with turns about minus x, and is twice as large.
  EXPECT_NEAR(out.covariance(1, 3), -0.1, 1e-12);
}

TEST(TrajectoryAlignment, HasNames) {
  for (int i = 0; i < kAlignmentKinds; ++i) {
    const auto kind = static_cast<AlignmentKind>(i);
    EXPECT_EQ(alignment_kind(to_string(kind)), kind);
  }
  EXPECT_EQ(alignment_kind("se2"), AlignmentKind::kYaw);
  EXPECT_EQ(alignment_kind("se4"), std::nullopt);
}

}  // namespace
}  // namespace ovf
