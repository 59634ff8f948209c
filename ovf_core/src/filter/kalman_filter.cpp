#include "ovf/filter/kalman_filter.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <stdexcept>
#include <utility>

#include "ovf/posterior/closed_form_kernel.hpp"

namespace ovf {

KalmanFilter::KalmanFilter(StateSpaceModel model)
    : model_(std::move(model)),
      belief_{model_.prior().mean, CovarianceFactor(model_.state_dim(), CovarianceForm::kFull)} {
  belief_.factor.lower() = model_.prior().factor.lower();
}

const StepResult& KalmanFilter::step(const Eigen::VectorXd& y, const StepInput& input) {
  result_.status = check_observation(y, input, model_.observation_dim(), result_.reason);
  if (result_.status != StepStatus::kOk) return result_;

  // Predict.
  Eigen::VectorXd mean = belief_.mean;
  Eigen::MatrixXd covariance = belief_.covariance();
  if (result_.step > 0) {
    model_.transition().linearise(input, belief_, transition_);
    const Eigen::MatrixXd& F = transition_.matrix;
    mean = F * mean + transition_.offset;
    covariance = F * covariance * F.transpose() + transition_.noise.covariance();
  }
  // Update, with Joseph's form of the covariance.
  model_.observation().linearise({mean, belief_.factor}, observation_);
  const Eigen::MatrixXd& G = observation_.matrix;
  const Eigen::MatrixXd V = observation_.noise.covariance();
  result_.innovation = y - G * mean - observation_.offset;
  const Eigen::LLT<Eigen::MatrixXd> innovation(G * covariance * G.transpose() + V);
  const Eigen::MatrixXd gain = innovation.solve(G * covariance).transpose();
  const Eigen::MatrixXd rest = Eigen::MatrixXd::Identity(mean.size(), mean.size()) - gain * G;
  covariance = rest * covariance * rest.transpose() + gain * V * gain.transpose();
  Eigen::MatrixXd scratch;
  CovarianceFactor factor(belief_.dim(), CovarianceForm::kFull);
  if (innovation.info() != Eigen::Success || !factor.assign_covariance(covariance, scratch)) {
    result_.status = StepStatus::kNumericalFailure;
    result_.reason = "the updated covariance is not positive definite";
    return result_;
  }
  belief_.mean = mean + gain * result_.innovation;
  belief_.factor = factor;
  result_.nis = innovation.matrixL().solve(result_.innovation).squaredNorm();
  const double log_determinant = innovation.matrixLLT().diagonal().array().log().sum();
  result_.elbo_increment =
      -0.5 * (result_.nis + static_cast<double>(y.size()) * kLogTwoPi) - log_determinant;
  result_.elbo += result_.elbo_increment;
  result_.iterations = 1;
  ++result_.step;
  return result_;
}

SmoothedSequence rts_smoother(StateSpaceModel model, const Eigen::MatrixXd& observations) {
  SmoothedSequence sequence;
  KalmanFilter filter(std::move(model));
  ClosedFormKernel closed_form;
  AffineGaussian transition;
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    if (t > 0) {
      const Gaussian& belief = filter.belief();
      filter.model().transition().linearise({}, belief, transition);
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
