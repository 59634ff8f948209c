#include "ovf/posterior/affine_kernel.hpp"

#include "ovf/posterior/factor_parameters.hpp"

namespace ovf {

void BackwardKernel::sample(const Eigen::MatrixXd& x, const Eigen::MatrixXd& noise_draws,
                            Eigen::MatrixXd& out) const {
  Eigen::MatrixXd spread(noise_draws.rows(), noise_draws.cols());
  noise().multiply(noise_draws, spread);
  mean(x, out);
  out += spread;
}

AffineKernel::AffineKernel(int dim, CovarianceForm matrix_form, CovarianceForm noise_form)
    : matrix_form_(matrix_form),
      gaussian_{Eigen::MatrixXd::Zero(dim, dim), Eigen::VectorXd::Zero(dim),
                CovarianceFactor(dim, noise_form)},
      centre_(Eigen::VectorXd::Zero(dim)) {}

void AffineKernel::assign(const AffineGaussian& conditional) {
  if (diagonal_matrix()) {
    gaussian_.matrix.diagonal() = conditional.matrix.diagonal();
  } else {
    gaussian_.matrix = conditional.matrix;
  }
  gaussian_.offset = conditional.offset;
  gaussian_.noise = conditional.noise;
}

void AffineKernel::mean(const Eigen::MatrixXd& x, Eigen::MatrixXd& out) const {
  if (diagonal_matrix()) {
    out = gaussian_.matrix.diagonal().asDiagonal() * x;
  } else {
    out.noalias() = gaussian_.matrix * x;
  }
  out.colwise() += gaussian_.offset;
}

void AffineKernel::pull_back(const Eigen::MatrixXd& /*x*/, const Eigen::MatrixXd& cotangent,
                             Eigen::MatrixXd& out) const {
  if (diagonal_matrix()) {
    out = gaussian_.matrix.diagonal().asDiagonal() * cotangent;
  } else {
    out.noalias() = gaussian_.matrix.transpose() * cotangent;
  }
}

int AffineKernel::matrix_parameter_count() const {
  const int d = gaussian_.noise.dim();
  return diagonal_matrix() ? d : d * d;
}

int AffineKernel::parameter_count() const {
  const int d = gaussian_.noise.dim();
  return matrix_parameter_count() + d + factor_parameter_count(d, gaussian_.noise.form());
}

void AffineKernel::read_parameters(Eigen::Ref<Eigen::VectorXd> parameters) const {
  const int n = matrix_parameter_count();
  const int d = gaussian_.noise.dim();
  if (diagonal_matrix()) {
    parameters.head(n) = gaussian_.matrix.diagonal();
  } else {
    parameters.head(n) = gaussian_.matrix.reshaped();
  }
  parameters.segment(n, d) = gaussian_.offset + gaussian_.matrix * centre_;
  read_factor(gaussian_.noise, parameters.tail(parameters.size() - n - d));
}

void AffineKernel::write_parameters(const Eigen::Ref<const Eigen::VectorXd>& parameters) {
  const int n = matrix_parameter_count();
  const int d = gaussian_.noise.dim();
  if (diagonal_matrix()) {
    gaussian_.matrix.diagonal() = parameters.head(n);
  } else {
    gaussian_.matrix.reshaped() = parameters.head(n);
  }
  gaussian_.offset = parameters.segment(n, d) - gaussian_.matrix * centre_;
  write_factor(parameters.tail(parameters.size() - n - d), gaussian_.noise);
}

void AffineKernel::parameter_gradient(const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                                      const Eigen::MatrixXd& noise_draws,
                                      Eigen::Ref<Eigen::VectorXd> gradient) const {
  const int n = matrix_parameter_count();
  const int d = gaussian_.noise.dim();
  const double weight = 1.0 / static_cast<double>(x.cols());
  if (diagonal_matrix()) {
    gradient.head(n) =
        weight * (cotangent.array() * (x.array().colwise() - centre_.array())).rowwise().sum();
  } else {
    Eigen::Map<Eigen::MatrixXd>(gradient.data(), d, d).noalias() =
        weight * cotangent * (x.colwise() - centre_).transpose();
  }
  gradient.segment(n, d) = cotangent.rowwise().mean();
  factor_gradient(gaussian_.noise, cotangent, noise_draws, gradient.tail(gradient.size() - n - d));
}

void AffineKernel::add_entropy_gradient(Eigen::Ref<Eigen::VectorXd> gradient) const {
  const int d = gaussian_.noise.dim();
  gradient.segment(matrix_parameter_count() + d, d).array() += 1.0;
}

std::unique_ptr<BackwardKernel> AffineKernel::clone() const {
  return std::make_unique<AffineKernel>(*this);
}

void AffineKernel::archive(Archive& archive) {
  const int d = static_cast<int>(centre_.size());
  gaussian_.archive(archive, d, d);
  archive.require(!diagonal_matrix() || gaussian_.matrix.isDiagonal(0.0), "kernel matrix",
                  "a diagonal matrix");
  archive.vector("kernel centre", centre_, d);
  archive.require_finite("kernel centre", centre_);
}

}  // namespace ovf
