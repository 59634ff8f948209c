#include "ovf/posterior/closed_form_kernel.hpp"

namespace ovf {

bool ClosedFormKernel::compute(const Gaussian& previous, const AffineGaussian& transition,
                               AffineGaussian& kernel, Gaussian& prediction) {
  const Eigen::MatrixXd& factor = previous.factor.lower();

  // P = (J L)(J L)' + U
  previous.factor.multiply_left(transition.matrix, moved_factor_);
  covariance_.noalias() = moved_factor_ * moved_factor_.transpose();
  transition.noise.add_to(covariance_);
  predicted_ = transition.offset;
  predicted_.noalias() += transition.matrix * previous.mean;
  prediction.mean = predicted_;
  if (!prediction.factor.assign_covariance(covariance_, scratch_)) return false;

  // A' = P^-1 J S
  gain_t_.noalias() = moved_factor_ * factor.transpose();
  prediction.factor.whiten(gain_t_);
  prediction.factor.unwhiten_transposed(gain_t_);
  kernel.matrix = gain_t_.transpose();
  kernel.offset = previous.mean;
  kernel.offset.noalias() -= kernel.matrix * predicted_;

  // Joseph's form stays positive definite: (I - A J) S (I - A J)' + A U A'.
  residual_factor_ = factor;
  residual_factor_.noalias() -= kernel.matrix * moved_factor_;
  covariance_.noalias() = residual_factor_ * residual_factor_.transpose();
  transition.noise.multiply_left(kernel.matrix, residual_factor_);
  covariance_.noalias() += residual_factor_ * residual_factor_.transpose();
  if (!kernel.noise.is_diagonal()) return kernel.noise.assign_covariance(covariance_, scratch_);

  if (full_.dim() != previous.dim()) {
    full_ = CovarianceFactor(previous.dim(), CovarianceForm::kFull);
  }
  if (!full_.assign_covariance(covariance_, scratch_)) return false;
  covariance_.setIdentity();
  full_.whiten(covariance_);
  kernel.noise.lower().diagonal() = covariance_.colwise().norm().cwiseInverse();
  return true;
}

}  // namespace ovf
