#include "ovf/model/linear_conditional.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace ovf {
namespace {

void check_spec(const LinearConditional::Spec& spec) {
  if (spec.matrix.size() == 0 || !spec.matrix.allFinite()) {
    throw std::invalid_argument(
        fmt::format("matrix {} is empty or has an entry that is not finite", spec.matrix_name));
  }
  if (spec.noise_covariance.rows() != spec.matrix.rows()) {
    throw std::invalid_argument(fmt::format("covariance {} has {} rows; expected {} as in {}",
                                            spec.noise_name, spec.noise_covariance.rows(),
                                            spec.matrix.rows(), spec.matrix_name));
  }
}

CovarianceFactor noise_factor(const LinearConditional::Spec& spec) {
  const bool diagonal = spec.learn_noise == Learned::kDiagonal ||
                        (spec.learn_noise == Learned::kNo && spec.noise_covariance.isDiagonal(0.0));
  try {
    return CovarianceFactor::from_covariance(
        spec.noise_covariance, diagonal ? CovarianceForm::kDiagonal : CovarianceForm::kFull);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", spec.noise_name, error.what()));
  }
}

std::string entry_name(const std::string& name, Eigen::Index row, Eigen::Index col) {
  return fmt::format("{}[{},{}]", name, row, col);
}

}  // namespace

LinearConditional::LinearConditional(const Spec& spec) {
  check_spec(spec);
  affine_ = {spec.matrix, Eigen::VectorXd::Zero(spec.matrix.rows()), noise_factor(spec)};
  const Eigen::Index rows = spec.matrix.rows();
  const Eigen::Index cols = spec.matrix.cols();
  for (Eigen::Index j = 0; j < cols && spec.learn_matrix != Learned::kNo; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i) {
      if (spec.learn_matrix == Learned::kFull || i == j) {
        add_entry(entry_name(spec.matrix_name, i, j), Kind::kMatrix, i, j);
      }
    }
  }
  for (Eigen::Index j = 0; j < rows && spec.learn_noise != Learned::kNo; ++j) {
    if (spec.learn_noise == Learned::kDiagonal) {
      add_entry(entry_name(spec.noise_name, j, j), Kind::kVariance, j, j);
      continue;
    }
    for (Eigen::Index i = j; i < rows; ++i) {
      add_entry(entry_name(spec.noise_name + ".cholesky", i, j), Kind::kCholesky, i, j);
    }
  }
}

void LinearConditional::add_entry(const std::string& name, Kind kind, Eigen::Index row,
                                  Eigen::Index col) {
  entries_.push_back({kind, row, col});
  const double factor = kind == Kind::kMatrix ? 0.0 : affine_.noise.lower()(row, col);
  ParameterInfo info{.name = name};
  if (kind != Kind::kMatrix && row == col) {
    info.transform = Transform::kPositive;
    info.prior_deviation = kind == Kind::kVariance ? 2.0 * kScalePrior : kScalePrior;
  }
  switch (kind) {
    case Kind::kMatrix:
      return parameters_.add(info, affine_.matrix(row, col));
    case Kind::kVariance:
      return parameters_.add(info, factor * factor);
    case Kind::kCholesky:
      return parameters_.add(info, factor);
  }
}

void LinearConditional::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const Entry& entry = entries_[k];
    const double value = values[static_cast<Eigen::Index>(k)];
    switch (entry.kind) {
      case Kind::kMatrix:
        affine_.matrix(entry.row, entry.col) = value;
        break;
      case Kind::kVariance:
        affine_.noise.lower()(entry.row, entry.col) = std::sqrt(value);
        break;
      case Kind::kCholesky:
        affine_.noise.lower()(entry.row, entry.col) = value;
        break;
    }
  }
}

void LinearConditional::log_density(const Eigen::MatrixXd& input, const Eigen::MatrixXd& output,
                                    Eigen::VectorXd& out) const {
  Eigen::MatrixXd residual = output - affine_.matrix * input;
  affine_.noise.whiten(residual);
  out = -0.5 * residual.colwise().squaredNorm().transpose();
  out.array() -= affine_.noise.log_determinant() + 0.5 * affine_.noise.dim() * kLogTwoPi;
}

void LinearConditional::weighted_residual(const Eigen::MatrixXd& input,
                                          const Eigen::MatrixXd& output,
                                          Eigen::MatrixXd& out) const {
  out.noalias() = output - affine_.matrix * input;
  multiply_by_precision(affine_.noise, out);
}

void LinearConditional::scores(const Eigen::MatrixXd& input, const Eigen::MatrixXd& output,
                               Eigen::Ref<Eigen::MatrixXd> out) const {
  if (entries_.empty()) return;
  Eigen::MatrixXd w;
  weighted_residual(input, output, w);
  const Eigen::MatrixXd& lower = affine_.noise.lower();
  const Eigen::MatrixXd mixed = lower.transpose() * w;
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto [kind, a, b] = entries_[k];
    auto row = out.row(static_cast<Eigen::Index>(k)).array();
    switch (kind) {
      case Kind::kMatrix:
        row = w.row(a).array() * input.row(b).array();
        break;
      case Kind::kVariance:
        row = 0.5 * w.row(a).array().square() - 0.5 / (lower(a, a) * lower(a, a));
        break;
      case Kind::kCholesky:
        // d Q = e_a L_b' + L_b e_a'; trace(Q^-1 d Q) / 2 = (L^-T)_ab, zero off the diagonal.
        row = w.row(a).array() * mixed.row(b).array() - (a == b ? 1.0 / lower(a, a) : 0.0);
        break;
    }
  }
}

void LinearConditional::expected_scores(const AffineVariable& input, const AffineVariable& output,
                                        int first, QuadraticFunctions& out) const {
  if (entries_.empty()) return;
  const CovarianceFactor& noise = affine_.noise;
  const Eigen::MatrixXd& lower = noise.lower();
  const auto weigh = [&](auto& residual) {
    noise.whiten(residual);
    noise.unwhiten_transposed(residual);
  };
  // w = Q^-1 (output - A input) and its parts by z and e.
  residual_ = output.constant;
  residual_.noalias() -= affine_.matrix * input.constant;
  weigh(residual_);
  half_covariance_ = output.by_z;
  half_covariance_.noalias() -= affine_.matrix * input.by_z;
  weigh(half_covariance_);
  residual_z_ = half_covariance_.transpose();
  residual_e_ = output.by_e;
  residual_e_.noalias() -= affine_.matrix * input.by_e;
  weigh(residual_e_);
  input_z_ = input.by_z.transpose();
  noise_with_input_.noalias() = residual_e_ * input.by_e.transpose();
  noise_with_residual_.noalias() = residual_e_ * residual_e_.transpose();
  const bool full_noise = entries_.back().kind == Kind::kCholesky;
  if (full_noise) {
    mixed_.noalias() = lower.transpose() * residual_;
    mixed_z_.noalias() = residual_z_ * lower;
    cross_covariance_.noalias() = noise_with_residual_ * lower;
  }

  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto [kind, a, b] = entries_[k];
    const int j = first + static_cast<int>(k);
    switch (kind) {
      case Kind::kMatrix:
        out.add_product(j, 1.0, residual_[a], residual_z_.col(a), input.constant[b],
                        input_z_.col(b), noise_with_input_(a, b));
        break;
      case Kind::kVariance:
        out.add_square(j, 0.5, residual_[a], residual_z_.col(a), noise_with_residual_(a, a));
        out.constant()[j] -= 0.5 / (lower(a, a) * lower(a, a));
        break;
      case Kind::kCholesky:
        out.add_product(j, 1.0, residual_[a], residual_z_.col(a), mixed_[b], mixed_z_.col(b),
                        cross_covariance_(a, b));
        if (a == b) out.constant()[j] -= 1.0 / lower(a, a);
        break;
    }
  }
}

void LinearConditional::sensitivity(const Gaussian& input, Sensitivity& out) const {
  const Eigen::MatrixXd& lower = affine_.noise.lower();
  out.set_zero(lower.rows(), static_cast<Eigen::Index>(entries_.size()));
  half_covariance_.noalias() = affine_.matrix * input.factor.lower();
  cross_covariance_.noalias() = half_covariance_ * input.factor.lower().transpose();
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto [kind, a, b] = entries_[k];
    const auto j = static_cast<Eigen::Index>(k);
    out.left(a, j) = 1.0;
    switch (kind) {
      case Kind::kMatrix:
        out.mean(a, j) = input.mean[b];
        out.right.col(j) = cross_covariance_.col(b);
        break;
      case Kind::kVariance:
        out.right(a, j) = 0.5;
        break;
      case Kind::kCholesky:
        out.right.col(j) = lower.col(b);
        break;
    }
  }
}

}  // namespace ovf
