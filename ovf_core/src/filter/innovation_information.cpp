#include "ovf/filter/innovation_information.hpp"

namespace ovf {

void InnovationInformation::compute(const StateSpaceModel& model, const StepRecord& record,
                                    const PredictionView& prediction,
                                    const QuadraticFunctions* score,
                                    const CovarianceFactor& score_factor,
                                    Eigen::MatrixXd& information) {
  const AffineGaussian& g = prediction.observation;
  const Eigen::Index m = g.noise.dim();
  const Eigen::Index count = model.parameters().size();
  const Eigen::Index split = model.transition_parameter_count();
  if (innovation_.dim() != m) {
    innovation_ = CovarianceFactor(static_cast<int>(m), CovarianceForm::kFull);
  }

  // C = G P G' + V and its factor.
  seen_.noalias() = g.matrix * prediction.prediction.factor.lower();
  covariance_.noalias() = seen_ * seen_.transpose();
  covariance_.noalias() += g.noise.lower() * g.noise.lower().transpose();
  if (!innovation_.assign_covariance(covariance_, scratch_)) {
    information.setZero(count, count);
    return;
  }
  seen_ = g.matrix;
  innovation_.whiten(seen_);

  // The direct parts: f's parameters through the prediction, g's in the observation itself.
  mean_.setZero(m, count);
  left_.setZero(m, count);
  right_.setZero(m, count);
  if (score != nullptr && split > 0) {
    model.transition().sensitivity(record.input, prediction.belief, transition_);
    mean_.leftCols(split).noalias() = seen_ * transition_.mean;
    left_.leftCols(split).noalias() = seen_ * transition_.left;
    right_.leftCols(split).noalias() = seen_ * transition_.right;
  }
  if (split < count) {
    model.observation(record.input).sensitivity(prediction.prediction, observation_);
    innovation_.whiten(observation_.mean);
    innovation_.whiten(observation_.left);
    innovation_.whiten(observation_.right);
    mean_.rightCols(count - split) = observation_.mean;
    left_.rightCols(count - split) = observation_.left;
    right_.rightCols(count - split) = observation_.right;
  }

  // The parts through the belief of the step before.
  spread_.resize(m * m, count);
  if (score != nullptr) {
    const Eigen::Index d = score->dim();
    scratch_.noalias() = prediction.transition.matrix * score_factor.lower();
    seen_state_.noalias() = seen_ * scratch_;
    mean_.noalias() += seen_state_ * score->linear();
    half_.noalias() = seen_state_ * score->quadratic();
    for (Eigen::Index j = 0; j < count; ++j) {
      Eigen::Map<Eigen::MatrixXd>(spread_.col(j).data(), m, m).noalias() =
          half_.middleCols(j * d, d) * seen_state_.transpose();
    }
  } else {
    spread_.setZero();
  }
  for (Eigen::Index j = 0; j < count; ++j) {
    Eigen::Map<Eigen::MatrixXd> matrix(spread_.col(j).data(), m, m);
    matrix.noalias() += left_.col(j) * right_.col(j).transpose();
    matrix.noalias() += right_.col(j) * left_.col(j).transpose();
  }
  information.noalias() = mean_.transpose() * mean_;
  information.noalias() += 0.5 * spread_.transpose() * spread_;
}

}  // namespace ovf
