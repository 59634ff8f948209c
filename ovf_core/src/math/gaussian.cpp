#include "ovf/math/gaussian.hpp"

namespace ovf {

Gaussian standard_gaussian(int dim, CovarianceForm form) {
  return {Eigen::VectorXd::Zero(dim), CovarianceFactor(dim, form)};
}

void multiply_by_precision(const CovarianceFactor& factor, Eigen::MatrixXd& x) {
  if (!factor.is_diagonal()) {
    factor.whiten(x);
    factor.unwhiten_transposed(x);
    return;
  }
  // One division per dimension instead of two per entry.
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double deviation = factor.lower()(i, i);
    x.row(i) *= 1.0 / (deviation * deviation);
  }
}

void log_density(const Gaussian& gaussian, const Eigen::MatrixXd& x, Eigen::VectorXd& out) {
  Eigen::MatrixXd z = x.colwise() - gaussian.mean;
  gaussian.factor.whiten(z);
  out = -0.5 * z.colwise().squaredNorm().transpose();
  out.array() -= gaussian.factor.log_determinant() + 0.5 * gaussian.dim() * kLogTwoPi;
}

void log_density_gradient(const Gaussian& gaussian, const Eigen::MatrixXd& x,
                          Eigen::MatrixXd& out) {
  out = (-x).colwise() + gaussian.mean;
  multiply_by_precision(gaussian.factor, out);
}

double kl_divergence(const Gaussian& p, const Gaussian& q) {
  Eigen::MatrixXd ratio = p.factor.lower();
  q.factor.whiten(ratio);
  Eigen::VectorXd shift = p.mean - q.mean;
  q.factor.whiten(shift);
  return 0.5 * (ratio.squaredNorm() + shift.squaredNorm() - p.dim()) - p.factor.log_determinant() +
         q.factor.log_determinant();
}

Gaussian joint(const AffineGaussian& conditional, const Gaussian& input) {
  const int n_out = static_cast<int>(conditional.offset.size());
  const int n_in = input.dim();
  Gaussian result{Eigen::VectorXd(n_in + n_out),
                  CovarianceFactor(n_in + n_out, CovarianceForm::kFull)};
  // Input first: then the factor is block lower triangular without a further factorisation.
  result.mean << input.mean, conditional.matrix * input.mean + conditional.offset;
  auto& lower = result.factor.lower();
  lower.topLeftCorner(n_in, n_in) = input.factor.lower();
  lower.bottomLeftCorner(n_out, n_in) = conditional.matrix * input.factor.lower();
  lower.bottomRightCorner(n_out, n_out) = conditional.noise.lower();
  return result;
}

void Gaussian::archive(Archive& archive, int dim) {
  archive.vector("mean", mean, dim);
  archive.require_finite("mean", mean);
  factor.archive(archive, dim);
}

void AffineGaussian::archive(Archive& archive, int input_dim, int output_dim) {
  archive.matrix("matrix", matrix, output_dim, input_dim);
  archive.require_finite("matrix", matrix);
  archive.vector("offset", offset, output_dim);
  archive.require_finite("offset", offset);
  noise.archive(archive, output_dim);
}

}  // namespace ovf
