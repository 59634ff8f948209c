#include "ovf/estimator/start_at_pose.hpp"

#include <cmath>
#include <stdexcept>

namespace ovf {

void start_at_pose(Estimator& estimator, const InitialPose& pose) {
  const MotionKind kind = estimator.config().motion.kind;
  if (kind == MotionKind::kJoints) {
    throw std::invalid_argument(
        "motion.kind is joints, which have no pose to start from; expected initial.rule given");
  }
  const double norm = pose.orientation ? pose.orientation->norm() : 1.0;
  if (!pose.position.allFinite() || !std::isfinite(norm) || !(norm > 0.0)) {
    throw std::invalid_argument("the pose to start from has numbers that are not finite");
  }
  const Gaussian prior = estimator.layout().prior();
  const int own = estimator.motion().state_dim();
  Eigen::VectorXd mean = prior.mean.head(own);
  Eigen::Quaterniond reference = Eigen::Quaterniond::Identity();
  if (kind == MotionKind::kPlanar) {
    mean.head<2>() = pose.position.head<2>();
    if (pose.orientation) {
      const Eigen::Vector3d ahead = pose.orientation->normalized() * Eigen::Vector3d::UnitX();
      mean[2] = std::atan2(ahead.y(), ahead.x());
    }
  } else {
    mean.head<3>() = pose.position;
    if (pose.orientation) reference = pose.orientation->normalized();
  }
  estimator.initialise(pose.stamp, mean, prior.covariance().topLeftCorner(own, own), reference);
}

}  // namespace ovf
