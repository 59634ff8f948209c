#include "ovf/model/observation_noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ovf/math/gaussian.hpp"
#include "ovf/math/student_t.hpp"

namespace ovf {
namespace {

// Bounds of a learned nu: below, the tails have no information left; above, it is a Gaussian.
constexpr double kSmallestNu = 0.5;
constexpr double kLargestNu = 1000.0;
// Numbers worked on at a time: they stay in the first-level cache.
constexpr Eigen::Index kBlock = 4096;

void check_spec(const ObservationNoise::Spec& spec) {
  if (spec.scales.size() == 0) throw std::invalid_argument("observation noise has no scales");
  for (Eigen::Index i = 0; i < spec.scales.size(); ++i) {
    if (!(spec.scales[i] > 0.0) || !std::isfinite(spec.scales[i])) {
      throw std::invalid_argument(
          fmt::format("observation noise scale {} is {}; expected a positive finite number", i,
                      spec.scales[i]));
    }
  }
  if (spec.kind == NoiseKind::kStudentT && (!(spec.nu > 0.0) || !std::isfinite(spec.nu))) {
    throw std::invalid_argument(
        fmt::format("observation noise nu is {}; expected a positive finite number", spec.nu));
  }
  if (spec.kind == NoiseKind::kGaussian && spec.learn_nu) {
    throw std::invalid_argument("observation noise nu cannot be learned: the noise is Gaussian");
  }
}

double root_mean_square(const Eigen::VectorXd& values) {
  return values.norm() / std::sqrt(static_cast<double>(values.size()));
}

}  // namespace

ObservationNoise::ObservationNoise(const Spec& spec)
    : kind_((check_spec(spec), spec.kind)),
      scales_(spec.scales),
      nu_(spec.nu),
      learn_scale_(spec.learn_scale),
      learn_nu_(spec.learn_nu) {
  const double shared = root_mean_square(scales_);
  proportions_ = scales_ / shared;
  ParameterInfo info{
      .name = "scale", .transform = Transform::kPositive, .prior_deviation = kScalePrior};
  if (learn_scale_ == LearnedScale::kShared) parameters_.add(info, shared);
  for (Eigen::Index i = 0; i < dim() && learn_scale_ == LearnedScale::kEach; ++i) {
    info.name = fmt::format("scale[{}]", i);
    parameters_.add(info, scales_[i]);
  }
  if (learn_nu_) {
    parameters_.add({"nu", Transform::kPositive, kSmallestNu, kLargestNu, kScalePrior}, nu_);
  }
  update_constants();
}

void ObservationNoise::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
  if (learn_scale_ == LearnedScale::kShared) scales_ = values[0] * proportions_;
  if (learn_scale_ == LearnedScale::kEach) scales_ = values.head(dim());
  if (learn_nu_) nu_ = values[values.size() - 1];
  update_constants();
}

void ObservationNoise::update_constants() {
  double constant = -0.5 * kLogTwoPi;
  if (kind_ == NoiseKind::kStudentT) {
    constant = student_t_log_constant(nu_);
    log_constant_slope_ = student_t_log_constant_slope(nu_);
    tails_ = student_t_information(nu_, 1);
  }
  // The inverse Fisher information of a Student-t's location. Its variance does not exist for
  // nu <= 2, and beyond that overstates what the tails take from an update.
  gaussian_deviations_ = scales_ / std::sqrt(tails_.gaussian_share);
  widths_ = std::sqrt(nu_) * scales_;
  log_normaliser_ = constant - scales_.array().log();
}

void ObservationNoise::log_density(const Eigen::MatrixXd& residual, Eigen::VectorXd& out) const {
  // Blocks of columns are contiguous, so that the logarithm is vectorised.
  const Eigen::Index most = std::max<Eigen::Index>(1, kBlock / residual.rows());
  const bool gaussian = kind_ == NoiseKind::kGaussian;
  const double factor = gaussian ? -0.5 : -0.5 * (nu_ + 1.0);
  const double constant = log_normaliser_.sum();
  out.resize(residual.cols());
  for (Eigen::Index first = 0; first < residual.cols(); first += most) {
    const Eigen::Index columns = std::min(most, residual.cols() - first);
    squares_ = (residual.middleCols(first, columns).array().colwise() /
                (gaussian ? scales_ : widths_).array())
                   .square();
    if (!gaussian) squares_ = (1.0 + squares_).log();
    out.segment(first, columns) = factor * squares_.colwise().sum().transpose().matrix();
  }
  out.array() += constant;
}

void ObservationNoise::log_density(int i, Eigen::Ref<Eigen::ArrayXd> residual) const {
  if (kind_ == NoiseKind::kGaussian) {
    residual = -0.5 * (residual / scales_[i]).square();
  } else {
    residual = -0.5 * (nu_ + 1.0) * (1.0 + (residual / widths_[i]).square()).log();
  }
  residual += log_normaliser_[i];
}

void ObservationNoise::slope(const Eigen::MatrixXd& residual, Eigen::MatrixXd& out) const {
  if (kind_ == NoiseKind::kGaussian) {
    out = residual.array().colwise() / -scales_.array().square();
    return;
  }
  scaled_ = residual.array().square().colwise() + widths_.array().square();
  out = -(nu_ + 1.0) * residual.array() / scaled_;
}

void ObservationNoise::scores(const Eigen::MatrixXd& residual,
                              Eigen::Ref<Eigen::MatrixXd> out) const {
  if (parameters_.size() == 0) return;
  out.setZero();
  const Eigen::Index last = parameters_.size() - 1;
  if (learn_nu_) out.row(last).setConstant(dim() * log_constant_slope_);
  for (Eigen::Index i = 0; i < dim(); ++i) {
    const auto e = residual.row(i).array();
    const double s = scales_[i];
    const double square = widths_[i] * widths_[i];
    if (learn_scale_ != LearnedScale::kNo) {
      const bool shared = learn_scale_ == LearnedScale::kShared;
      const double weight = shared ? proportions_[i] : 1.0;
      auto row = out.row(shared ? 0 : i).array();
      if (kind_ == NoiseKind::kGaussian) {
        row += weight * ((e / s).square() - 1.0) / s;
      } else {
        row += weight * (nu_ - (nu_ + 1.0) * square / (square + e.square())) / s;
      }
    }
    if (learn_nu_) {
      out.row(last).array() += (0.5 * (nu_ + 1.0) / nu_) * e.square() / (square + e.square()) -
                               0.5 * (1.0 + e.square() / square).log();
    }
  }
}

void ObservationNoise::sample(RandomStream& random, Eigen::Ref<Eigen::MatrixXd> out) const {
  if (kind_ == NoiseKind::kGaussian) {
    random.fill_normal(out);
  } else {
    for (Eigen::Index j = 0; j < out.cols(); ++j) {
      for (Eigen::Index i = 0; i < out.rows(); ++i) out(i, j) = draw_student_t(nu_, random);
    }
  }
  out.array().colwise() *= scales_.array();
}

void ObservationNoise::expected_log_density(const Eigen::VectorXd& mean,
                                            const Eigen::VectorXd& spread,
                                            ResidualExpansion& out) const {
  out.resize(dim());
  const auto integrate = [&](auto rule, Eigen::Index i) {
    rule.assign(mean[i], spread[i], widths_[i]);
    using Nodes = decltype(rule.weight);
    const double square = widths_[i] * widths_[i];
    const auto& e = rule.residual;
    const Nodes sum = square + e.square();
    const Nodes inverse = sum.inverse();
    const Nodes weight = rule.weight * inverse;
    const Nodes logs = (sum * (1.0 / square)).log();
    out.value[i] = log_normaliser_[i] - 0.5 * (nu_ + 1.0) * (rule.weight * logs).sum();
    out.first[i] = -(nu_ + 1.0) * (weight * e).sum();
    // (square - e^2) / sum^2 = 2 square / sum^2 - 1 / sum
    out.second[i] = -(nu_ + 1.0) * (weight * (2.0 * square * inverse - 1.0)).sum();
  };
  for (Eigen::Index i = 0; i < dim(); ++i) {
    if (kind_ == NoiseKind::kGaussian) {
      const double precision = 1.0 / (scales_[i] * scales_[i]);
      out.value[i] =
          log_normaliser_[i] - 0.5 * precision * (mean[i] * mean[i] + spread[i] * spread[i]);
      out.first[i] = -precision * mean[i];
      out.second[i] = -precision;
    } else if (short_quadrature_does(spread[i], widths_[i])) {
      integrate(ShortStudentTQuadrature(), i);
    } else {
      integrate(StudentTQuadrature(), i);
    }
  }
}

// Of log scale_i and nu, dimension by dimension. Their means are those under the tilted density: q
// with the Gaussian factor that stood for g replaced by g itself, which a Gaussian q misses.
void ObservationNoise::expand_scores(const Eigen::VectorXd& mean,
                                     const Eigen::VectorXd& spread) const {
  by_scale_.resize(dim());
  by_nu_.resize(dim());
  StudentTQuadrature rule;
  for (Eigen::Index i = 0; i < dim(); ++i) {
    const double s = scales_[i];
    if (kind_ == NoiseKind::kGaussian) {
      const double cube = s * s * s;
      by_scale_.value[i] = (mean[i] * mean[i] + spread[i] * spread[i]) / cube - 1.0 / s;
      by_scale_.first[i] = 2.0 * mean[i] / cube;
      by_scale_.second[i] = 2.0 / cube;
      continue;
    }
    rule.assign(mean[i], spread[i], widths_[i]);
    using Nodes = StudentTQuadrature::Nodes;
    const double square = widths_[i] * widths_[i];
    const auto& e = rule.residual;
    const Nodes squares = e.square();
    const Nodes inverse = (square + squares).inverse();
    const Nodes weight = rule.weight * inverse;
    const Nodes narrow = weight * inverse;
    const Nodes logs = (1.0 + squares * (1.0 / square)).log();
    // The factor that stood for g: E[(log g)'] and E[(log g)''] under q.
    const double slope = -(nu_ + 1.0) * (weight * e).sum();
    const double curvature = -(nu_ + 1.0) * (narrow * (square - squares)).sum();
    const Nodes offset = e - mean[i];
    Nodes tilted = -0.5 * (nu_ + 1.0) * logs - offset * (slope + 0.5 * curvature * offset);
    tilted = rule.weight * (tilted - tilted.maxCoeff()).exp();
    tilted /= tilted.sum();
    const double factor = (nu_ + 1.0) * square / s;
    by_scale_.value[i] = nu_ / s - factor * (tilted * inverse).sum();
    by_scale_.first[i] = 2.0 * factor * (narrow * e).sum();
    by_scale_.second[i] = 2.0 * factor * (narrow * inverse * (square - 3.0 * squares)).sum();
    if (!learn_nu_) continue;
    by_nu_.value[i] =
        log_constant_slope_ + 0.5 * (tilted * ((nu_ + 1.0) / nu_ * squares * inverse - logs)).sum();
    const double ratio = (nu_ + 1.0) * square / nu_;
    by_nu_.first[i] = (weight * e * (ratio * inverse - 1.0)).sum();
    by_nu_.second[i] =
        (narrow * (ratio * inverse * (square - 3.0 * squares) - square + squares)).sum();
  }
}

void ObservationNoise::expected_scores(const Eigen::VectorXd& mean, const Eigen::VectorXd& spread,
                                       const Eigen::MatrixXd& by_z, int first,
                                       QuadraticFunctions& out) const {
  if (parameters_.size() == 0) return;
  expand_scores(mean, spread);
  const auto add_all = [&](int j, const ResidualExpansion& expansion) {
    out.constant()[j] += expansion.value.sum();
    out.linear().col(j).noalias() += by_z * expansion.first;
    scaled_z_ = by_z * expansion.second.asDiagonal();
    out.quadratic_of(j).noalias() += scaled_z_ * by_z.transpose();
  };
  if (learn_nu_) add_all(first + parameters_.size() - 1, by_nu_);
  if (learn_scale_ == LearnedScale::kShared) {
    for (Eigen::VectorXd* part : {&by_scale_.value, &by_scale_.first, &by_scale_.second}) {
      part->array() *= proportions_.array();
    }
    add_all(first, by_scale_);
  }
  for (int i = 0; i < dim() && learn_scale_ == LearnedScale::kEach; ++i) {
    const int j = first + i;
    out.constant()[j] += by_scale_.value[i];
    out.linear().col(j) += by_scale_.first[i] * by_z.col(i);
    out.quadratic_of(j).noalias() += by_scale_.second[i] * by_z.col(i) * by_z.col(i).transpose();
  }
}

void ObservationNoise::add_sensitivity(int first, Eigen::Index column, Sensitivity& out) const {
  if (learn_scale_ == LearnedScale::kNo) return;
  const bool shared = learn_scale_ == LearnedScale::kShared;
  for (int i = 0; i < dim(); ++i, ++column) {
    // d variance / d log scale = 2 variance; a Student-t has its share of that information.
    const double by_parameter = shared ? proportions_[i] : 1.0;
    out.left(i, column) = 1.0;
    out.right(i, column) = by_parameter * scales_[i] / std::sqrt(tails_.gaussian_share);
    out.parameter[static_cast<std::size_t>(column)] = shared ? first : first + i;
  }
}

void ObservationNoise::add_tail_information(const Eigen::VectorXd& share,
                                            Eigen::Ref<Eigen::MatrixXd> information) const {
  if (kind_ == NoiseKind::kGaussian) return;
  const bool shared = learn_scale_ == LearnedScale::kShared;
  const Eigen::Index nu = parameters_.size() - 1;
  for (int i = 0; i < dim(); ++i) {
    const int j = shared ? 0 : i;
    const double slope = share[i] * (shared ? proportions_[i] : 1.0) / scales_[i];
    if (learn_scale_ != LearnedScale::kNo) information(j, j) += tails_.scales * slope * slope;
    if (!learn_nu_) continue;
    const double seen = tail_attenuation(nu_, share[i]);
    information(nu, nu) += tails_.nu * seen * seen;
    if (learn_scale_ == LearnedScale::kNo) continue;
    information(j, nu) += tails_.scale_and_nu * seen * slope;
    information(nu, j) += tails_.scale_and_nu * seen * slope;
  }
}

}  // namespace ovf
