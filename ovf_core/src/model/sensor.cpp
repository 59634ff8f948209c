#include "ovf/model/sensor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "ovf/math/angle.hpp"
#include "ovf/math/student_t.hpp"
#include "ovf/model/sigma_point_mean.hpp"

namespace ovf {
namespace {

constexpr double kSmallestNu = 1.0;
constexpr double kLargestNu = 200.0;
// Of a residual's precision under the belief: less was not there before the observation.
constexpr double kLeastLeft = 1e-6;

void require(bool ok, const std::string& what, double value, const char* expected) {
  if (!ok) throw std::invalid_argument(fmt::format("{} is {}; expected {}", what, value, expected));
}

}  // namespace

void validate(const SensorNoise& noise) {
  require(noise.scales.size() > 0, "the number of noise scales", 0.0, "one or more");
  for (Eigen::Index i = 0; i < noise.scales.size(); ++i) {
    const double scale = noise.scales[i];
    require(std::isfinite(scale) && scale > 0.0, fmt::format("noise[{}]", i), scale,
            "a positive number");
  }
  require(noise.floors.size() == 0 || noise.floors.size() == noise.scales.size(),
          "the number of noise floors", static_cast<double>(noise.floors.size()),
          "none or one for each scale");
  for (Eigen::Index i = 0; i < noise.floors.size(); ++i) {
    const double floor = noise.floors[i];
    require(std::isfinite(floor) && floor >= 0.0, fmt::format("noise floor[{}]", i), floor,
            "0 or a positive number");
  }
  require(std::isfinite(noise.factor) && noise.factor > 1.0, "the factor of the noise",
          noise.factor, "a number above 1");
  require(noise.nu == 0.0 || (noise.nu >= kSmallestNu && noise.nu <= kLargestNu), "nu", noise.nu,
          "0 (Gaussian) or 1 to 200");
  require(!noise.learn_nu || noise.nu > 0.0, "nu", noise.nu, "a start value above 0 to learn from");
}

Sensor::Sensor(Spec spec)
    : name_(std::move(spec.name)),
      mean_(std::move(spec.mean)),
      sigma_points_(dynamic_cast<const SigmaPointMean*>(mean_.get())),
      noise_(std::move(spec.noise)),
      angles_(std::move(spec.angles)),
      input_(&default_input_) {
  if (mean_ == nullptr) throw std::invalid_argument(name_ + ": no mean function is given");
  try {
    validate(noise_);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(name_ + ": " + error.what());
  }
  if (sigma_points_ != nullptr && (!gaussian() || noise_.learn_scales)) {
    throw std::invalid_argument(
        fmt::format("{}: sigma points with nu {} and learned noise {}; expected 0 and false", name_,
                    noise_.nu, noise_.learn_scales));
  }
  if (noise_.floors.size() == 0) noise_.floors.setZero(noise_.scales.size());
  lasting_floors_ = noise_.floors;
  if (noise_.learn_scales) lasting_floors_ = noise_.floors.cwiseMax(noise_.scales / noise_.factor);
  const auto dim = static_cast<std::size_t>(observation_dim());
  if (noise_.scales.size() != observation_dim() || (!angles_.empty() && angles_.size() != dim)) {
    throw std::invalid_argument(fmt::format("{}: {} noise scales and {} angle marks for {} numbers",
                                            name_, noise_.scales.size(), angles_.size(), dim));
  }
  angles_.resize(dim, false);
  update_constants();
  distribution_ = standard_gaussian(state_dim(), CovarianceForm::kFull);
  for (int i = 0; i < observation_dim() && noise_.learn_scales; ++i) {
    const std::string number = observation_dim() > 1 ? fmt::format("[{}]", i) : "";
    parameters_.add({.name = name_ + ".noise" + number,
                     .transform = Transform::kPositive,
                     .prior_deviation = std::log(noise_.factor)},
                    noise_.scales[i]);
  }
  if (noise_.learn_nu) {
    parameters_.add({.name = name_ + ".nu",
                     .transform = Transform::kBounded,
                     .lower = kSmallestNu,
                     .upper = kLargestNu,
                     .prior_deviation = kScalePrior},
                    noise_.nu);
  }
}

void Sensor::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
  if (noise_.learn_scales) noise_.scales = values.head(observation_dim());
  if (noise_.learn_nu) noise_.nu = values[values.size() - 1];
  update_constants();
}

void Sensor::update_constants() {
  deviations_ = (noise_.scales.cwiseAbs2() + noise_.floors.cwiseAbs2()).cwiseSqrt();
  lasting_deviations_ = (noise_.scales.cwiseAbs2() + lasting_floors_.cwiseAbs2()).cwiseSqrt();
  if (!gaussian()) tails_ = student_t_information(noise_.nu, observation_dim());
}

void Sensor::unwrap(const Eigen::VectorXd& predicted, Eigen::VectorXd& y) const {
  for (Eigen::Index i = 0; i < y.size(); ++i) {
    if (!angles_[static_cast<std::size_t>(i)]) continue;
    y[i] = predicted[i] + wrapped(y[i] - predicted[i]);
  }
}

void Sensor::whiten(Eigen::Ref<Eigen::MatrixXd> r) const {
  if (input_->message_noise.size() > 0) {
    input_->message_noise.triangularView<Eigen::Lower>().solveInPlace(r);
  }
  r.array().colwise() /= deviations().array();
}

double Sensor::log_determinant() const {
  const double message =
      input_->message_noise.size() > 0 ? input_->message_noise.diagonal().array().log().sum() : 0.0;
  return message + deviations().array().log().sum();
}

double Sensor::log_constant() const {
  const double k = observation_dim();
  if (gaussian()) return -0.5 * k * kLogTwoPi;
  return std::lgamma(0.5 * (noise_.nu + k)) - std::lgamma(0.5 * noise_.nu) -
         0.5 * k * std::log(noise_.nu * std::numbers::pi);
}

double Sensor::precision(double square) const {
  return gaussian() ? 1.0 : (noise_.nu + observation_dim()) / (noise_.nu + square);
}

void Sensor::whitened_residuals(const Eigen::VectorXd& y, const Eigen::MatrixXd& x) const {
  mean_->values(*input_, x, residuals_);
  for (Eigen::Index k = 0; k < residuals_.cols(); ++k) {
    near_y_ = y;
    value_ = residuals_.col(k);
    unwrap(value_, near_y_);
    residuals_.col(k) = near_y_ - value_;
  }
  whiten(residuals_);
}

void Sensor::whitened_line(const Eigen::VectorXd& y, const Gaussian& q) const {
  mean_->expectation(*input_, q, value_, slope_);
  whitened_ = y;
  unwrap(value_, whitened_);
  whitened_ -= value_;
  whiten(whitened_);
  whiten(slope_);
}

void Sensor::log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                         Eigen::VectorXd& out) const {
  whitened_residuals(y, x);
  out = residuals_.colwise().squaredNorm().transpose();
  if (gaussian()) {
    out *= -0.5;
  } else {
    out = -0.5 * (noise_.nu + observation_dim()) * (out.array() / noise_.nu).log1p();
  }
  out.array() += log_constant() - log_determinant();
  out *= input_->weight;
}

void Sensor::gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                      Eigen::MatrixXd& out) const {
  whitened_residuals(y, x);
  for (Eigen::Index k = 0; k < residuals_.cols(); ++k) {
    residuals_.col(k) *= precision(residuals_.col(k).squaredNorm());
  }
  residuals_.array().colwise() *= input_->weight / deviations().array();
  if (input_->message_noise.size() > 0) {
    input_->message_noise.triangularView<Eigen::Lower>().transpose().solveInPlace(residuals_);
  }
  mean_->pull_back(*input_, x, residuals_, out);
}

void Sensor::scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                    Eigen::Ref<Eigen::MatrixXd> out) const {
  if (input_->errors_last) {
    out.setZero();
    return;
  }
  whitened_residuals(y, x);
  const double k = observation_dim();
  for (Eigen::Index s = 0; s < residuals_.cols(); ++s) {
    const double square = residuals_.col(s).squaredNorm();
    if (noise_.learn_scales) {
      out.col(s).head(observation_dim()) =
          (precision(square) * residuals_.col(s).array().square() - 1.0) * noise_.scales.array() /
          deviations_.array().square();
    }
    if (!noise_.learn_nu) continue;
    const double nu = noise_.nu;
    out(out.rows() - 1, s) =
        0.5 * (digamma(0.5 * (nu + k)) - digamma(0.5 * nu) - k / nu - std::log1p(square / nu) +
               (nu + k) * square / (nu * (nu + square)));
  }
}

void Sensor::sample(const Eigen::MatrixXd& x, RandomStream& random, Eigen::MatrixXd& y) const {
  mean_->values(*input_, x, y);
  Eigen::MatrixXd e(y.rows(), y.cols());
  random.fill_normal(e);
  for (Eigen::Index k = 0; k < y.cols() && !gaussian(); ++k) {
    e.col(k) /= std::sqrt(2.0 * draw_gamma(0.5 * noise_.nu, random) / noise_.nu);
  }
  e.array().colwise() *= deviations().array();
  if (input_->message_noise.size() > 0) {
    e = input_->message_noise.triangularView<Eigen::Lower>() * e;
  }
  y += e;
}

void Sensor::linearise(const Gaussian& at, Linearisation /*method*/, AffineGaussian& out) const {
  if (sigma_points_ != nullptr) {
    sigma_points_->moments(*input_, at, out.offset, out.matrix, residual_covariance_);
  } else {
    mean_->expectation(*input_, at, out.offset, out.matrix);
  }
  out.offset.noalias() -= out.matrix * at.mean;
  const int k = observation_dim();
  if (out.noise.dim() != k) out.noise = CovarianceFactor(k, CovarianceForm::kFull);
  out.noise.lower().setZero();
  if (input_->message_noise.size() > 0) {
    out.noise.lower().triangularView<Eigen::Lower>() = input_->message_noise;
  } else {
    out.noise.lower().diagonal().setOnes();
  }
  out.noise.lower().array().rowwise() *= widening() * deviations().transpose().array();
  if (sigma_points_ == nullptr) return;
  // Fails only when the mean is not finite: then the noise stays as it is.
  out.noise.add_to(residual_covariance_);
  out.noise.assign_covariance(residual_covariance_, spread_);
}

void Sensor::expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                                  ExpectedDerivatives& out) const {
  if (sigma_points_ != nullptr) {
    derivatives_of_line(y, q, out);
    return;
  }
  whitened_line(y, q);
  spread_.noalias() = slope_ * q.factor.lower();
  const double square = whitened_.squaredNorm() + spread_.squaredNorm();
  const double tau = precision(square);
  out.value = log_constant() - log_determinant();
  if (gaussian()) {
    out.value -= 0.5 * square;
  } else {
    out.value -= 0.5 * (noise_.nu + observation_dim()) * std::log1p(square / noise_.nu);
  }
  out.value *= input_->weight;
  const double given = input_->weight * tau;
  out.gradient.noalias() = slope_.transpose() * (given * whitened_);
  // On average a Student-t has this share of a Gaussian's information: tau is not known.
  out.curvature.noalias() = slope_.transpose() * (given * tails_.gaussian_share * slope_);
  out.diagonal = false;
}

void Sensor::derivatives_of_line(const Eigen::VectorXd& y, const Gaussian& q,
                                 ExpectedDerivatives& out) const {
  linearise(q, Linearisation::kMoments, line_);
  value_ = line_.offset;
  value_.noalias() += line_.matrix * q.mean;
  whitened_ = y;
  unwrap(value_, whitened_);
  whitened_ -= value_;
  slope_ = line_.matrix;
  line_.noise.whiten(whitened_);
  line_.noise.whiten(slope_);
  spread_.noalias() = slope_ * q.factor.lower();
  out.value = log_constant() - line_.noise.log_determinant() -
              0.5 * (whitened_.squaredNorm() + spread_.squaredNorm());
  out.gradient.noalias() = slope_.transpose() * whitened_;
  out.curvature.noalias() = slope_.transpose() * slope_;
  out.diagonal = false;
}

void Sensor::expected_scores(const Eigen::VectorXd& y, const AffineVariable& at, int first,
                             QuadraticFunctions& out) const {
  if (parameters_.size() == 0 || input_->errors_last) return;
  distribution_.mean = at.constant;
  distribution_.factor.lower() = at.by_z;
  whitened_line(y, distribution_);
  by_z_.noalias() = -at.by_z.transpose() * slope_.transpose();  // column i: dw_i / dz
  squares_ = whitened_.cwiseAbs2() + by_z_.colwise().squaredNorm().transpose();
  const double square = squares_.sum();
  const double tau = precision(square);
  const double k = observation_dim();
  const double nu = noise_.nu;

  // h_j += factor * (|w(z)|^2 - E|w|^2): how a score moves with the state through tau.
  const auto add_square = [&](int j, double factor) {
    for (Eigen::Index i = 0; i < whitened_.size(); ++i) {
      out.add_square(j, factor, whitened_[i], by_z_.col(i), 0.0);
    }
    out.constant()[j] -= factor * square;
  };
  // The mean of each score is that under the exact posterior of tau, where there is one.
  const bool weighed = !gaussian() && weigh(tau);
  for (int i = 0; i < observation_dim() && noise_.learn_scales; ++i) {
    // d log D_i / d scale_i.
    const double slope = noise_.scales[i] / (deviations_[i] * deviations_[i]);
    out.add_square(first + i, tau * slope, whitened_[i], by_z_.col(i), 0.0);
    out.constant()[first + i] -= slope;
    if (!gaussian()) add_square(first + i, -tau / (nu + square) * squares_[i] * slope);
    if (weighed) out.constant()[first + i] += slope * (weighted_squares_[i] - tau * squares_[i]);
  }
  if (!noise_.learn_nu) return;
  const int j = first + parameters_.size() - 1;
  if (weighed) {
    out.constant()[j] += nu_score();
  } else {
    out.constant()[j] += 0.5 * (digamma(0.5 * (nu + k)) - digamma(0.5 * nu) - k / nu -
                                std::log1p(square / nu) + (nu + k) * square / (nu * (nu + square)));
  }
  add_square(j, 0.5 * (k - square) / ((nu + square) * (nu + square)));
}

bool Sensor::weigh(double tau) const {
  residual_covariance_.noalias() = by_z_.transpose() * by_z_;
  axes_.compute(residual_covariance_);
  // Take the Gaussian factor that stood for g out of the belief again: its slope at the mean is
  // -tau w, its curvature the share of tau that expected_derivatives has.
  const double share = tails_.gaussian_share;
  variances_ = axes_.eigenvalues();
  means_.matrix().noalias() = axes_.eigenvectors().transpose() * whitened_;
  means_ *= (1.0 + (1.0 - share) * tau * variances_) / (1.0 - share * tau * variances_);
  variances_ /= 1.0 - share * tau * variances_;
  const double least = 1.0 - share * tau * axes_.eigenvalues().maxCoeff();
  if (!(least > kLeastLeft)) return false;
  weigh_along_axes(tau);
  return true;
}

void Sensor::weigh_along_axes(double tau) const {
  weight_.assign(noise_.nu, means_, variances_, tau);
  spread_.noalias() = axes_.eigenvectors() * weight_.weighted_products();
  weighted_squares_ = spread_.cwiseProduct(axes_.eigenvectors()).rowwise().sum();
}

double Sensor::nu_score() const {
  const double nu = noise_.nu;
  return 0.5 * (std::log(0.5 * nu) + 1.0 - digamma(0.5 * nu) + weight_.log_less_value());
}

void Sensor::predictive_variances(const Gaussian& prediction, Eigen::VectorXd& variances) const {
  mean_->expectation(*input_, prediction, value_, slope_);
  whiten(slope_);
  spread_.noalias() = slope_ * prediction.factor.lower();
  variances = spread_.rowwise().squaredNorm();
}

void Sensor::predictive_scores(const Eigen::VectorXd& y, const Gaussian& prediction,
                               Eigen::VectorXd& gradient, Eigen::MatrixXd& information) const {
  gradient.setZero(parameters_.size());
  information.setZero(parameters_.size(), parameters_.size());
  whitened_line(y, prediction);
  spread_.noalias() = slope_ * prediction.factor.lower();
  residual_covariance_.noalias() = spread_ * spread_.transpose();
  axes_.compute(residual_covariance_);
  variances_ = axes_.eigenvalues().cwiseMax(0.0);
  means_.matrix().noalias() = axes_.eigenvectors().transpose() * whitened_;
  const double square = (means_.square() / (1.0 + variances_)).sum();
  if (gaussian()) {
    // Given y: mean m / (1 + v) and variance v / (1 + v) along each axis.
    whitened_.noalias() = axes_.eigenvectors() * (means_ / (1.0 + variances_)).matrix();
    weighted_squares_.noalias() =
        axes_.eigenvectors().cwiseAbs2() * (variances_ / (1.0 + variances_)).matrix();
    weighted_squares_ += whitened_.cwiseAbs2();
  } else {
    weigh_along_axes(precision(square));
  }
  const double variance = widening() * widening();
  slopes_ = variance / (variance + residual_covariance_.diagonal().array());
  const Eigen::VectorXd share = slopes_;
  if (noise_.learn_scales) {
    slopes_ = noise_.scales.array() / deviations().array().square();
    gradient.head(slopes_.size()) = slopes_.array() * (weighted_squares_.array() - 1.0);
    information.diagonal().head(slopes_.size()) = 2.0 * (share.array() * slopes_.array()).square();
  }
  if (noise_.learn_nu) gradient[gradient.size() - 1] = nu_score();
  add_tail_information(share, information);
}

// Scales act on the noise alone: V = L D^2 L' / c as `linearise` has it, c being the share of a
// Gaussian's information.
void Sensor::sensitivity(const Gaussian& /*at*/, Sensitivity& out) const {
  const int k = observation_dim();
  out.set_zero(k, parameters_.size(), noise_.learn_scales && !input_->errors_last ? k : 0);
  for (int i = 0; i < out.left.cols(); ++i) {
    if (input_->message_noise.size() > 0) {
      out.left.col(i).tail(k - i) = input_->message_noise.col(i).tail(k - i);
    } else {
      out.left(i, i) = 1.0;
    }
    out.right.col(i) = widening() * noise_.scales[i] * out.left.col(i);
    out.parameter[static_cast<std::size_t>(i)] = i;
  }
}

void Sensor::add_tail_information(const Eigen::VectorXd& share,
                                  Eigen::Ref<Eigen::MatrixXd> information) const {
  if (gaussian()) return;
  // d log D_i / d scale_i, as far as it is seen.
  if (noise_.learn_scales) {
    slopes_ = share.array() * noise_.scales.array() / deviations().array().square();
    information.topLeftCorner(slopes_.size(), slopes_.size()).noalias() +=
        tails_.scales * slopes_ * slopes_.transpose();
  }
  if (!noise_.learn_nu) return;
  const Eigen::Index nu = information.rows() - 1;
  const double seen = tail_attenuation(noise_.nu, share.mean());
  information(nu, nu) += tails_.nu * seen * seen;
  if (!noise_.learn_scales) return;
  slopes_ *= tails_.scale_and_nu * seen;
  information.col(nu).head(slopes_.size()) += slopes_;
  information.row(nu).head(slopes_.size()) += slopes_.transpose();
}

}  // namespace ovf
