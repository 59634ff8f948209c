#include "ovf/filter/kalman_filter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "ovf/posterior/closed_form_kernel.hpp"

namespace ovf {

bool KalmanGain::compute(const Gaussian& prediction, const AffineGaussian& g,
                         const Eigen::VectorXd& y) {
  innovation_ = y - g.offset;
  innovation_.noalias() -= g.matrix * prediction.mean;
  observed_factor_.noalias() = g.matrix * prediction.factor.lower();
  covariance_.noalias() = observed_factor_ * observed_factor_.transpose();
  covariance_.noalias() += g.noise.lower() * g.noise.lower().transpose();
  if (factor_.dim() != y.size()) {
    factor_ = CovarianceFactor(static_cast<int>(y.size()), CovarianceForm::kFull);
  }
  if (!factor_.assign_covariance(covariance_, scratch_)) return false;

  whitened_ = innovation_;
  factor_.whiten(whitened_);
  nis_ = whitened_.squaredNorm();
  log_evidence_ = -0.5 * (nis_ + static_cast<double>(y.size()) * kLogTwoPi);
  log_evidence_ -= factor_.log_determinant();

  gain_t_.noalias() = observed_factor_ * prediction.factor.lower().transpose();
  factor_.whiten(gain_t_);
  factor_.unwhiten_transposed(gain_t_);
  gain_ = gain_t_.transpose();
  return std::isfinite(log_evidence_) && gain_.allFinite();
}

void KalmanGain::clear() {
  innovation_.resize(0);
  nis_ = 0.0;
  log_evidence_ = 0.0;
}

KalmanFilter::KalmanFilter(StateSpaceModel model, Linearisation method)
    : model_(std::move(model)),
      method_(method),
      belief_{model_.prior().mean, CovarianceFactor(model_.state_dim(), CovarianceForm::kFull)} {
  belief_.factor.lower() = model_.prior().factor.lower();
  prediction_ = belief_;
}

const StepResult& KalmanFilter::step(const Eigen::VectorXd& y, const StepInput& input) {
  result_.status =
      check_observation(y, input, model_.observation(input).observation_dim(), result_.reason);
  return result_.ok() ? advance(y, input) : result_;
}

const StepResult& KalmanFilter::skip(const StepInput& input) {
  result_.status = check_input(input, result_.reason);
  return result_.ok() ? advance(Eigen::VectorXd(), input) : result_;
}

const StepResult& KalmanFilter::advance(const Eigen::VectorXd& y, const StepInput& input) {
  if (!move(input)) return reject("the predicted mean or covariance is not finite and definite");
  if (y.size() == 0) {
    gain_.clear();
    belief_ = prediction_;
  } else {
    model_.observation(input).linearise(prediction_, method_, observation_);
    predicted_observation_ = observation_.offset + observation_.matrix * prediction_.mean;
    near_y_ = y;
    model_.observation().unwrap(predicted_observation_, near_y_);
    if (!gain_.compute(prediction_, observation_, near_y_)) {
      return reject("the innovation has no finite density");
    }
    if (!update()) return reject("the updated mean or covariance is not finite and definite");
  }
  result_.innovation = gain_.innovation();
  result_.nis = gain_.nis();
  result_.elbo_increment = gain_.log_evidence();
  result_.elbo += result_.elbo_increment;
  result_.iterations = 1;
  ++result_.step;
  return result_;
}

bool KalmanFilter::move(const StepInput& input) {
  if (result_.step == 0) {
    prediction_ = belief_;
    return true;
  }
  model_.transition().linearise(input, belief_, method_, transition_);
  prediction_.mean = transition_.offset;
  prediction_.mean.noalias() += transition_.matrix * belief_.mean;
  root_.noalias() = transition_.matrix * belief_.factor.lower();
  covariance_.noalias() = root_ * root_.transpose();
  covariance_.noalias() += transition_.noise.lower() * transition_.noise.lower().transpose();
  return prediction_.mean.allFinite() &&
         prediction_.factor.assign_covariance(covariance_, scratch_);
}

bool KalmanFilter::update() {
  const Eigen::MatrixXd& gain = gain_.gain();
  mean_ = prediction_.mean;
  mean_.noalias() += gain * gain_.innovation();
  // Joseph's form stays positive definite: (I - K G) P (I - K G)' + K V K'.
  root_ = prediction_.factor.lower();
  root_.noalias() -= gain * gain_.observed_factor();
  covariance_.noalias() = root_ * root_.transpose();
  root_.noalias() = gain * observation_.noise.lower();
  covariance_.noalias() += root_ * root_.transpose();
  if (!mean_.allFinite() || !belief_.factor.assign_covariance(covariance_, scratch_)) return false;
  belief_.mean = mean_;
  return true;
}

const StepResult& KalmanFilter::reject(const char* reason) {
  result_.status = StepStatus::kNumericalFailure;
  result_.reason = std::string("the step was not taken: ") + reason;
  return result_;
}

SmoothedSequence rts_smoother(StateSpaceModel model, const Eigen::MatrixXd& observations,
                              Linearisation method) {
  SmoothedSequence sequence;
  KalmanFilter filter(std::move(model), method);
  ClosedFormKernel closed_form;
  AffineGaussian transition;
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    if (t > 0) {
      const Gaussian& belief = filter.belief();
      filter.model().transition().linearise({}, belief, method, transition);
      AffineGaussian kernel = transition;
      kernel.noise = CovarianceFactor(belief.dim(), CovarianceForm::kFull);
      Gaussian prediction = belief;
      closed_form.compute(belief, transition, kernel, prediction);
      sequence.kernels.push_back(kernel);
    }
    const StepResult& result = filter.step(observations.col(t));
    if (result.status != StepStatus::kOk) {
      throw std::invalid_argument(fmt::format("observation {}: {}", t, result.reason));
    }
    sequence.filtered.push_back(filter.belief());
    sequence.log_evidence = result.elbo;
  }
  // Backwards: p(x_{t-1} | y^T) is the kernel averaged over p(x_t | y^T).
  sequence.smoothed = sequence.filtered;
  Eigen::MatrixXd scratch;
  for (std::size_t t = sequence.filtered.size(); t-- > 1;) {
    const AffineGaussian& kernel = sequence.kernels[t - 1];
    const Gaussian& after = sequence.smoothed[t];
    Gaussian& before = sequence.smoothed[t - 1];
    before.mean = kernel.matrix * after.mean + kernel.offset;
    before.factor.assign_covariance(
        kernel.matrix * after.covariance() * kernel.matrix.transpose() + kernel.noise.covariance(),
        scratch);
  }
  return sequence;
}

}  // namespace ovf
