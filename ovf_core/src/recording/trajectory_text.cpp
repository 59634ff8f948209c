#include "recording/trajectory_text.hpp"

#include <fmt/format.h>

#include "ovf/recording/estimator_messages.hpp"
#include "ovf/recording/ros_messages.hpp"

namespace ovf {

std::string tum_line(Stamp stamp, const BodyBelief& body) {
  ros::Time time;
  set_time(stamp, time);
  const Eigen::Vector3d& p = body.mean.position;
  const Eigen::Quaterniond q(body.mean.rotation);
  return fmt::format("{}.{:09} {} {} {} {} {} {} {}\n", time.sec, time.nanosec, p.x(), p.y(), p.z(),
                     q.x(), q.y(), q.z(), q.w());
}

std::string trajectory_line(Stamp stamp, const BodyBelief& body) {
  const Eigen::Vector3d& p = body.mean.position;
  const Eigen::Quaterniond q(body.mean.rotation);
  const Eigen::Vector3d& v = body.mean.velocity;
  const Eigen::Vector3d& w = body.mean.rate;
  const Eigen::Matrix<double, 6, 1> deviations = body.pose_covariance.diagonal().cwiseSqrt();
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", stamp, p.x(), p.y(),
                     p.z(), q.x(), q.y(), q.z(), q.w(), v.x(), v.y(), v.z(), w.x(), w.y(), w.z(),
                     deviations[0], deviations[1], deviations[2], deviations[5]);
}

}  // namespace ovf
