#include "ovf/vision/image_observation.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace ovf {

ImageObservation::ImageObservation(std::shared_ptr<ImageDecoder> decoder, double variance)
    : decoder_(std::move(decoder)), variance_(variance) {
  if (!decoder_) throw std::invalid_argument("image observation: no decoder is given");
  if (!(variance > 0.0) || !std::isfinite(variance)) {
    throw std::invalid_argument(
        fmt::format("image observation: a variance of {}; expected a positive number", variance));
  }
}

void ImageObservation::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
}

double ImageObservation::log_normaliser() const {
  return -0.5 * observation_dim() * std::log(2.0 * std::numbers::pi * variance_);
}

void ImageObservation::set_tangent(const Eigen::VectorXd& latent) const {
  if (tangent_at_.size() == latent.size() && tangent_at_ == latent) return;
  decoder_->jacobian(latent, pixels_, J_);
  information_.setZero(J_.cols(), J_.cols());
  information_.selfadjointView<Eigen::Lower>().rankUpdate(J_.transpose());
  information_.triangularView<Eigen::StrictlyUpper>() = information_.transpose();
  tangent_at_ = latent;
}

void ImageObservation::log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                                   Eigen::VectorXd& out) const {
  decoder_->decode(x, samples_);
  samples_.colwise() -= y;
  out = samples_.colwise().squaredNorm().transpose() * (-0.5 / variance_);
  out.array() += log_normaliser();
}

void ImageObservation::gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                                Eigen::MatrixXd& out) const {
  decoder_->decode(x, samples_);
  pixel_gradients_ = ((-samples_).colwise() + y) / variance_;
  decoder_->vector_jacobian(x, pixel_gradients_, samples_, out);
}

void ImageObservation::scores(const Eigen::VectorXd& /*y*/, const Eigen::MatrixXd& /*x*/,
                              Eigen::Ref<Eigen::MatrixXd> /*out*/) const {}

void ImageObservation::sample(const Eigen::MatrixXd& x, RandomStream& random,
                              Eigen::MatrixXd& y) const {
  decoder_->decode(x, y);
  scratch_.resize(y.rows(), y.cols());
  random.fill_normal(scratch_);
  y += std::sqrt(variance_) * scratch_;
}

void ImageObservation::linearise(const Gaussian& at, Linearisation /*method*/,
                                 AffineGaussian& out) const {
  set_tangent(at.mean);
  out.matrix = J_;
  out.offset = pixels_;
  out.offset.noalias() -= J_ * at.mean;
  if (out.noise.dim() != observation_dim() || !out.noise.is_diagonal()) {
    out.noise = CovarianceFactor(observation_dim(), CovarianceForm::kDiagonal);
  }
  out.noise.lower().diagonal().setConstant(std::sqrt(variance_));
}

void ImageObservation::expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                                            ExpectedDerivatives& out) const {
  set_tangent(q.mean);
  residual_ = y - pixels_;
  scratch_.noalias() = information_ * q.factor.lower();
  const double spread = scratch_.cwiseProduct(q.factor.lower()).sum();  // tr(J Sigma J')
  out.value = log_normaliser() - 0.5 / variance_ * (residual_.squaredNorm() + spread);
  out.gradient.noalias() = J_.transpose() * residual_;
  out.gradient /= variance_;
  out.curvature = information_ / variance_;
  out.diagonal = false;
}

// r' (v I + J P J')^-1 r with P = L L', by the matrix inversion lemma: with A = L' J'J L / v and
// b = L' J' r / v it is r'r / v - b' (I + A)^-1 b. Its determinant is v^n det(I + A).
InnovationSize ImageObservation::innovation(const Eigen::VectorXd& y, const Gaussian& prediction,
                                            Eigen::VectorXd& out) const {
  set_tangent(prediction.mean);
  out = y - pixels_;
  projected_.noalias() = J_.transpose() * out;
  residual_.noalias() = prediction.factor.lower().transpose() * projected_;
  residual_ /= variance_;
  scratch_.noalias() = information_ * prediction.factor.lower();
  whitened_.noalias() = prediction.factor.lower().transpose() * scratch_;
  whitened_ /= variance_;
  whitened_.diagonal().array() += 1.0;
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(whitened_);
  if (factor.info() != Eigen::Success) return {};
  const double explained = factor.matrixL().solve(residual_).squaredNorm();
  const double nis = out.squaredNorm() / variance_ - explained;
  const double half_log_determinant = whitened_.diagonal().array().log().sum();
  return {.nis = nis, .log_density = log_normaliser() - half_log_determinant - 0.5 * nis};
}

}  // namespace ovf
