#include "ovf/model/nonlinear_transition.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ovf {
namespace {

// Keeps the factor of a distribution without spread in some direction defined.
constexpr double kJitter = 1e-12;

void check_mean(const MeanFunction* mean) {
  if (mean == nullptr) throw std::invalid_argument("transition: no mean function is given");
  if (mean->input_dim() != mean->output_dim()) {
    throw std::invalid_argument(
        fmt::format("transition: its mean maps {} to {} dimensions; expected states to states",
                    mean->input_dim(), mean->output_dim()));
  }
}

CovarianceFactor noise_factor(const MeanFunction* mean, const Eigen::MatrixXd& covariance,
                              LearnedScale learn) {
  check_mean(mean);
  if (covariance.rows() != mean->output_dim()) {
    throw std::invalid_argument(
        fmt::format("transition: the noise covariance has {} rows; expected {}", covariance.rows(),
                    mean->output_dim()));
  }
  const bool diagonal = learn == LearnedScale::kEach || covariance.isDiagonal(0.0);
  try {
    return CovarianceFactor::from_covariance(
        covariance, diagonal ? CovarianceForm::kDiagonal : CovarianceForm::kFull);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("transition noise: {}", error.what()));
  }
}

}  // namespace

NonlinearTransition::NonlinearTransition(std::unique_ptr<MeanFunction> mean,
                                         const Eigen::MatrixXd& covariance,
                                         LearnedScale learn_noise)
    : mean_(std::move(mean)),
      noise_(noise_factor(mean_.get(), covariance, learn_noise)),
      learn_noise_(learn_noise),
      distribution_(standard_gaussian(noise_.dim(), CovarianceForm::kFull)) {
  const double shared = noise_.lower().norm() / std::sqrt(static_cast<double>(noise_.dim()));
  shape_ = noise_.lower() / shared;
  parameters_.append(mean_->parameters());
  ParameterInfo info{.name = "noise", .transform = Transform::kPositive};
  if (learn_noise_ == LearnedScale::kShared) parameters_.add(info, shared);
  for (int i = 0; i < noise_.dim() && learn_noise_ == LearnedScale::kEach; ++i) {
    info.name = fmt::format("noise[{}]", i);
    parameters_.add(info, noise_.lower()(i, i));
  }
}

void NonlinearTransition::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
  const int split = mean_->parameters().size();
  mean_->set_parameters(values.head(split));
  if (learn_noise_ == LearnedScale::kShared) noise_.lower() = values[split] * shape_;
  if (learn_noise_ == LearnedScale::kEach) noise_.lower().diagonal() = values.tail(noise_.dim());
}

void NonlinearTransition::log_density(const StepInput& input, const Eigen::MatrixXd& from,
                                      const Eigen::MatrixXd& to, Eigen::VectorXd& out) const {
  mean_->values(input, from, residual_samples_);
  residual_samples_ -= to;
  noise_.whiten(residual_samples_);
  out = -0.5 * residual_samples_.colwise().squaredNorm().transpose();
  out.array() -= noise_.log_determinant() + 0.5 * noise_.dim() * kLogTwoPi;
}

void NonlinearTransition::gradients(const StepInput& input, const Eigen::MatrixXd& from,
                                    const Eigen::MatrixXd& to, Eigen::MatrixXd& d_from,
                                    Eigen::MatrixXd& d_to) const {
  mean_->values(input, from, d_to);
  d_to = to - d_to;
  noise_.whiten(d_to);
  noise_.unwhiten_transposed(d_to);
  mean_->pull_back(input, from, d_to, d_from);
  d_to = -d_to;
}

void NonlinearTransition::scores(const StepInput& input, const Eigen::MatrixXd& from,
                                 const Eigen::MatrixXd& to, Eigen::Ref<Eigen::MatrixXd> out) const {
  if (parameters_.size() == 0) return;
  const int split = mean_->parameters().size();
  Eigen::MatrixXd weighted;
  mean_->values(input, from, weighted);
  weighted = to - weighted;
  noise_.whiten(weighted);
  if (learn_noise_ == LearnedScale::kShared) {
    out.row(split) = weighted.colwise().squaredNorm().array() - noise_.dim();
    out.row(split) /= parameters_.values()[split];
  } else if (learn_noise_ == LearnedScale::kEach) {
    out.bottomRows(noise_.dim()) =
        (weighted.array().square() - 1.0).colwise() / noise_.lower().diagonal().array();
  }
  noise_.unwhiten_transposed(weighted);
  mean_->parameter_pull_back(input, from, weighted, out.topRows(split));
}

void NonlinearTransition::sample(const StepInput& input, const Eigen::MatrixXd& from,
                                 RandomStream& random, Eigen::MatrixXd& to) const {
  mean_->values(input, from, to);
  Eigen::MatrixXd z(to.rows(), to.cols());
  random.fill_normal(z);
  Eigen::MatrixXd noise(to.rows(), to.cols());
  noise_.multiply(z, noise);
  to += noise;
}

void NonlinearTransition::linearise(const StepInput& input, const Gaussian& at,
                                    Linearisation method, AffineGaussian& out) const {
  lineariser_.linearise(*mean_, input, at, method, noise_, out);
}

void NonlinearTransition::expected_scores(const StepInput& input, const AffineVariable& from,
                                          const AffineVariable& to, int first,
                                          QuadraticFunctions& out) const {
  if (parameters_.size() == 0) return;
  distribution_.mean = from.constant;
  covariance_.noalias() = from.by_z * from.by_z.transpose();
  covariance_.noalias() += from.by_e * from.by_e.transpose();
  covariance_.diagonal().array() +=
      kJitter * covariance_.diagonal().maxCoeff() + std::numeric_limits<double>::min();
  distribution_.factor.assign_covariance(covariance_, scratch_);
  mean_->expectation(input, distribution_, value_, slope_);

  // The residual to - m(from), whitened, and its parts by z and e.
  residual_ = to.constant - value_;
  noise_.whiten(residual_);
  scratch_ = to.by_z;
  scratch_.noalias() -= slope_ * from.by_z;
  noise_.whiten(scratch_);
  residual_e_ = to.by_e;
  residual_e_.noalias() -= slope_ * from.by_e;
  noise_.whiten(residual_e_);
  residual_z_ = scratch_.transpose();
  add_noise_scores(first + mean_->parameters().size(), out);

  if (mean_->parameters().size() == 0) return;
  noise_.unwhiten_transposed(residual_);
  noise_.unwhiten_transposed(scratch_);
  noise_.unwhiten_transposed(residual_e_);
  residual_z_ = scratch_.transpose();
  add_mean_scores(input, from, first, out);
}

void NonlinearTransition::add_mean_scores(const StepInput& input, const AffineVariable& from,
                                          int first, QuadraticFunctions& out) const {
  // d log f / d theta_j = (dm/dtheta_j)' Q^-1 (to - m): products of affine functions.
  mean_->parameter_expectation(input, distribution_, parameter_value_, parameter_slope_);
  from_z_ = from.by_z.transpose();
  from_with_residual_.noalias() = from.by_e * residual_e_.transpose();
  const Eigen::Index d = state_dim();
  for (int j = 0; j < mean_->parameters().size(); ++j) {
    const int only = mean_->only_row(j);
    const Eigen::Index begin = only < 0 ? 0 : only;
    const Eigen::Index end = only < 0 ? d : only + 1;
    for (Eigen::Index i = begin; i < end; ++i) {
      row_ = parameter_slope_.row(i).segment(j * d, d);
      row_z_.noalias() = from_z_ * row_;
      out.add_product(first + j, 1.0, residual_[i], residual_z_.col(i), parameter_value_(i, j),
                      row_z_, row_.dot(from_with_residual_.col(i)));
    }
  }
}

void NonlinearTransition::add_noise_scores(int first, QuadraticFunctions& out) const {
  if (learn_noise_ == LearnedScale::kNo) return;
  const bool shared = learn_noise_ == LearnedScale::kShared;
  for (int i = 0; i < state_dim(); ++i) {
    // (u^2 - 1) / deviation with u the whitened residual.
    const int j = shared ? first : first + i;
    const double deviation = parameters_.values()[mean_->parameters().size() + (shared ? 0 : i)];
    out.add_product(j, 1.0 / deviation, residual_[i], residual_z_.col(i), residual_[i],
                    residual_z_.col(i), residual_e_.row(i).squaredNorm());
    out.constant()[j] -= 1.0 / deviation;
  }
}

}  // namespace ovf
