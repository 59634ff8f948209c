#include "ovf_ros/markers.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "ovf/math/chi_square.hpp"
#include "ovf/recording/estimator_messages.hpp"

namespace ovf_ros {
namespace {

using visualization_msgs::msg::Marker;
using visualization_msgs::msg::MarkerArray;

constexpr double kThinnest = 0.01;      // metres: RViz shows nothing of zero size
constexpr double kThickest = 1e4;       // an uncertainty beyond this hides everything
constexpr double kNegligible = 1e-9;    // m^2
constexpr double kLandmarkWidth = 0.2;  // metres
constexpr double kLandmarkHeight = 0.6;
constexpr double kTextHeight = 0.4;

void set_colour(double r, double g, double b, double a, Marker& out) {
  out.color.r = static_cast<float>(r);
  out.color.g = static_cast<float>(g);
  out.color.b = static_cast<float>(b);
  out.color.a = static_cast<float>(a);
}

Marker ellipsoid(const Eigen::Vector3d& position, const Eigen::Matrix3d& covariance) {
  // A planar robot has no uncertainty upwards.
  const bool flat = covariance(2, 2) < kNegligible;
  const double reach = std::sqrt(ovf::chi_square_quantile(kEllipsoidProbability, flat ? 2.0 : 3.0));
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(covariance);
  Eigen::Matrix3d directions = axes.eigenvectors();
  if (directions.determinant() < 0.0) directions.col(0) *= -1.0;
  const Eigen::Vector3d widths = (2.0 * reach * axes.eigenvalues().cwiseMax(0.0).cwiseSqrt())
                                     .cwiseMax(kThinnest)
                                     .cwiseMin(kThickest);
  Marker marker;
  marker.type = Marker::SPHERE;
  ovf::set_vector(position, marker.pose.position);
  ovf::set_quaternion(Eigen::Quaterniond(directions), marker.pose.orientation);
  ovf::set_vector(widths, marker.scale);
  return marker;
}

}  // namespace

Marker belief_marker(const std_msgs::msg::Header& header, const Eigen::Vector3d& position,
                     const Eigen::Matrix3d& covariance) {
  Marker marker = ellipsoid(position, covariance);
  marker.header = header;
  marker.ns = "belief";
  set_colour(0.1, 0.5, 1.0, 0.4, marker);
  return marker;
}

MarkerArray rollout_markers(const ovf_msgs::msg::Rollout& rollout, int count) {
  MarkerArray markers;
  const auto steps = static_cast<int>(rollout.poses.size());
  const int shown = std::min(count, steps);
  for (int i = 0; i < count; ++i) {
    Marker marker;
    marker.action = Marker::DELETE;
    if (i < shown) {
      const auto& pose = rollout.poses[static_cast<std::size_t>((i + 1) * steps / shown - 1)];
      const Eigen::Map<const Eigen::Matrix<double, 6, 6, Eigen::RowMajor>> covariance(
          pose.covariance.data());
      const auto& place = pose.pose.position;
      marker = ellipsoid({place.x, place.y, place.z}, covariance.topLeftCorner<3, 3>());
    }
    marker.header = rollout.header;
    marker.ns = "rollout";
    marker.id = i;
    set_colour(1.0, 0.6, 0.1, 0.25, marker);
    markers.markers.push_back(marker);
  }
  return markers;
}

MarkerArray landmark_markers(const ovf::EstimatorConfig& config) {
  MarkerArray markers;
  for (std::size_t i = 0; i < config.landmark_ids.size(); ++i) {
    Marker marker;
    marker.header.frame_id = config.output.world_frame;
    marker.ns = "landmarks";
    marker.id = config.landmark_ids[i];
    marker.type = Marker::CYLINDER;
    marker.pose.position.x = config.landmark_x[i];
    marker.pose.position.y = config.landmark_y[i];
    marker.pose.position.z = config.landmark_z.empty() ? 0.0 : config.landmark_z[i];
    marker.pose.orientation.w = 1.0;
    marker.scale.x = marker.scale.y = kLandmarkWidth;
    marker.scale.z = kLandmarkHeight;
    set_colour(0.2, 0.8, 0.3, 0.9, marker);
    markers.markers.push_back(marker);

    marker.ns = "landmark numbers";
    marker.type = Marker::TEXT_VIEW_FACING;
    marker.pose.position.z += kLandmarkHeight;
    marker.scale.z = kTextHeight;
    marker.text = std::to_string(config.landmark_ids[i]);
    set_colour(0.2, 0.2, 0.2, 0.9, marker);
    markers.markers.push_back(marker);
  }
  return markers;
}

}  // namespace ovf_ros
