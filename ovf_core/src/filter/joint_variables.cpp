#include "ovf/filter/joint_variables.hpp"

namespace ovf {

void JointVariables::assign(const StepRecord& record) {
  const Gaussian& q = record.marginal.gaussian();
  const Eigen::Index d = q.dim();
  to.constant = q.mean;
  to.by_z = q.factor.lower();
  to.by_e.setZero(d, record.first ? 0 : d);
  if (record.first) return;

  const AffineGaussian& kernel = *record.kernel->affine();
  from.constant = kernel.offset;
  from.constant.noalias() += kernel.matrix * q.mean;
  from.by_z.noalias() = kernel.matrix * q.factor.lower();
  from.by_e = kernel.noise.lower();
}

void JointVariables::whiten_from(const StepRecord& record) {
  whitened_from.constant = from.constant - record.previous.mean;
  whitened_from.by_z = from.by_z;
  whitened_from.by_e = from.by_e;
  record.previous.factor.whiten(whitened_from.constant);
  record.previous.factor.whiten(whitened_from.by_z);
  record.previous.factor.whiten(whitened_from.by_e);
  whitened_covariance.noalias() = whitened_from.by_z * whitened_from.by_z.transpose();
  whitened_covariance.noalias() += whitened_from.by_e * whitened_from.by_e.transpose();
}

}  // namespace ovf
