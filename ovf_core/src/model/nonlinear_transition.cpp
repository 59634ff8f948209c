#include "ovf/model/nonlinear_transition.hpp"

#include <fmt/format.h>

#include <algorithm>
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

Eigen::MatrixXd covariance_of(const ProcessNoise& noise) {
  if (noise.learned_as.size() != static_cast<std::size_t>(noise.deviations.size())) {
    throw std::invalid_argument(
        fmt::format("transition noise: {} deviations and {} names that they are learned as",
                    noise.deviations.size(), noise.learned_as.size()));
  }
  for (Eigen::Index i = 0; i < noise.deviations.size(); ++i) {
    if (std::isfinite(noise.deviations[i]) && noise.deviations[i] > 0.0) continue;
    throw std::invalid_argument(
        fmt::format("transition noise: the deviation of state {} is {}; expected a positive number",
                    i, noise.deviations[i]));
  }
  return noise.deviations.cwiseAbs2().asDiagonal();
}

// Where nothing tells how it moves, sensors whose errors last make motion out of their errors.
bool holds_noise(const StepInput& input) { return input.errors_last && input.control.size() == 0; }

}  // namespace

NonlinearTransition::NonlinearTransition(std::unique_ptr<MeanFunction> mean,
                                         const Eigen::MatrixXd& covariance,
                                         LearnedScale learn_noise)
    : mean_(std::move(mean)),
      noise_(noise_factor(mean_.get(), covariance, learn_noise)),
      grows_(false),
      group_(static_cast<std::size_t>(noise_.dim()), -1),
      shape_(noise_.lower()),
      distribution_(standard_gaussian(noise_.dim(), CovarianceForm::kFull)) {
  parameters_.append(mean_->parameters());
  if (learn_noise == LearnedScale::kShared) {
    add_group("noise", noise_.lower().norm() / std::sqrt(static_cast<double>(noise_.dim())));
    for (int i = 0; i < noise_.dim(); ++i) join_group(i, 0);
  }
  for (int i = 0; i < noise_.dim() && learn_noise == LearnedScale::kEach; ++i) {
    add_group(fmt::format("noise[{}]", i), noise_.lower()(i, i));
    join_group(i, i);
  }
}

NonlinearTransition::NonlinearTransition(std::unique_ptr<MeanFunction> mean,
                                         const ProcessNoise& noise)
    : mean_(std::move(mean)),
      noise_(noise_factor(mean_.get(), covariance_of(noise), LearnedScale::kEach)),
      grows_(true),
      group_(static_cast<std::size_t>(noise_.dim()), -1),
      shape_(noise_.lower()),
      step_noise_(noise_),
      distribution_(standard_gaussian(noise_.dim(), CovarianceForm::kFull)) {
  parameters_.append(mean_->parameters());
  std::vector<std::string> names;
  for (int i = 0; i < noise_.dim(); ++i) {
    const std::string& name = noise.learned_as[static_cast<std::size_t>(i)];
    if (name.empty()) continue;
    const auto found = std::find(names.begin(), names.end(), name);
    const int group = static_cast<int>(found - names.begin());
    if (found == names.end()) {
      names.push_back(name);
      add_group(name, noise.deviations[i], std::log(noise.factor));
    }
    const double common = parameters_.values()[mean_->parameters().size() + group];
    if (common != noise.deviations[i]) {
      throw std::invalid_argument(fmt::format(
          "transition: states that are learned as {} have the noise {} and {}; expected "
          "one for all",
          name, common, noise.deviations[i]));
    }
    join_group(i, group);
  }
}

void NonlinearTransition::add_group(const std::string& name, double deviation,
                                    double prior_deviation) {
  parameters_.add(
      {.name = name, .transform = Transform::kPositive, .prior_deviation = prior_deviation},
      deviation);
  ++group_count_;
}

void NonlinearTransition::join_group(int state, int group) {
  group_[static_cast<std::size_t>(state)] = group;
  ++grouped_states_;
  shape_.row(state) /= parameters_.values()[mean_->parameters().size() + group];
}

void NonlinearTransition::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
  const int split = mean_->parameters().size();
  mean_->set_parameters(values.head(split));
  for (int i = 0; i < noise_.dim() && group_count_ > 0; ++i) {
    const int group = group_[static_cast<std::size_t>(i)];
    if (group >= 0) noise_.lower().row(i) = values[split + group] * shape_.row(i);
  }
}

const CovarianceFactor& NonlinearTransition::noise_of(const StepInput& input) const {
  if (!grows_) return noise_;
  step_noise_.lower().diagonal() =
      std::sqrt(std::max(input.dt, kShortestStep)) * noise_.lower().diagonal();
  if (input.noise_gain.size() == noise_.dim()) {
    step_noise_.lower().diagonal().array() *= input.noise_gain.array();
  }
  return step_noise_;
}

void NonlinearTransition::log_density(const StepInput& input, const Eigen::MatrixXd& from,
                                      const Eigen::MatrixXd& to, Eigen::VectorXd& out) const {
  const CovarianceFactor& noise = noise_of(input);
  mean_->values(input, from, residual_samples_);
  residual_samples_ -= to;
  noise.whiten(residual_samples_);
  out = -0.5 * residual_samples_.colwise().squaredNorm().transpose();
  out.array() -= noise.log_determinant() + 0.5 * noise.dim() * kLogTwoPi;
}

void NonlinearTransition::gradients(const StepInput& input, const Eigen::MatrixXd& from,
                                    const Eigen::MatrixXd& to, Eigen::MatrixXd& d_from,
                                    Eigen::MatrixXd& d_to) const {
  const CovarianceFactor& noise = noise_of(input);
  mean_->values(input, from, d_to);
  d_to = to - d_to;
  noise.whiten(d_to);
  noise.unwhiten_transposed(d_to);
  mean_->pull_back(input, from, d_to, d_from);
  d_to = -d_to;
}

void NonlinearTransition::scores(const StepInput& input, const Eigen::MatrixXd& from,
                                 const Eigen::MatrixXd& to, Eigen::Ref<Eigen::MatrixXd> out) const {
  if (parameters_.size() == 0) return;
  const CovarianceFactor& noise = noise_of(input);
  const int split = mean_->parameters().size();
  Eigen::MatrixXd& weighted = residual_samples_;
  mean_->values(input, from, weighted);
  weighted = to - weighted;
  noise.whiten(weighted);
  out.bottomRows(group_count_).setZero();
  for (int i = 0; i < noise.dim() && !holds_noise(input); ++i) {
    const int group = group_[static_cast<std::size_t>(i)];
    if (group < 0) continue;
    out.row(split + group).array() +=
        (weighted.row(i).array().square() - 1.0) / parameters_.values()[split + group];
  }
  noise.unwhiten_transposed(weighted);
  mean_->parameter_pull_back(input, from, weighted, out.topRows(split));
}

void NonlinearTransition::grouped_scores(const StepInput& input, const Eigen::MatrixXd& from,
                                         const Eigen::MatrixXd& to, const Eigen::VectorXd& weights,
                                         Eigen::Ref<Eigen::MatrixXd> out) const {
  if (parameters_.size() == 0) return;
  const CovarianceFactor& noise = noise_of(input);
  const int split = mean_->parameters().size();
  const Eigen::Index size = to.cols() / out.cols();
  Eigen::MatrixXd& weighted = residual_samples_;
  mean_->values(input, from, weighted);
  weighted = to - weighted;
  noise.whiten(weighted);
  out.bottomRows(group_count_).setZero();
  for (int i = 0; i < noise.dim() && !holds_noise(input); ++i) {
    const int group = group_[static_cast<std::size_t>(i)];
    if (group < 0) continue;
    const double deviation = parameters_.values()[split + group];
    for (Eigen::Index n = 0; n < to.cols(); ++n) {
      const double u = weighted(i, n);
      out(split + group, n / size) += weights[n] * (u * u - 1.0) / deviation;
    }
  }
  noise.unwhiten_transposed(weighted);
  weighted.array().rowwise() *= weights.transpose().array();
  mean_->grouped_parameter_pull_back(input, from, weighted, out.topRows(split));
}

void NonlinearTransition::sample(const StepInput& input, const Eigen::MatrixXd& from,
                                 RandomStream& random, Eigen::MatrixXd& to) const {
  mean_->values(input, from, to);
  Eigen::MatrixXd z(to.rows(), to.cols());
  random.fill_normal(z);
  Eigen::MatrixXd noise(to.rows(), to.cols());
  noise_of(input).multiply(z, noise);
  to += noise;
}

void NonlinearTransition::linearise(const StepInput& input, const Gaussian& at,
                                    Linearisation method, AffineGaussian& out) const {
  lineariser_.linearise(*mean_, input, at, method, noise_of(input), out);
}

void NonlinearTransition::expected_scores(const StepInput& input, const AffineGaussian& line,
                                          const AffineVariable& from, const AffineVariable& to,
                                          int first, QuadraticFunctions& out) const {
  if (parameters_.size() == 0) return;
  const CovarianceFactor& noise = noise_of(input);
  // The residual to - m(from), whitened, and its parts by z and e.
  residual_ = to.constant - line.offset;
  residual_.noalias() -= line.matrix * from.constant;
  noise.whiten(residual_);
  scratch_ = to.by_z;
  scratch_.noalias() -= line.matrix * from.by_z;
  noise.whiten(scratch_);
  residual_e_ = to.by_e;
  residual_e_.noalias() -= line.matrix * from.by_e;
  noise.whiten(residual_e_);
  residual_z_ = scratch_.transpose();
  if (!holds_noise(input)) add_noise_scores(first + mean_->parameters().size(), out);

  if (mean_->parameters().size() == 0) return;
  noise.unwhiten_transposed(residual_);
  noise.unwhiten_transposed(scratch_);
  noise.unwhiten_transposed(residual_e_);
  residual_z_ = scratch_.transpose();
  add_mean_scores(input, from, first, out);
}

void NonlinearTransition::add_mean_scores(const StepInput& input, const AffineVariable& from,
                                          int first, QuadraticFunctions& out) const {
  // d log f / d theta_j = (dm/dtheta_j)' Q^-1 (to - m): products of affine functions.
  distribution_.mean = from.constant;
  covariance_.noalias() = from.by_z * from.by_z.transpose();
  covariance_.noalias() += from.by_e * from.by_e.transpose();
  covariance_.diagonal().array() +=
      kJitter * covariance_.diagonal().maxCoeff() + std::numeric_limits<double>::min();
  distribution_.factor.assign_covariance(covariance_, from_with_residual_);
  mean_->parameter_expectation(input, distribution_, parameter_value_, parameter_slope_);
  from_z_ = from.by_z.transpose();
  from_with_residual_.noalias() = from.by_e * residual_e_.transpose();
  const Eigen::Index d = state_dim();
  for (int j = 0; j < mean_->parameters().size(); ++j) {
    const auto slope = parameter_slope_.middleCols(j * d, d);
    const int i = mean_->only_row(j);
    if (i < 0) {
      rows_z_.noalias() = from_z_ * slope.transpose();
      out.add_products(first + j, 1.0, residual_, residual_z_, parameter_value_.col(j), rows_z_,
                       slope.transpose().cwiseProduct(from_with_residual_).sum(), product_);
    } else {
      row_ = slope.row(i);
      row_z_.noalias() = from_z_ * row_;
      out.add_product(first + j, 1.0, residual_[i], residual_z_.col(i), parameter_value_(i, j),
                      row_z_, row_.dot(from_with_residual_.col(i)));
    }
  }
}

void NonlinearTransition::add_noise_scores(int first, QuadraticFunctions& out) const {
  for (int i = 0; i < state_dim(); ++i) {
    // (u^2 - 1) / deviation with u the whitened residual.
    const int group = group_[static_cast<std::size_t>(i)];
    if (group < 0) continue;
    const int j = first + group;
    const double deviation = parameters_.values()[mean_->parameters().size() + group];
    out.add_square(j, 1.0 / deviation, residual_[i], residual_z_.col(i),
                   residual_e_.row(i).squaredNorm());
    out.constant()[j] -= 1.0 / deviation;
  }
}

void NonlinearTransition::sensitivity(const StepInput& input, const Gaussian& at,
                                      Sensitivity& out) const {
  const int split = mean_->parameters().size();
  int column = mean_sensitivity_columns(*mean_);
  const bool held = holds_noise(input);
  out.set_zero(state_dim(), parameters_.size(), column + (held ? 0 : grouped_states_));
  if (split > 0) mean_sensitivity_.add(*mean_, input, at, out);
  const CovarianceFactor& noise = noise_of(input);
  for (int i = 0; i < state_dim() && grouped_states_ > 0 && !held; ++i) {
    const int group = group_[static_cast<std::size_t>(i)];
    if (group < 0) continue;
    // Row i of Q's factor is proportional to its group's deviation.
    out.left(i, column) = 1.0;
    if (noise.is_diagonal()) {
      out.right(i, column) = noise.lower()(i, i) * noise.lower()(i, i);
    } else {
      out.right.col(column).noalias() = noise.lower() * noise.lower().row(i).transpose();
    }
    out.right.col(column) /= parameters_.values()[split + group];
    out.parameter[static_cast<std::size_t>(column)] = split + group;
    ++column;
  }
}

}  // namespace ovf
