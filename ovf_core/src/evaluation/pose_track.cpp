#include "ovf/evaluation/pose_track.hpp"

#include <algorithm>

#include "evaluation/pose_parts.hpp"
#include "evaluation/sort_stable.hpp"

namespace ovf {

bool usable(const PoseSample& pose, bool has_orientation) {
  // No robot is so far away, and squares of it stay finite.
  constexpr double kFarthest = 1e12;
  if (!usable_stamp(pose.stamp) || !pose.position.allFinite()) return false;
  if (pose.position.cwiseAbs().maxCoeff() > kFarthest) return false;
  if (!has_orientation) return true;
  constexpr double kSmallestNorm = 1e-6;
  const double norm = pose.orientation.coeffs().norm();
  return std::isfinite(norm) && norm > kSmallestNorm;
}

PoseSample prepared(const PoseSample& pose, const PoseTrackOptions& options) {
  PoseSample out = pose;
  if (options.has_orientation) {
    out.orientation.normalize();
  } else {
    out.orientation.setIdentity();
  }
  if (options.planar) {
    out.position.z() = 0.0;
    out.orientation = yaw_rotation(yaw_of_rotation(out.orientation));
  }
  return out;
}

PoseTrack::PoseTrack(const std::vector<PoseSample>& poses, const PoseTrackOptions& options)
    : options_(options) {
  poses_.reserve(poses.size());
  for (const PoseSample& pose : poses) {
    if (!usable(pose, options.has_orientation)) {
      ++unusable_;
      continue;
    }
    const PoseSample ready = prepared(pose, options);
    poses_.push_back({ready.stamp, ready.position, ready.orientation, 0});
  }
  sort_stable(poses_, [](const Pose& a, const Pose& b) { return a.stamp < b.stamp; });
  for (std::size_t i = 1; i < poses_.size(); ++i) {
    const bool gap =
        !(seconds_between(poses_[i - 1].stamp, poses_[i].stamp) <= options.longest_gap);
    poses_[i].stretch = poses_[i - 1].stretch + (gap ? 1 : 0);
  }
}

PoseTrack::Place PoseTrack::at(Stamp stamp) const {
  const auto next =
      std::upper_bound(poses_.begin(), poses_.end(), stamp,
                       [](Stamp value, const Pose& pose) { return value < pose.stamp; });
  Place place;
  if (next == poses_.begin()) {
    place.found = poses_.empty() ? Found::kAfter : Found::kBefore;
    return place;
  }
  const Pose& a = *std::prev(next);
  place = {Found::kHere, a.position, a.orientation, a.stretch};
  if (a.stamp == stamp) return place;
  if (next == poses_.end()) {
    place.found = Found::kAfter;
  } else if (next->stretch != a.stretch) {
    place.found = Found::kInGap;
  } else {
    const double share = seconds_between(a.stamp, stamp) / seconds_between(a.stamp, next->stamp);
    place.position += share * (next->position - a.position);
    place.orientation = a.orientation.slerp(share, next->orientation);
  }
  return place;
}

}  // namespace ovf
