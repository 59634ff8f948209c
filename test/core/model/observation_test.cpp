#include "ovf/model/observation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

// y = exp(x_0 / 2) + sin(x_1) + noise of standard deviation 0.5.
class WavyObservation : public Observation {
 public:
  int state_dim() const override { return 2; }
  int observation_dim() const override { return 1; }
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>&) override {}
  void log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                   Eigen::VectorXd& out) const override {
    out = -2.0 * (y[0] - mean(x)).square().matrix().transpose();
    out.array() -= 0.5 * kLogTwoPi + std::log(0.5);
  }
  void gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                Eigen::MatrixXd& out) const override {
    const Eigen::RowVectorXd pull = 4.0 * (y[0] - mean(x)).matrix();
    out.resize(2, x.cols());
    out.row(0) = pull.array() * 0.5 * (0.5 * x.row(0).array()).exp();
    out.row(1) = pull.array() * x.row(1).array().cos();
  }
  void scores(const Eigen::VectorXd&, const Eigen::MatrixXd&,
              Eigen::Ref<Eigen::MatrixXd>) const override {}
  void sample(const Eigen::MatrixXd&, RandomStream&, Eigen::MatrixXd&) const override {}
  void linearise(const Gaussian&, Linearisation, AffineGaussian&) const override {}

 private:
  static Eigen::Array<double, 1, Eigen::Dynamic> mean(const Eigen::MatrixXd& x) {
    return (0.5 * x.row(0).array()).exp() + x.row(1).array().sin();
  }
  ParameterVector parameters_;
};

const Eigen::VectorXd kY = Eigen::VectorXd::Constant(1, 1.4);

Gaussian wide(double scale) {
  Gaussian q{Eigen::Vector2d(0.3, -0.7), CovarianceFactor(2, CovarianceForm::kFull)};
  q.factor.lower() << 0.8, 0.0, -0.3, 0.6;
  q.factor.lower() *= scale;
  return q;
}

// E_q of log g and its gradient on a grid of 8 deviations each way: for smooth integrands the
// trapezoidal rule converges faster than any power, here to rounding. The curvature is minus the
// derivative of the expected gradient with respect to the mean of q.
ExpectedDerivatives dense_quadrature(const WavyObservation& g, const Gaussian& q) {
  constexpr int kSide = 161;
  constexpr double kStep = 0.1;
  Eigen::MatrixXd z(2, kSide * kSide);
  for (int i = 0; i < kSide * kSide; ++i) {
    z.col(i) << kStep * (i / kSide - kSide / 2), kStep * (i % kSide - kSide / 2);
  }
  const Eigen::VectorXd weights = (-0.5 * z.colwise().squaredNorm().array()).exp().transpose() *
                                  (kStep * kStep / std::exp(kLogTwoPi));
  const Eigen::MatrixXd spread = q.factor.lower() * z;
  ExpectedDerivatives out;
  Eigen::VectorXd values;
  g.log_density(kY, spread.colwise() + q.mean, values);
  out.value = weights.dot(values);
  const auto gradient_at = [&](const Eigen::VectorXd& mean) -> Eigen::VectorXd {
    Eigen::MatrixXd gradients;
    g.gradient(kY, spread.colwise() + mean, gradients);
    return gradients * weights;
  };
  out.gradient = gradient_at(q.mean);
  out.curvature = -numerical_jacobian(gradient_at, q.mean);
  return out;
}

struct Errors {
  double value, gradient, curvature;
};
Errors cubature_errors(double scale) {
  const WavyObservation g;
  ExpectedDerivatives cubature;
  g.expected_derivatives(kY, wide(scale), cubature);
  const ExpectedDerivatives dense = dense_quadrature(g, wide(scale));
  return {std::abs(cubature.value - dense.value), (cubature.gradient - dense.gradient).norm(),
          (cubature.curvature - dense.curvature).norm()};
}

TEST(NonlinearObservation, ExpectsTheDerivativesOfDenseQuadrature) {
  // Deviations of 0.08 and 0.07: fourth-order errors below 1e-4, second-order ones below 5e-2.
  const Errors errors = cubature_errors(0.1);
  EXPECT_LT(errors.value, 1e-4);
  EXPECT_LT(errors.gradient, 1e-3);
  EXPECT_LT(errors.curvature, 5e-2);
}

TEST(NonlinearObservation, ConvergesWithTheOrderOfTheCubature) {
  // Exact to the third order in z: value and gradient miss by O(scale^4). The curvature is
  // E[grad z'] / L, exact to the second order in the gradient, and misses by O(scale^2).
  const Errors coarse = cubature_errors(0.1), fine = cubature_errors(0.05);
  EXPECT_NEAR(coarse.value / fine.value, 16.0, 1.0);
  EXPECT_NEAR(coarse.gradient / fine.gradient, 16.0, 1.0);
  EXPECT_NEAR(coarse.curvature / fine.curvature, 4.0, 0.2);
}

TEST(NonlinearObservation, HasASymmetricExpectedCurvature) {
  ExpectedDerivatives out;
  WavyObservation().expected_derivatives(kY, wide(0.7), out);
  EXPECT_EQ(out.curvature, out.curvature.transpose());
  EXPECT_FALSE(WavyObservation().is_conjugate());
}

TEST(NonlinearObservation, RefusesScoresInClosedForm) {
  const WavyObservation g;
  EXPECT_FALSE(g.has_closed_form_scores());
  RandomInputs inputs(1);
  QuadraticFunctions functions(2, 1);
  Sensitivity sensitivity;
  EXPECT_THROW(g.expected_scores(kY, inputs.affine(2, 2, 0), 0, functions), std::logic_error);
  EXPECT_THROW(g.sensitivity(wide(1.0), sensitivity), std::logic_error);
}

}  // namespace
}  // namespace ovf
