#include "ovf/evaluation/trajectory_match.hpp"

#include <algorithm>

#include "evaluation/pose_parts.hpp"
#include "evaluation/sort_stable.hpp"

namespace ovf {

TrajectoryMatch match_trajectories(const std::vector<PoseSample>& estimates, const PoseTrack& truth,
                                   double time_offset) {
  const PoseTrackOptions& options = truth.options();
  TrajectoryMatch match{.planar = options.planar,
                        .has_orientation = options.has_orientation,
                        .unusable_truth = truth.unusable()};
  // The orientation of an estimate means something even where that of the truth does not.
  const PoseTrackOptions own{.planar = options.planar};
  match.pairs.reserve(estimates.size());
  for (const PoseSample& estimate : estimates) {
    if (!usable(estimate, own.has_orientation) || !usable_seconds(time_offset)) {
      ++match.unusable;
      continue;
    }
    const PoseTrack::Place place = truth.at(later(estimate.stamp, time_offset));
    switch (place.found) {
      case PoseTrack::Found::kHere:
        match.pairs.push_back(
            {prepared(estimate, own), place.position, place.orientation, place.stretch});
        break;
      case PoseTrack::Found::kBefore:
        ++match.before;
        break;
      case PoseTrack::Found::kAfter:
        ++match.after;
        break;
      case PoseTrack::Found::kInGap:
        ++match.in_gaps;
        break;
    }
  }
  const auto earlier = [](const PosePair& a, const PosePair& b) {
    return a.estimate.stamp < b.estimate.stamp;
  };
  // Sorting moves large pairs about; recordings are in order almost always.
  if (!std::is_sorted(match.pairs.begin(), match.pairs.end(), earlier)) {
    sort_stable(match.pairs, earlier);
  }
  return match;
}

TrajectoryMatch match_trajectories(const std::vector<PoseSample>& estimates,
                                   const std::vector<PoseSample>& truth,
                                   const PoseTrackOptions& options, double time_offset) {
  return match_trajectories(estimates, PoseTrack(truth, options), time_offset);
}

}  // namespace ovf
