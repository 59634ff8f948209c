#include "ovf/evaluation/consistency.hpp"

#include <cmath>

#include "evaluation/ellipse_coverage.hpp"
#include "evaluation/pose_parts.hpp"
#include "ovf/evaluation/autocorrelation.hpp"
#include "ovf/math/angle.hpp"
#include "ovf/math/rotation.hpp"

namespace ovf {
namespace {

bool needs_orientation(NeesKind kind) {
  return kind == NeesKind::kPlanarPose || kind == NeesKind::kAttitude || kind == NeesKind::kPose;
}

// About the world's axes: truth = exp(error) estimate.
Eigen::Vector3d attitude_error(const PosePair& pair) {
  return rotation_vector(
      Eigen::Quaterniond(pair.true_orientation * pair.estimate.orientation.conjugate()));
}

double nees_of(const PosePair& pair, NeesKind kind) {
  const Eigen::Vector3d position = pair.true_position - pair.estimate.position;
  const auto& C = pair.estimate.covariance;
  switch (kind) {
    case NeesKind::kPlanarPosition:
      return squared_in_units_of(position.head<2>(), Eigen::Matrix2d(C.topLeftCorner<2, 2>()));
    case NeesKind::kPlanarPose: {
      const double yaw = wrapped(yaw_of_rotation(pair.true_orientation) -
                                 yaw_of_rotation(pair.estimate.orientation));
      const Eigen::Vector3d error(position.x(), position.y(), yaw);
      Eigen::Matrix3d covariance;
      covariance << C(0, 0), C(0, 1), C(0, 5), C(1, 0), C(1, 1), C(1, 5), C(5, 0), C(5, 1), C(5, 5);
      return squared_in_units_of(error, covariance);
    }
    case NeesKind::kPosition:
      return squared_in_units_of(position, Eigen::Matrix3d(C.topLeftCorner<3, 3>()));
    case NeesKind::kAttitude:
      return squared_in_units_of(attitude_error(pair),
                                 Eigen::Matrix3d(C.bottomRightCorner<3, 3>()));
    case NeesKind::kPose: {
      Eigen::Matrix<double, 6, 1> error;
      error << position, attitude_error(pair);
      return squared_in_units_of(error, C);
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Band mean_band(double count, double degrees) {
  const double total = count * degrees;
  if (!(total > 0.0)) return {};
  // The sum is chi-square too. Beyond this its quantiles take long, and the cube of a normal
  // (Wilson and Hilferty, 1931) has them to five digits.
  constexpr double kMany = 1000.0;
  if (total <= kMany) {
    return {chi_square_quantile(0.025, total) / total, chi_square_quantile(0.975, total) / total};
  }
  constexpr double kNormalQuantile = 1.959963984540054;
  const double variance = 2.0 / (9.0 * total);
  const double reach = kNormalQuantile * std::sqrt(variance);
  return {std::pow(1.0 - variance - reach, 3), std::pow(1.0 - variance + reach, 3)};
}

int degrees_of_freedom(NeesKind kind) {
  switch (kind) {
    case NeesKind::kPlanarPosition:
      return 2;
    case NeesKind::kPlanarPose:
    case NeesKind::kPosition:
    case NeesKind::kAttitude:
      return 3;
    case NeesKind::kPose:
      return 6;
  }
  return 0;
}

const char* to_string(NeesKind kind) {
  switch (kind) {
    case NeesKind::kPlanarPosition:
      return "x, y";
    case NeesKind::kPlanarPose:
      return "x, y, yaw";
    case NeesKind::kPosition:
      return "x, y, z";
    case NeesKind::kAttitude:
      return "attitude";
    case NeesKind::kPose:
      return "x, y, z, attitude";
  }
  return "unknown";
}

std::vector<NeesKind> nees_kinds(const TrajectoryMatch& match) {
  if (match.planar) {
    if (!match.has_orientation) return {NeesKind::kPlanarPosition};
    return {NeesKind::kPlanarPosition, NeesKind::kPlanarPose};
  }
  if (!match.has_orientation) return {NeesKind::kPosition, NeesKind::kPlanarPosition};
  return {NeesKind::kPosition, NeesKind::kPlanarPosition, NeesKind::kAttitude, NeesKind::kPose};
}

Nees nees(const TrajectoryMatch& match, NeesKind kind) {
  const int degrees = degrees_of_freedom(kind);
  const bool possible = match.has_orientation || !needs_orientation(kind);
  Nees out{.kind = kind};
  EllipseCoverage coverage(degrees);
  std::vector<double> values;
  double sum = 0.0;
  for (const PosePair& pair : match.pairs) {
    const double value = possible && pair.estimate.has_covariance
                             ? nees_of(pair, kind)
                             : std::numeric_limits<double>::quiet_NaN();
    if (std::isnan(value)) {
      ++out.left_out;
      continue;
    }
    coverage.add(value);
    sum += value;
    values.push_back(value);
    out.series.push_back({pair.estimate.stamp, value});
  }
  out.count = coverage.count();
  out.coverage50 = coverage.within50();
  out.coverage90 = coverage.within90();
  out.coverage95 = coverage.within95();
  if (out.count == 0) return out;
  const auto count = static_cast<double>(out.count);
  out.anees = sum / (count * degrees);
  out.band = mean_band(count, degrees);
  out.effective_count = effective_sample_size(values);
  out.effective_band = mean_band(out.effective_count, degrees);
  return out;
}

}  // namespace ovf
