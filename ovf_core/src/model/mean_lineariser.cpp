#include "ovf/model/mean_lineariser.hpp"

#include "ovf/model/sigma_point_mean.hpp"

namespace ovf {

void MeanLineariser::linearise(const MeanFunction& mean, const StepInput& input, const Gaussian& at,
                               Linearisation method, const CovarianceFactor& noise,
                               AffineGaussian& out) {
  if (dynamic_cast<const SigmaPointMean*>(&mean) != nullptr) method = Linearisation::kMoments;
  if (method == Linearisation::kTangent) {
    point_ = at.mean;
    mean.values(input, point_, values_);
    out.offset = values_.col(0);
    mean.jacobian(input, at.mean, out.matrix);
  } else {
    mean.expectation(input, at, out.offset, out.matrix);
  }
  out.offset.noalias() -= out.matrix * at.mean;
  out.noise = noise;
  if (method == Linearisation::kMoments && !mean.is_linear()) add_error(mean, input, at, out);
}

void MeanLineariser::add_error(const MeanFunction& mean, const StepInput& input, const Gaussian& at,
                               AffineGaussian& out) {
  cubature_.assign(at);
  mean.values(input, cubature_.points(), values_);
  values_.noalias() -= out.matrix * cubature_.points();
  values_.colwise() -= out.offset;
  scratch_ = values_ * cubature_.weights().asDiagonal();
  covariance_.noalias() = scratch_ * values_.transpose();
  covariance_.noalias() += out.noise.lower() * out.noise.lower().transpose();
  CovarianceFactor widened(out.noise.dim(), CovarianceForm::kFull);
  // Fails only when m is not finite: then the noise stays as it is.
  if (widened.assign_covariance(covariance_, scratch_)) out.noise = widened;
}

}  // namespace ovf
