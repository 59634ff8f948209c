#include "ovf/model/mean_function.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/mean_checks.hpp"
#include "ovf/model/function_mean.hpp"
#include "ovf/model/mean_lineariser.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

// Quadratic in two dimensions: m = (theta x_0^2 + x_0 x_1, x_1 + 3).
FunctionMean quadratic() {
  FunctionMean::Spec spec;
  spec.input_dim = 2;
  spec.output_dim = 2;
  spec.value = [](const Eigen::VectorXd& x, const Eigen::VectorXd& theta,
                  const StepInput&) -> Eigen::VectorXd {
    return Eigen::Vector2d(theta[0] * x[0] * x[0] + x[0] * x[1], x[1] + 3.0);
  };
  spec.parameters.add({.name = "theta"}, 0.6);
  return FunctionMean(spec);
}

Gaussian belief() {
  RandomInputs inputs(41);
  return inputs.gaussian(2, CovarianceForm::kFull);
}

TEST(MeanFunction, ExpectsAQuadraticExactly) {
  const Gaussian x = belief();
  const Eigen::MatrixXd covariance = x.covariance();
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  quadratic().expectation({}, x, value, slope);
  Eigen::Vector2d exact(
      0.6 * (x.mean[0] * x.mean[0] + covariance(0, 0)) + x.mean[0] * x.mean[1] + covariance(0, 1),
      x.mean[1] + 3.0);
  Eigen::Matrix2d exact_slope;
  exact_slope << 1.2 * x.mean[0] + x.mean[1], x.mean[0], 0.0, 1.0;
  EXPECT_TRUE(all_close(value, exact, 1e-12));
  EXPECT_TRUE(all_close(slope, exact_slope, 1e-12));
}

TEST(MeanFunction, HasTheParameterExpectationThatItsExpectationImplies) {
  FunctionMean mean = quadratic();
  test::expect_consistent_parameter_expectation(mean, {}, belief());
}

AffineGaussian linearised(const MeanFunction& mean, const Gaussian& at, Linearisation method,
                          const CovarianceFactor& noise) {
  AffineGaussian out;
  MeanLineariser().linearise(mean, {}, at, method, noise, out);
  return out;
}

TEST(MeanLineariser, TakesValueAndJacobianOfTheTangent) {
  const Gaussian x = belief();
  RandomInputs inputs(42);
  const CovarianceFactor noise = inputs.factor(2, CovarianceForm::kFull);
  const FunctionMean mean = quadratic();
  const AffineGaussian line = linearised(mean, x, Linearisation::kTangent, noise);
  Eigen::MatrixXd value, slope;
  mean.values({}, x.mean, value);
  mean.jacobian({}, x.mean, slope);
  EXPECT_TRUE(all_close(line.matrix * x.mean + line.offset, value, 1e-12));
  EXPECT_EQ(line.matrix, slope);
  EXPECT_EQ(line.noise.lower(), noise.lower());
}

TEST(MeanLineariser, HasTheExpectedValueAndSlope) {
  const Gaussian x = belief();
  const CovarianceFactor noise(2, CovarianceForm::kDiagonal, 0.3);
  const AffineGaussian line = linearised(quadratic(), x, Linearisation::kExpected, noise);
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  quadratic().expectation({}, x, value, slope);
  EXPECT_TRUE(all_close(line.matrix * x.mean + line.offset, value, 1e-12));
  EXPECT_EQ(line.matrix, slope);
  EXPECT_EQ(line.noise.lower(), noise.lower());
}

TEST(MeanLineariser, AddsTheErrorOfTheLineToTheNoise) {
  // x^2 of x ~ N(m, s^2): the line's error is s^2 (z^2 - 1), of variance 2 s^4.
  FunctionMean::Spec spec;
  spec.input_dim = 1;
  spec.output_dim = 1;
  spec.value = [](const Eigen::VectorXd& x, const Eigen::VectorXd&,
                  const StepInput&) -> Eigen::VectorXd { return x.array().square(); };
  const Gaussian x{Eigen::VectorXd::Constant(1, 0.8),
                   CovarianceFactor(1, CovarianceForm::kDiagonal, 0.5)};
  const CovarianceFactor noise(1, CovarianceForm::kDiagonal, 0.1);
  const AffineGaussian line = linearised(FunctionMean(spec), x, Linearisation::kMoments, noise);
  EXPECT_NEAR(line.noise.covariance()(0, 0), 0.01 + 2.0 * std::pow(0.5, 4), 1e-12);
  EXPECT_NEAR(line.matrix(0, 0), 1.6, 1e-12);
}

}  // namespace
}  // namespace ovf
