#include "ovf_ros/initial_belief.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "ovf/recording/sense.hpp"

namespace ovf_ros {
namespace {

constexpr double kShortestQuaternion = 1e-3;

Eigen::MatrixXd part(const Eigen::MatrixXd& all, const std::vector<int>& rows) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd out(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) {
      out(i, j) = all(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(j)]);
    }
  }
  return out;
}

bool is_usable(const Eigen::MatrixXd& covariance) {
  return covariance.allFinite() && covariance.llt().info() == Eigen::Success;
}

}  // namespace

InitialBelief initial_belief(const ovf::Estimator& estimator,
                             const geometry_msgs::msg::PoseWithCovarianceStamped& pose,
                             ovf::Stamp now) {
  const ovf::EstimatorConfig& config = estimator.config();
  if (config.motion.kind == ovf::MotionKind::kJoints) {
    throw std::invalid_argument("an initial pose; expected none: motion.kind is joints");
  }
  const std::string& frame = pose.header.frame_id;
  if (!frame.empty() && frame != config.output.world_frame) {
    throw std::invalid_argument("an initial pose in frame " + frame +
                                "; expected output.world_frame, which is " +
                                config.output.world_frame);
  }
  const ovf::Sensed sensed = ovf::sense_pose_with_covariance(pose);
  if (!sensed.position->allFinite() || !sensed.orientation->coeffs().allFinite() ||
      sensed.orientation->norm() < kShortestQuaternion) {
    throw std::invalid_argument(
        "an initial pose with a NaN, an infinity or a quaternion of zeros; expected a pose");
  }
  const Eigen::Quaterniond orientation = sensed.orientation->normalized();
  const Eigen::Matrix3d rotation = orientation.toRotationMatrix();

  const int own = estimator.motion().state_dim();
  const ovf::Gaussian prior = estimator.layout().prior();
  InitialBelief out;
  // Whoever gives a pose of the future means the present.
  out.stamp = sensed.stamp == 0 || sensed.stamp > now ? now : sensed.stamp;
  out.mean = prior.mean.head(own);
  out.covariance = prior.covariance().topLeftCorner(own, own);

  Eigen::MatrixXd given;
  switch (config.motion.kind) {
    case ovf::MotionKind::kPlanar:
      out.mean.head<2>() = sensed.position->head<2>();
      out.mean[2] = std::atan2(rotation(1, 0), rotation(0, 0));
      given = part(sensed.pose_covariance, {0, 1, 5});
      break;
    case ovf::MotionKind::kRigidBody: {
      out.mean.head<3>() = *sensed.position;
      out.mean.segment<3>(3).setZero();
      out.reference = orientation;
      // Turns about the world's axes become turns about the body's.
      Eigen::Matrix<double, 6, 6> to_body = Eigen::Matrix<double, 6, 6>::Identity();
      to_body.bottomRightCorner<3, 3>() = rotation.transpose();
      given = to_body * sensed.pose_covariance * to_body.transpose();
      break;
    }
    default:
      out.mean.head<3>() = *sensed.position;
      given = part(sensed.pose_covariance, {0, 1, 2});
      break;
  }
  if (is_usable(given)) out.covariance.topLeftCorner(given.rows(), given.cols()) = given;
  return out;
}

}  // namespace ovf_ros
