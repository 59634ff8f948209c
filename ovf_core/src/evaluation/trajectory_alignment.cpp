#include "ovf/evaluation/trajectory_alignment.hpp"

#include <Eigen/SVD>
#include <array>
#include <cmath>

#include "evaluation/pose_parts.hpp"

namespace ovf {
namespace {

constexpr std::array<const char*, kAlignmentKinds> kNames{"none", "first_pose", "se2", "se3",
                                                          "sim3"};

// Spreads below this, in terms of the distance from the origin, are rounding.
constexpr double kRounding = 1e-12;
// Of the smaller to the larger singular value of the products: 1 cm of width over 100 m.
constexpr double kLine = 1e-8;

struct Moments {
  Eigen::Vector3d estimate = Eigen::Vector3d::Zero();  // means
  Eigen::Vector3d truth = Eigen::Vector3d::Zero();
  Eigen::Matrix3d products = Eigen::Matrix3d::Zero();  // of truth and estimate
  double estimate_spread = 0.0;                        // mean square
  double truth_spread = 0.0;

  bool one_place() const {
    const auto same = [](double spread, const Eigen::Vector3d& mean) {
      return std::sqrt(spread) <= kRounding * (1.0 + mean.norm());
    };
    return same(estimate_spread, estimate) || same(truth_spread, truth);
  }
};

Moments moments_of(const std::vector<PosePair>& pairs) {
  Moments m;
  const double weight = 1.0 / static_cast<double>(pairs.size());
  for (const PosePair& pair : pairs) {
    m.estimate += weight * pair.estimate.position;
    m.truth += weight * pair.true_position;
  }
  for (const PosePair& pair : pairs) {
    const Eigen::Vector3d e = pair.estimate.position - m.estimate;
    const Eigen::Vector3d t = pair.true_position - m.truth;
    m.products.noalias() += weight * t * e.transpose();
    m.estimate_spread += weight * e.squaredNorm();
    m.truth_spread += weight * t.squaredNorm();
  }
  return m;
}

void turn_by_yaw(const Moments& m, Alignment& out) {
  const Eigen::Matrix3d& P = m.products;
  const double sine = P(1, 0) - P(0, 1);
  const double cosine = P(0, 0) + P(1, 1);
  if (std::hypot(sine, cosine) <= kLine * std::sqrt(m.estimate_spread * m.truth_spread)) {
    out.degenerate = true;
  } else {
    out.rotation = yaw_rotation(std::atan2(sine, cosine));
  }
}

void turn_freely(const Moments& m, Alignment& out) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(m.products,
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Vector3d& values = svd.singularValues();
  if (values[0] <= kLine * std::sqrt(m.estimate_spread * m.truth_spread)) {
    out.degenerate = true;
  } else if (values[1] <= kLine * values[0]) {
    out.degenerate = true;
    out.rotation.setFromTwoVectors(svd.matrixV().col(0), svd.matrixU().col(0));
  } else {
    Eigen::Matrix3d U = svd.matrixU();
    // No mirror: the direction that matters least is turned round.
    if (U.determinant() * svd.matrixV().determinant() < 0.0) U.col(2) *= -1.0;
    out.rotation = Eigen::Quaterniond(Eigen::Matrix3d(U * svd.matrixV().transpose()));
  }
  out.rotation.normalize();
}

void match_first_pose(const TrajectoryMatch& match, Alignment& out) {
  const PosePair& first = match.pairs.front();
  if (match.has_orientation) {
    out.rotation = (first.true_orientation * first.estimate.orientation.conjugate()).normalized();
  } else {
    out.degenerate = true;
  }
  out.translation = first.true_position - out.rotation * first.estimate.position;
}

}  // namespace

const char* to_string(AlignmentKind kind) { return kNames.at(static_cast<std::size_t>(kind)); }

std::optional<AlignmentKind> alignment_kind(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (name == kNames[i]) return static_cast<AlignmentKind>(i);
  }
  return std::nullopt;
}

Alignment find_alignment(const TrajectoryMatch& match, AlignmentKind kind) {
  Alignment out{.kind = kind};
  if (match.pairs.empty() || kind == AlignmentKind::kNone) return out;
  if (kind == AlignmentKind::kFirstPose) {
    out.count = 1;
    match_first_pose(match, out);
    return out;
  }
  out.count = static_cast<long>(match.pairs.size());
  const Moments m = moments_of(match.pairs);
  if (m.one_place()) {
    out.degenerate = true;
  } else {
    if (kind == AlignmentKind::kYaw || match.planar) {
      turn_by_yaw(m, out);
    } else {
      turn_freely(m, out);
    }
    if (kind == AlignmentKind::kSimilarity) {
      const double scale =
          (out.rotation.toRotationMatrix().transpose() * m.products).trace() / m.estimate_spread;
      if (scale > kRounding) {
        out.scale = scale;
      } else {
        out.degenerate = true;
      }
    }
  }
  out.translation = m.truth - out.scale * (out.rotation * m.estimate);
  return out;
}

PoseSample aligned(const PoseSample& pose, const Alignment& alignment) {
  PoseSample out = pose;
  out.position = alignment.scale * (alignment.rotation * pose.position) + alignment.translation;
  out.orientation = alignment.rotation * pose.orientation;
  if (pose.has_covariance) {
    const Eigen::Matrix3d R = alignment.rotation.toRotationMatrix();
    Eigen::Matrix<double, 6, 6> turn = Eigen::Matrix<double, 6, 6>::Zero();
    turn.topLeftCorner<3, 3>() = alignment.scale * R;
    turn.bottomRightCorner<3, 3>() = R;
    out.covariance = turn * pose.covariance * turn.transpose();
  }
  return out;
}

RolloutSample aligned(const RolloutSample& rollout, const Alignment& alignment) {
  RolloutSample out = rollout;
  for (PoseSample& pose : out.poses) pose = aligned(pose, alignment);
  return out;
}

TrajectoryMatch aligned(TrajectoryMatch match, const Alignment& alignment) {
  if (alignment.kind == AlignmentKind::kNone) return match;
  for (PosePair& pair : match.pairs) pair.estimate = aligned(pair.estimate, alignment);
  return match;
}

}  // namespace ovf
