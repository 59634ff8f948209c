#include "ovf/evaluation/pose_track.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "evaluation/test_tracks.hpp"

namespace ovf {
namespace {

using Found = PoseTrack::Found;

TEST(PoseTrack, InterpolatesPositionAndOrientation) {
  const PoseTrack track({pose_of(0.0, 0.0, 0.0, 0.0, 3.0), pose_of(0.4, 2.0, 4.0, 8.0, -3.0)});
  const auto place = track.at(stamp_at(0.1));
  EXPECT_EQ(place.found, Found::kHere);
  EXPECT_TRUE(place.position.isApprox(Eigen::Vector3d(0.5, 1.0, 2.0)));
  // The short way round: from 3 to 2 pi - 3.
  const double turn = 2.0 * std::acos(-1.0) - 6.0;
  EXPECT_NEAR(place.orientation.angularDistance(turned(3.0 + 0.25 * turn)), 0.0, 1e-9);
}

TEST(PoseTrack, KnowsNothingOutsideAndInGaps) {
  const PoseTrack track({pose_of(1.0, 0.0, 0.0), pose_of(1.5, 1.0, 0.0), pose_of(2.1, 2.0, 0.0)});
  EXPECT_EQ(track.at(stamp_at(0.999)).found, Found::kBefore);
  EXPECT_EQ(track.at(stamp_at(1.25)).found, Found::kHere);
  EXPECT_EQ(track.at(stamp_at(1.8)).found, Found::kInGap);
  EXPECT_EQ(track.at(stamp_at(2.101)).found, Found::kAfter);
  // At the poses themselves it does, whatever is beside them.
  EXPECT_EQ(track.at(stamp_at(2.1)).found, Found::kHere);
  EXPECT_EQ(track.at(stamp_at(1.0)).stretch, track.at(stamp_at(1.5)).stretch);
  EXPECT_NE(track.at(stamp_at(1.0)).stretch, track.at(stamp_at(2.1)).stretch);
  EXPECT_EQ(PoseTrack({}).at(0).found, Found::kAfter);
}

TEST(PoseTrack, SortsAndLeavesOutWhatIsNoPose) {
  PoseSample broken = pose_of(0.1, std::numeric_limits<double>::quiet_NaN(), 0.0);
  PoseSample unturned = pose_of(0.15, 9.0, 0.0);
  unturned.orientation.coeffs().setZero();
  PoseSample late = pose_of(0.0, 9.0, 0.0);
  late.stamp = std::numeric_limits<Stamp>::max();
  const std::vector<PoseSample> poses{pose_of(0.2, 2.0, 0.0), broken, unturned, late,
                                      pose_of(0.0, 0.0, 0.0)};
  const PoseTrack track(poses);
  EXPECT_EQ(track.size(), 2U);
  EXPECT_EQ(track.unusable(), 3);
  EXPECT_NEAR(track.at(stamp_at(0.1)).position.x(), 1.0, 1e-12);
  // Without orientations, one that is none is no harm.
  EXPECT_EQ(PoseTrack(poses, {.has_orientation = false}).size(), 3U);
}

TEST(PoseTrack, OfEqualStampsTakesTheLast) {
  const PoseTrack track({pose_of(0.0, 1.0, 0.0), pose_of(0.0, 2.0, 0.0), pose_of(0.1, 4.0, 0.0)});
  EXPECT_EQ(track.at(0).position.x(), 2.0);
  EXPECT_NEAR(track.at(stamp_at(0.05)).position.x(), 3.0, 1e-12);
}

TEST(PoseTrack, IsFlatInThePlane) {
  PoseSample pose = pose_of(0.0, 1.0, 2.0, 3.0);
  pose.orientation = turned(0.5) * Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitY()) *
                     Eigen::AngleAxisd(-0.2, Eigen::Vector3d::UnitX());
  const auto place = PoseTrack({pose}, {.planar = true}).at(0);
  EXPECT_EQ(place.position.z(), 0.0);
  EXPECT_NEAR(place.orientation.angularDistance(turned(0.5)), 0.0, 1e-7);
}

}  // namespace
}  // namespace ovf
