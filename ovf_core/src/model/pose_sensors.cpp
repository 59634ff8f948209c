#include "ovf/model/pose_sensors.hpp"

#include <Eigen/LU>

namespace ovf {

Eigen::Vector3d relative_rotation(const StepInput& input, const Eigen::Quaterniond& measured) {
  return rotation_vector(Eigen::Quaterniond(input.reference.conjugate() * measured.normalized()));
}

Eigen::Matrix3d relative_covariance(const StepInput& input, const Eigen::Quaterniond& measured,
                                    const Eigen::Matrix3d& about_world_axes) {
  // exp(small) * measured = reference * exp(y + J^-1 reference' small) to first order.
  const Eigen::Matrix3d slope = left_jacobian(relative_rotation(input, measured)).inverse() *
                                input.reference.toRotationMatrix().transpose();
  return slope * about_world_axes * slope.transpose();
}

}  // namespace ovf
