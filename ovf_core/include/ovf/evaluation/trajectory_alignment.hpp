#pragma once

#include <optional>
#include <string_view>

#include "ovf/evaluation/run_record.hpp"
#include "ovf/evaluation/trajectory_match.hpp"

namespace ovf {

/// How the estimates may be moved before they are compared.
enum class AlignmentKind {
  kNone,
  kFirstPose,   ///< the first pair agrees; only its position where the truth has no orientation
  kYaw,         ///< turned about the vertical and shifted (4 numbers), least squares of positions
  kRigid,       ///< turned in any way and shifted (6 numbers)
  kSimilarity,  ///< also scaled (7 numbers)
};
inline constexpr int kAlignmentKinds = 5;

/// none, first_pose, se2, se3, sim3.
const char* to_string(AlignmentKind kind);
std::optional<AlignmentKind> alignment_kind(std::string_view name);

/// Truth is about scale * rotation * estimate + translation.
struct Alignment {
  AlignmentKind kind = AlignmentKind::kNone;
  double scale = 1.0;
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  long count = 0;  ///< pairs that it is from
  /// The positions do not tell all of it: they are all in one place or on a line. What they do not
  /// tell is as little of a turn as possible, and a scale of 1.
  bool degenerate = false;
};

/// Umeyama's least squares (1991). In the plane all turns are about the vertical.
Alignment find_alignment(const TrajectoryMatch& match, AlignmentKind kind);

PoseSample aligned(const PoseSample& pose, const Alignment& alignment);
RolloutSample aligned(const RolloutSample& rollout, const Alignment& alignment);
/// Moves the estimates; the truth stays.
TrajectoryMatch aligned(TrajectoryMatch match, const Alignment& alignment);

}  // namespace ovf
