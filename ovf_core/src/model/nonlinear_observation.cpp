#include "ovf/model/nonlinear_observation.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>
#include <utility>

namespace ovf {
namespace {

// Keeps the factor of a distribution without spread in some direction defined.
constexpr double kJitter = 1e-12;
// E|m - line|^2 in units of the noise: for Gaussian noise twice the error of E[log g], in nats.
constexpr double kMaxLineError = 0.01;

}  // namespace

NonlinearObservation::NonlinearObservation(std::unique_ptr<MeanFunction> mean,
                                           ObservationNoise noise)
    : mean_(std::move(mean)), noise_(std::move(noise)) {
  if (!mean_) throw std::invalid_argument("observation: no mean function is given");
  if (mean_->output_dim() != noise_.dim()) {
    throw std::invalid_argument(fmt::format("observation: its mean has {} dimensions, its noise {}",
                                            mean_->output_dim(), noise_.dim()));
  }
  parameters_.append(mean_->parameters());
  parameters_.append(noise_.parameters());
  gaussian_noise_ = CovarianceFactor::from_standard_deviations(noise_.gaussian_deviations());
  distribution_ = standard_gaussian(mean_->input_dim(), CovarianceForm::kFull);
  update_offset();
}

void NonlinearObservation::update_offset() {
  if (!is_separable()) return;
  mean_->values(input_, Eigen::MatrixXd::Zero(state_dim(), 1), residual_samples_);
  offset_ = residual_samples_;
}

void NonlinearObservation::coordinate_log_density(const Eigen::VectorXd& y, int i,
                                                  const Eigen::ArrayXd& x,
                                                  Eigen::ArrayXd& out) const {
  out = (y[i] - offset_[i]) - x;
  noise_.log_density(i, out);
}

Observation::Peak NonlinearObservation::coordinate_peak(const Eigen::VectorXd& y, int i) const {
  return {y[i] - offset_[i], noise_.scales()[i]};
}

void NonlinearObservation::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
  mean_->set_parameters(values.head(mean_->parameters().size()));
  noise_.set_parameters(values.tail(noise_.parameters().size()));
  gaussian_noise_.lower().diagonal() = noise_.gaussian_deviations();
  if (mean_->parameters().size() > 0) update_offset();
}

void NonlinearObservation::residuals(const Eigen::VectorXd& y, const Eigen::MatrixXd& x) const {
  mean_->values(input_, x, residual_samples_);
  residual_samples_ = (-residual_samples_).colwise() + y;
}

void NonlinearObservation::log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                                       Eigen::VectorXd& out) const {
  residuals(y, x);
  noise_.log_density(residual_samples_, out);
}

void NonlinearObservation::gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                                    Eigen::MatrixXd& out) const {
  residuals(y, x);
  noise_.slope(residual_samples_, scaled_);
  scaled_ = -scaled_;
  mean_->pull_back(input_, x, scaled_, out);
}

void NonlinearObservation::scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                                  Eigen::Ref<Eigen::MatrixXd> out) const {
  const int split = mean_->parameters().size();
  residuals(y, x);
  noise_.slope(residual_samples_, scaled_);
  scaled_ = -scaled_;
  mean_->parameter_pull_back(input_, x, scaled_, out.topRows(split));
  noise_.scores(residual_samples_, out.bottomRows(out.rows() - split));
}

void NonlinearObservation::sample(const Eigen::MatrixXd& x, RandomStream& random,
                                  Eigen::MatrixXd& y) const {
  mean_->values(input_, x, y);
  Eigen::MatrixXd noise(y.rows(), y.cols());
  noise_.sample(random, noise);
  y += noise;
}

void NonlinearObservation::linearise(const Gaussian& at, Linearisation method,
                                     AffineGaussian& out) const {
  lineariser_.linearise(*mean_, input_, at, method, gaussian_noise_, out);
}

// E|m - line|^2 in units of the noise, with E[m] in residual_ and the line's slope in slope_.
double NonlinearObservation::line_error(const Gaussian& q) const {
  if (mean_->is_linear()) return 0.0;
  cubature_.assign(q);
  mean_->values(input_, cubature_.points(), residual_samples_);
  scaled_ = cubature_.points().colwise() - q.mean;
  residual_samples_.noalias() -= slope_ * scaled_;
  residual_samples_.colwise() -= residual_;
  residual_samples_.array().colwise() /= noise_.gaussian_deviations().array();
  return residual_samples_.colwise().squaredNorm().dot(cubature_.weights());
}

void NonlinearObservation::expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                                                ExpectedDerivatives& out) const {
  mean_->expectation(input_, q, residual_, slope_);
  const double error = line_error(q);
  if (error > kMaxLineError) {
    quadrature_.derivatives(*this, y, q, out);
    out.line_error = error;
    return;
  }
  out.line_error = 0.0;
  residual_ = y - residual_;
  if (mean_->has_unit_slope()) {
    spread_ = q.factor.lower().rowwise().norm();
  } else {
    scaled_.noalias() = slope_ * q.factor.lower();
    spread_ = scaled_.rowwise().norm();
  }
  noise_.expected_log_density(residual_, spread_, expansion_);
  out.value = expansion_.value.sum();
  out.diagonal = mean_->has_unit_slope();
  if (out.diagonal) {
    out.gradient = -expansion_.first;
    out.curvature.setZero(q.dim(), q.dim());
    out.curvature.diagonal() = -expansion_.second;
    return;
  }
  out.gradient.noalias() = -slope_.transpose() * expansion_.first;
  scaled_ = slope_.array().colwise() * -expansion_.second.array();
  out.curvature.noalias() = slope_.transpose() * scaled_;
}

bool NonlinearObservation::is_conjugate() const {
  return mean_->is_linear() && noise_.kind() == NoiseKind::kGaussian;
}

bool NonlinearObservation::has_closed_form_scores() const {
  return mean_->is_linear() || mean_->parameters().size() == 0;
}

void NonlinearObservation::expected_scores(const Eigen::VectorXd& y, const AffineVariable& at,
                                           int first, QuadraticFunctions& out) const {
  if (parameters_.size() == 0) return;
  distribution_.mean = at.constant;
  covariance_.noalias() = at.by_z * at.by_z.transpose();
  covariance_.noalias() += at.by_e * at.by_e.transpose();
  covariance_.diagonal().array() +=
      kJitter * covariance_.diagonal().maxCoeff() + std::numeric_limits<double>::min();
  distribution_.factor.assign_covariance(covariance_, scaled_);
  mean_->expectation(input_, distribution_, residual_, slope_);
  residual_ = y - residual_;
  residual_z_.noalias() = -at.by_z.transpose() * slope_.transpose();
  residual_e_.noalias() = -slope_ * at.by_e;
  spread_ = (residual_z_.colwise().squaredNorm().transpose() + residual_e_.rowwise().squaredNorm())
                .cwiseSqrt();
  add_mean_scores(at, first, out);
  noise_.expected_scores(residual_, spread_, residual_z_, first + mean_->parameters().size(), out);
}

void NonlinearObservation::add_mean_scores(const AffineVariable& at, int first,
                                           QuadraticFunctions& out) const {
  const int count = mean_->parameters().size();
  if (count == 0) return;
  // d log g / d theta_j = -(dm/dtheta_j)' phi'(e), phi' to first order in e.
  noise_.expected_log_density(residual_, spread_, expansion_);
  mean_->parameter_expectation(input_, distribution_, parameter_value_, parameter_slope_);
  at_z_ = at.by_z.transpose();
  at_with_residual_.noalias() = at.by_e * residual_e_.transpose();
  const Eigen::Index d = state_dim();
  for (int j = 0; j < count; ++j) {
    const int only = mean_->only_row(j);
    const Eigen::Index begin = only < 0 ? 0 : only;
    const Eigen::Index end = only < 0 ? observation_dim() : only + 1;
    for (Eigen::Index i = begin; i < end; ++i) {
      row_ = parameter_slope_.row(i).segment(j * d, d);
      row_z_.noalias() = at_z_ * row_;
      const double by_e = expansion_.second[i];
      out.add_product(first + j, -1.0, expansion_.first[i], by_e * residual_z_.col(i),
                      parameter_value_(i, j), row_z_, by_e * row_.dot(at_with_residual_.col(i)));
    }
  }
}

void NonlinearObservation::sensitivity(const Gaussian& at, Sensitivity& out) const {
  const int split = mean_->parameters().size();
  const int columns = mean_sensitivity_columns(*mean_);
  out.set_zero(observation_dim(), parameters_.size(), columns + noise_.sensitivity_columns());
  if (split > 0) mean_sensitivity_.add(*mean_, input_, at, out);
  noise_.add_sensitivity(split, columns, out);
}

void NonlinearObservation::add_tail_information(const Eigen::VectorXd& share,
                                                Eigen::Ref<Eigen::MatrixXd> information) const {
  const int count = noise_.parameters().size();
  noise_.add_tail_information(share, information.bottomRightCorner(count, count));
}

}  // namespace ovf
