#include "ovf/model/linear_gaussian.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

namespace ovf {
namespace {

// mean + noise for each column.
void add_noise(const CovarianceFactor& factor, RandomStream& random, Eigen::MatrixXd& mean) {
  Eigen::MatrixXd z(mean.rows(), mean.cols());
  random.fill_normal(z);
  Eigen::MatrixXd noise(mean.rows(), mean.cols());
  factor.multiply(z, noise);
  mean += noise;
}

}  // namespace

StateSpaceModel make_linear_gaussian(const LinearGaussianSpec& spec) {
  return {spec.prior,
          std::make_unique<LinearTransition>(
              LinearConditional::Spec{"F", spec.F, spec.learn_F, "U", spec.U, spec.learn_U}),
          std::make_unique<LinearObservation>(
              LinearConditional::Spec{"G", spec.G, spec.learn_G, "V", spec.V, spec.learn_V})};
}

LinearTransition::LinearTransition(const LinearConditional::Spec& spec) : conditional_(spec) {
  if (spec.matrix.rows() != spec.matrix.cols()) {
    throw std::invalid_argument(fmt::format("matrix {} is {}x{}; expected a square matrix",
                                            spec.matrix_name, spec.matrix.rows(),
                                            spec.matrix.cols()));
  }
}

void LinearTransition::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  conditional_.set_parameters(values);
}

void LinearTransition::log_density(const StepInput& /*input*/, const Eigen::MatrixXd& from,
                                   const Eigen::MatrixXd& to, Eigen::VectorXd& out) const {
  conditional_.log_density(from, to, out);
}

void LinearTransition::gradients(const StepInput& /*input*/, const Eigen::MatrixXd& from,
                                 const Eigen::MatrixXd& to, Eigen::MatrixXd& d_from,
                                 Eigen::MatrixXd& d_to) const {
  conditional_.weighted_residual(from, to, d_to);
  d_from.noalias() = conditional_.affine().matrix.transpose() * d_to;
  d_to = -d_to;
}

void LinearTransition::scores(const StepInput& /*input*/, const Eigen::MatrixXd& from,
                              const Eigen::MatrixXd& to, Eigen::Ref<Eigen::MatrixXd> out) const {
  conditional_.scores(from, to, out);
}

void LinearTransition::sample(const StepInput& /*input*/, const Eigen::MatrixXd& from,
                              RandomStream& random, Eigen::MatrixXd& to) const {
  to = conditional_.affine().matrix * from;
  add_noise(conditional_.affine().noise, random, to);
}

void LinearTransition::linearise(const StepInput& /*input*/, const Gaussian& /*at*/,
                                 Linearisation /*method*/, AffineGaussian& out) const {
  out = conditional_.affine();
}

void LinearTransition::expected_scores(const StepInput& /*input*/, const AffineGaussian& /*line*/,
                                       const AffineVariable& from, const AffineVariable& to,
                                       int first, QuadraticFunctions& out) const {
  conditional_.expected_scores(from, to, first, out);
}

void LinearTransition::sensitivity(const StepInput& /*input*/, const Gaussian& at,
                                   Sensitivity& out) const {
  conditional_.sensitivity(at, out);
}

LinearObservation::LinearObservation(const LinearConditional::Spec& spec) : conditional_(spec) {}

void LinearObservation::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  conditional_.set_parameters(values);
}

void LinearObservation::log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                                    Eigen::VectorXd& out) const {
  conditional_.log_density(x, y.replicate(1, x.cols()), out);
}

void LinearObservation::gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                                 Eigen::MatrixXd& out) const {
  const AffineGaussian& g = conditional_.affine();
  weighted_residual_.noalias() = -g.matrix * x;
  weighted_residual_.colwise() += y;
  multiply_by_precision(g.noise, weighted_residual_);
  out.noalias() = g.matrix.transpose() * weighted_residual_;
}

void LinearObservation::scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                               Eigen::Ref<Eigen::MatrixXd> out) const {
  conditional_.scores(x, y.replicate(1, x.cols()), out);
}

void LinearObservation::sample(const Eigen::MatrixXd& x, RandomStream& random,
                               Eigen::MatrixXd& y) const {
  y = conditional_.affine().matrix * x;
  add_noise(conditional_.affine().noise, random, y);
}

void LinearObservation::linearise(const Gaussian& /*at*/, Linearisation /*method*/,
                                  AffineGaussian& out) const {
  out = conditional_.affine();
}

void LinearObservation::expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                                             ExpectedDerivatives& out) const {
  const AffineGaussian& g = conditional_.affine();
  whitened_matrix_ = g.matrix;
  g.noise.whiten(whitened_matrix_);
  residual_ = y;
  residual_.noalias() -= g.matrix * q.mean;
  g.noise.whiten(residual_);
  out.gradient.noalias() = whitened_matrix_.transpose() * residual_;
  out.curvature.noalias() = whitened_matrix_.transpose() * whitened_matrix_;
  whitened_spread_.noalias() = whitened_matrix_ * q.factor.lower();
  out.value = -0.5 * (residual_.squaredNorm() + whitened_spread_.squaredNorm()) -
              g.noise.log_determinant() - 0.5 * g.noise.dim() * kLogTwoPi;
}

void LinearObservation::expected_scores(const Eigen::VectorXd& y, const AffineVariable& at,
                                        int first, QuadraticFunctions& out) const {
  observed_.constant = y;
  observed_.by_z.setZero(y.size(), at.by_z.cols());
  observed_.by_e.setZero(y.size(), at.by_e.cols());
  conditional_.expected_scores(at, observed_, first, out);
}

void LinearObservation::sensitivity(const Gaussian& at, Sensitivity& out) const {
  conditional_.sensitivity(at, out);
}

}  // namespace ovf
