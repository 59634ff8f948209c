#include "ovf/filter/recursive_maximum_likelihood.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <utility>

namespace ovf {

TangentKalmanFilter::TangentKalmanFilter(const StateSpaceModel& model)
    : belief_{model.prior().mean, CovarianceFactor(model.state_dim(), CovarianceForm::kFull)} {
  const auto count = static_cast<std::size_t>(model.parameters().size());
  const int d = model.state_dim();
  belief_.factor.lower() = model.prior().factor.lower();
  d_mean_.assign(count, Eigen::VectorXd::Zero(d));
  d_covariance_.assign(count, Eigen::MatrixXd::Zero(d, d));
  derivatives_.resize(count);
}

// F and G are linear in theta, U and V at most quadratic: central differences have no truncation
// error, and owe nothing to the model's own gradients.
void TangentKalmanFilter::differentiate_model(StateSpaceModel& model) {
  const Eigen::VectorXd theta = model.parameters().values();
  Eigen::VectorXd moved = theta;
  AffineGaussian f[2];
  AffineGaussian g[2];
  for (Eigen::Index j = 0; j < theta.size(); ++j) {
    const bool positive =
        model.parameters().info(static_cast<int>(j)).transform == Transform::kPositive;
    const double step = positive ? 0.5 * theta[j] : 0.5;
    for (int side = 0; side < 2; ++side) {
      moved[j] = theta[j] + (side == 0 ? step : -step);
      model.set_parameters(moved);
      model.transition().linearise({}, belief_, Linearisation::kTangent, f[side]);
      model.observation().linearise(belief_, Linearisation::kTangent, g[side]);
    }
    moved[j] = theta[j];
    const double scale = 0.5 / step;
    auto& d = derivatives_[static_cast<std::size_t>(j)];
    d.F = scale * (f[0].matrix - f[1].matrix);
    d.G = scale * (g[0].matrix - g[1].matrix);
    d.U = scale * (f[0].noise.covariance() - f[1].noise.covariance());
    d.V = scale * (g[0].noise.covariance() - g[1].noise.covariance());
  }
  model.set_parameters(theta);
}

bool TangentKalmanFilter::predict(StateSpaceModel& model) {
  if (std::exchange(first_, false)) return true;
  differentiate_model(model);
  AffineGaussian f;
  model.transition().linearise({}, belief_, Linearisation::kTangent, f);
  const Eigen::MatrixXd& F = f.matrix;
  const Eigen::MatrixXd P = belief_.covariance();
  for (std::size_t j = 0; j < derivatives_.size(); ++j) {
    const Derivatives& d = derivatives_[j];
    d_mean_[j] = d.F * belief_.mean + F * d_mean_[j];
    const Eigen::MatrixXd moved = d.F * P * F.transpose();
    d_covariance_[j] = F * d_covariance_[j] * F.transpose() + moved + moved.transpose() + d.U;
  }
  belief_.mean = F * belief_.mean;
  Eigen::MatrixXd scratch;
  return belief_.factor.assign_covariance(F * P * F.transpose() + f.noise.covariance(), scratch);
}

bool TangentKalmanFilter::step(StateSpaceModel& model, const Eigen::VectorXd& y) {
  return predict(model) && update(model, y);
}

bool TangentKalmanFilter::update(StateSpaceModel& model, const Eigen::VectorXd& y) {
  differentiate_model(model);
  const std::size_t count = derivatives_.size();
  AffineGaussian g;
  model.observation().linearise(belief_, Linearisation::kTangent, g);
  const Eigen::MatrixXd& G = g.matrix;
  Eigen::VectorXd mean = belief_.mean;
  Eigen::MatrixXd P = belief_.covariance();

  // Innovation: log p(y_t | y^{t-1}), its gradient and information.
  const Eigen::MatrixXd cross = P * G.transpose();
  const Eigen::MatrixXd C = G * cross + g.noise.covariance();
  const Eigen::LLT<Eigen::MatrixXd> factor(C);
  if (factor.info() != Eigen::Success) return false;
  innovation_ = y - G * mean;
  const Eigen::VectorXd weighted = factor.solve(innovation_);
  nis_ = innovation_.dot(weighted);
  log_predictive_ = -0.5 * (nis_ + static_cast<double>(y.size()) * kLogTwoPi) -
                    factor.matrixLLT().diagonal().array().log().sum();
  const auto m = y.size();
  const auto n = static_cast<Eigen::Index>(count);
  Eigen::MatrixXd d_y(m, n);
  Eigen::MatrixXd spread(m * m, n);
  std::vector<Eigen::MatrixXd> d_cross(count);
  std::vector<Eigen::MatrixXd> d_C(count);
  increment_.gradient.resize(n);
  for (std::size_t k = 0; k < count; ++k) {
    const Derivatives& d = derivatives_[k];
    const auto j = static_cast<Eigen::Index>(k);
    d_cross[k] = d_covariance_[k] * G.transpose() + P * d.G.transpose();
    d_C[k] = G * d_cross[k] + d.G * cross + d.V;
    d_y.col(j) = d.G * mean + G * d_mean_[k];
    const Eigen::MatrixXd solved = factor.solve(d_C[k]);
    increment_.gradient[j] =
        d_y.col(j).dot(weighted) + 0.5 * weighted.dot(d_C[k] * weighted) - 0.5 * solved.trace();
    const Eigen::MatrixXd half = factor.matrixL().solve(d_C[k]);
    const Eigen::MatrixXd whitened = factor.matrixL().solve(half.transpose());
    spread.col(j) = whitened.reshaped();
  }
  factor.matrixL().solveInPlace(d_y);
  increment_.information = d_y.transpose() * d_y + 0.5 * spread.transpose() * spread;

  // Update the belief and its derivatives: K = X C^-1, dK = (dX - K dC) C^-1.
  const Eigen::MatrixXd gain = factor.solve(cross.transpose()).transpose();
  for (std::size_t k = 0; k < count; ++k) {
    const Eigen::MatrixXd rest = d_cross[k] - gain * d_C[k];
    const Eigen::MatrixXd d_gain = factor.solve(rest.transpose()).transpose();
    d_mean_[k] += d_gain * innovation_ - gain * (derivatives_[k].G * mean + G * d_mean_[k]).eval();
    const Eigen::MatrixXd half = d_gain * cross.transpose();
    d_covariance_[k] -= half + gain * d_cross[k].transpose();
    d_covariance_[k] = (0.5 * (d_covariance_[k] + d_covariance_[k].transpose())).eval();
  }
  mean += gain * innovation_;
  P -= gain * cross.transpose();
  Eigen::MatrixXd scratch;
  if (!belief_.factor.assign_covariance(0.5 * (P + P.transpose()), scratch)) return false;
  belief_.mean = mean;
  return true;
}

RecursiveMaximumLikelihood::RecursiveMaximumLikelihood(StateSpaceModel model,
                                                       const LearningConfig& config)
    : model_(std::move(model)), learner_(config, model_.parameters()), filter_(model_) {}

const StepResult& RecursiveMaximumLikelihood::step(const Eigen::VectorXd& y,
                                                   const StepInput& input) {
  result_.status =
      check_observation(y, input, model_.observation(input).observation_dim(), result_.reason);
  if (result_.status != StepStatus::kOk) return result_;
  if (!filter_.step(model_, y)) {
    result_.status = StepStatus::kNumericalFailure;
    result_.reason = "the innovation or posterior covariance is not positive definite";
    return result_;
  }
  ++result_.step;
  result_.iterations = 1;
  result_.elbo_increment = filter_.log_predictive();
  result_.elbo += result_.elbo_increment;
  result_.innovation = filter_.innovation();
  result_.nis = filter_.nis();
  result_.learned = learner_.update(filter_.increment());
  if (result_.learned) model_.set_parameters(learner_.values());
  return result_;
}

const StepResult& RecursiveMaximumLikelihood::skip(const StepInput& input) {
  result_.status = check_input(input, result_.reason);
  if (!result_.ok()) return result_;
  if (!filter_.predict(model_)) {
    result_.status = StepStatus::kNumericalFailure;
    result_.reason = "the predicted covariance is not positive definite";
    return result_;
  }
  ++result_.step;
  result_.learned = false;
  result_.elbo_increment = 0.0;
  return result_;
}

MaximumLikelihood maximise_likelihood(StateSpaceModel& model, const Eigen::MatrixXd& observations,
                                      int iterations) {
  const auto count = model.parameters().size();
  MaximumLikelihood result;
  Eigen::VectorXd slope(count);
  Eigen::VectorXd values(count);
  for (result.iterations = 1; result.iterations <= iterations; ++result.iterations) {
    TangentKalmanFilter filter(model);
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(count);
    Eigen::MatrixXd information = Eigen::MatrixXd::Zero(count, count);
    result.log_evidence = 0.0;
    for (Eigen::Index t = 0; t < observations.cols(); ++t) {
      if (!filter.step(model, observations.col(t))) break;
      result.log_evidence += filter.log_predictive();
      gradient += filter.increment().gradient;
      information += filter.increment().information;
    }
    model.parameters().natural_slope(model.parameters().values(), slope);
    gradient = gradient.cwiseProduct(slope).eval();
    information = slope.asDiagonal() * information * slope.asDiagonal();
    const Eigen::LLT<Eigen::MatrixXd> factor(information);
    const Eigen::VectorXd move = factor.solve(gradient);
    Eigen::VectorXd numbers = model.parameters().unconstrained() + move;
    model.parameters().to_natural(numbers, values);
    model.set_parameters(values);
    result.standard_deviations = factor.solve(Eigen::MatrixXd::Identity(count, count))
                                     .diagonal()
                                     .cwiseSqrt()
                                     .cwiseProduct(slope);
    // The move in standard deviations: far below one means the optimum for every purpose.
    if (std::sqrt(std::abs(gradient.dot(move))) < 1e-3) break;
  }
  return result;
}

}  // namespace ovf
