// E_q[log g] and its derivatives of g itself.
#include "ovf/model/observation_quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "ovf/model/function_mean.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_observation.hpp"

namespace ovf {
namespace {

using Eigen::VectorXd;

// A range to the origin, in the plane of the first two of four states.
NonlinearObservation range() {
  auto mean = std::make_unique<FunctionMean>(FunctionMean::Spec{
      .input_dim = 4,
      .output_dim = 1,
      .value = [](const VectorXd& x, const VectorXd&, const StepInput&) -> VectorXd {
        return VectorXd::Constant(1, std::hypot(x[0], x[1]));
      }});
  return {std::move(mean),
          ObservationNoise(
              {.kind = NoiseKind::kStudentT, .scales = VectorXd::Constant(1, 0.3), .nu = 3.0})};
}

Gaussian wide() {
  Gaussian q = standard_gaussian(4, CovarianceForm::kFull);
  q.mean << 0.6, -0.4, 2.0, 1.0;
  q.factor.lower() << 0.8, 0, 0, 0, 0.2, 0.7, 0, 0, 0.3, 0.1, 1, 0, 0, 0.4, 0, 0.5;
  return q;
}

TEST(ObservationQuadrature, AgreesWithManyDraws) {
  const NonlinearObservation g = range();
  const Gaussian q = wide();
  const VectorXd y = VectorXd::Constant(1, 1.5);
  ExpectedDerivatives out;
  ObservationQuadrature().derivatives(g, y, q, out);

  constexpr int kDraws = 400000;
  RandomStream random(3);
  Eigen::MatrixXd z(4, kDraws);
  random.fill_normal_antithetic(z);
  const Eigen::MatrixXd x = (q.factor.lower() * z).colwise() + q.mean;
  VectorXd values;
  Eigen::MatrixXd gradients;
  g.log_density(y, x, values);
  g.gradient(y, x, gradients);
  EXPECT_NEAR(out.value, values.mean(), 0.01);
  // The range has a corner at the origin.
  EXPECT_LT((out.gradient - gradients.rowwise().mean()).norm(), 0.1);
  // Stein: E[hess] = E[grad z'] L^-1.
  Eigen::MatrixXd transposed = z * gradients.transpose() / kDraws;
  q.factor.unwhiten_transposed(transposed);
  EXPECT_LT((out.curvature + transposed).norm(), 0.1);
}

TEST(ObservationQuadrature, IsExactForALinearGaussianObservation) {
  Eigen::MatrixXd A(2, 4);
  A << 1, 2, 0, -1, 0, 0.5, 1, 0;
  NonlinearObservation g(
      std::make_unique<LinearMean>(LinearMean::Spec{.A = A, .b = {}}),
      ObservationNoise({.kind = NoiseKind::kGaussian, .scales = Eigen::Vector2d(0.5, 2.0)}));
  const VectorXd y = Eigen::Vector2d(1.0, -2.0);
  ExpectedDerivatives exact;
  ExpectedDerivatives out;
  g.expected_derivatives(y, wide(), exact);
  ObservationQuadrature().derivatives(g, y, wide(), out);
  EXPECT_NEAR(out.value, exact.value, 1e-9);
  EXPECT_LT((out.gradient - exact.gradient).norm(), 1e-9);
  EXPECT_LT((out.curvature - exact.curvature).norm(), 1e-9);
}

TEST(NonlinearObservation, TakesTheLineOnlyWhereItIsAsGood) {
  const NonlinearObservation g = range();
  const VectorXd y = VectorXd::Constant(1, 5.0);
  Gaussian q = wide();
  q.mean.head<2>() << 4.0, 3.0;
  ExpectedDerivatives out;
  g.expected_derivatives(y, q, out);
  EXPECT_GT(out.line_error, 0.01);
  q.factor.lower() *= 0.05;
  g.expected_derivatives(y, q, out);
  EXPECT_EQ(out.line_error, 0.0);
  ExpectedDerivatives itself;
  ObservationQuadrature().derivatives(g, y, q, itself);
  EXPECT_NEAR(out.value, itself.value, 0.005);
}

TEST(NonlinearObservation, UsesTheControlOfTheStep) {
  auto mean = std::make_unique<FunctionMean>(FunctionMean::Spec{
      .input_dim = 1,
      .output_dim = 1,
      .value = [](const VectorXd& x, const VectorXd&, const StepInput& input) -> VectorXd {
        return x + input.control;
      }});
  const NonlinearObservation g(std::move(mean), ObservationNoise({.scales = VectorXd::Ones(1)}));
  StepInput input;
  input.control = VectorXd::Constant(1, 3.0);
  g.bind(input);
  Eigen::MatrixXd x(1, 2);
  x << 0.0, 2.0;
  VectorXd out;
  g.log_density(VectorXd::Constant(1, 5.0), x, out);
  EXPECT_NEAR(out[1] - out[0], 2.0, 1e-12);  // residuals 2 and 0
}

}  // namespace
}  // namespace ovf
