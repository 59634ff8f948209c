#include "ovf/evaluation/trajectory_error.hpp"

#include <algorithm>

#include "evaluation/pose_parts.hpp"
#include "ovf/math/angle.hpp"
#include "ovf/math/rotation.hpp"

namespace ovf {
namespace {

ErrorPoint error_of(const PosePair& pair, bool has_orientation) {
  ErrorPoint point;
  point.stamp = pair.estimate.stamp;
  point.difference = pair.estimate.position - pair.true_position;
  point.position = point.difference.norm();
  if (!has_orientation) return point;
  const Eigen::Quaterniond& estimate = pair.estimate.orientation;
  point.yaw = wrapped(yaw_of_rotation(estimate) - yaw_of_rotation(pair.true_orientation));
  const Eigen::Quaterniond difference = pair.true_orientation.conjugate() * estimate;
  point.rotation = rotation_vector(difference).norm();
  return point;
}

}  // namespace

TrajectoryError trajectory_error(const TrajectoryMatch& match, AlignmentKind kind) {
  TrajectoryError out;
  out.alignment = find_alignment(match, kind);
  if (match.pairs.empty()) return out;
  std::vector<double> position;
  std::vector<double> horizontal;
  std::vector<double> yaw;
  std::vector<double> rotation;
  out.series.reserve(match.pairs.size());
  position.reserve(match.pairs.size());
  horizontal.reserve(match.pairs.size());
  for (const PosePair& pair : match.pairs) {
    PosePair moved = pair;
    moved.estimate = aligned(pair.estimate, out.alignment);
    const ErrorPoint& point = out.series.emplace_back(error_of(moved, match.has_orientation));
    position.push_back(point.position);
    horizontal.push_back(point.difference.head<2>().norm());
    if (!match.has_orientation) continue;
    yaw.push_back(point.yaw);
    rotation.push_back(point.rotation);
  }
  out.position = summarise_errors(std::move(position));
  out.horizontal = summarise_errors(std::move(horizontal));
  out.yaw = summarise_errors(std::move(yaw));
  out.rotation = summarise_errors(std::move(rotation));
  out.path_length = path_lengths(match).back();
  out.duration =
      seconds_between(match.pairs.front().estimate.stamp, match.pairs.back().estimate.stamp);
  return out;
}

std::vector<double> path_lengths(const TrajectoryMatch& match, double step) {
  std::vector<double> lengths;
  lengths.reserve(match.pairs.size());
  Eigen::Vector3d corner = Eigen::Vector3d::Zero();
  double to_corner = 0.0;
  for (const PosePair& pair : match.pairs) {
    if (lengths.empty()) {
      corner = pair.true_position;
      lengths.push_back(0.0);
      continue;
    }
    const double from_corner = (pair.true_position - corner).norm();
    // A path never gets shorter.
    lengths.push_back(std::max(lengths.back(), to_corner + from_corner));
    if (from_corner >= step) {
      corner = pair.true_position;
      to_corner = lengths.back();
    }
  }
  return lengths;
}

}  // namespace ovf
