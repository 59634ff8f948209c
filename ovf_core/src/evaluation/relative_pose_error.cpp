#include "ovf/evaluation/relative_pose_error.hpp"

#include <cmath>
#include <numbers>

#include "ovf/evaluation/trajectory_error.hpp"
#include "ovf/math/rotation.hpp"

namespace ovf {
namespace {

constexpr double kStartsPerLength = 10.0;
constexpr double kLongest = 1.5;
constexpr double kRounding = 1e-9;

struct Sums {
  long count = 0;
  double translation = 0.0;  // metres per metre
  double rotation = 0.0;     // radians per metre

  void add(const Sums& other) {
    count += other.count;
    translation += other.translation;
    rotation += other.rotation;
  }

  SegmentError figures(double length, bool has_orientation) const {
    SegmentError out{.length = length, .count = count};
    if (count == 0) return out;
    const auto n = static_cast<double>(count);
    out.translation_percent = 100.0 * translation / n;
    if (has_orientation) {
      out.rotation_degrees_per_metre = rotation / n * 180.0 / std::numbers::pi;
    }
    return out;
  }
};

// The error of one segment, per metre.
Sums error_between(const PosePair& a, const PosePair& b, double length, bool has_orientation) {
  const Eigen::Vector3d estimated = b.estimate.position - a.estimate.position;
  const Eigen::Vector3d truth = b.true_position - a.true_position;
  Sums out{.count = 1};
  if (!has_orientation) {
    out.translation = (estimated - truth).norm() / length;
    return out;
  }
  const Eigen::Quaterniond estimate_back = a.estimate.orientation.conjugate();
  const Eigen::Quaterniond truth_back = a.true_orientation.conjugate();
  out.translation = (estimate_back * estimated - truth_back * truth).norm() / length;
  const Eigen::Quaterniond estimated_turn = estimate_back * b.estimate.orientation;
  const Eigen::Quaterniond true_turn = truth_back * b.true_orientation;
  const Eigen::Quaterniond difference = true_turn.conjugate() * estimated_turn;
  out.rotation = rotation_vector(difference).norm() / length;
  return out;
}

Sums sum_segments(const TrajectoryMatch& match, const std::vector<double>& path, double length) {
  Sums sums;
  double next_start = 0.0;
  std::size_t end = 0;
  for (std::size_t start = 0; start < path.size(); ++start) {
    if (path[start] < next_start) continue;
    next_start = path[start] + length / kStartsPerLength;
    // Rounding must not make a segment of sparse pairs one pair longer.
    while (end < path.size() && path[end] - path[start] < length * (1.0 - kRounding)) ++end;
    if (end == path.size()) break;
    const PosePair& a = match.pairs[start];
    const PosePair& b = match.pairs[end];
    const double real = path[end] - path[start];
    if (a.stretch != b.stretch || real > kLongest * length) continue;
    sums.add(error_between(a, b, real, match.has_orientation));
  }
  return sums;
}

}  // namespace

RelativePoseError relative_pose_error(const TrajectoryMatch& match,
                                      const std::vector<double>& lengths) {
  RelativePoseError out;
  out.in_world_axes = !match.has_orientation;
  const std::vector<double> path = path_lengths(match);
  Sums all;
  for (const double length : lengths) {
    if (path.empty() || !(length > 0.0) || length > path.back()) continue;
    const Sums sums = sum_segments(match, path, length);
    out.segments.push_back(sums.figures(length, match.has_orientation));
    all.add(sums);
  }
  out.all = all.figures(0.0, match.has_orientation);
  return out;
}

}  // namespace ovf
