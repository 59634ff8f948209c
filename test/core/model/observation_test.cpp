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
Errors quadrature_errors(double scale) {
  const WavyObservation g;
  ExpectedDerivatives fast;
  g.expected_derivatives(kY, wide(scale), fast);
  const ExpectedDerivatives dense = dense_quadrature(g, wide(scale));
  return {std::abs(fast.value - dense.value), (fast.gradient - dense.gradient).norm(),
          (fast.curvature - dense.curvature).norm()};
}

TEST(NonlinearObservation, ExpectsTheDerivativesOfDenseQuadrature) {
  for (const double scale : {0.1, 0.5, 1.0}) {
    const Errors errors = quadrature_errors(scale);
    EXPECT_LT(errors.value, 1e-6) << scale;
    EXPECT_LT(errors.gradient, 1e-5) << scale;
    EXPECT_LT(errors.curvature, 1e-4) << scale;
  }
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
