#include "ovf/model/linear_gaussian.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "math/random_inputs.hpp"
#include "model/linear_cases.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::cubature_points;
using test::evaluate;
using test::LinearCase;
using test::RandomInputs;

constexpr double kRounding = 1e-10;
constexpr double kDifferences = 1e-7;
constexpr int kSamples = 3;

Eigen::MatrixXd column(double value) { return Eigen::MatrixXd::Constant(1, 1, value); }

class LinearTransitionCase : public ::testing::TestWithParam<LinearCase> {
 protected:
  double log_density(const LinearTransition& transition, const Eigen::VectorXd& from,
                     const Eigen::VectorXd& to) const {
    Eigen::VectorXd value;
    transition.log_density({}, from, to, value);
    return value[0];
  }
  RandomInputs inputs_{61};
  LinearConditional::Spec spec_ = test::linear_spec(GetParam(), inputs_);
  LinearTransition transition_{spec_};
  Eigen::MatrixXd from_ = inputs_.matrix(GetParam().cols, kSamples);
  Eigen::MatrixXd to_ = inputs_.matrix(GetParam().rows, kSamples);
};

TEST_P(LinearTransitionCase, HasTheNumericalGradients) {
  Eigen::MatrixXd d_from, d_to;
  transition_.gradients({}, from_, to_, d_from, d_to);
  for (int i = 0; i < kSamples; ++i) {
    const auto of_from = [&](const Eigen::VectorXd& x) {
      return log_density(transition_, x, to_.col(i));
    };
    const auto of_to = [&](const Eigen::VectorXd& x) {
      return log_density(transition_, from_.col(i), x);
    };
    EXPECT_TRUE(all_close(d_from.col(i), numerical_gradient(of_from, from_.col(i)), kDifferences));
    EXPECT_TRUE(all_close(d_to.col(i), numerical_gradient(of_to, to_.col(i)), kDifferences));
  }
}

TEST_P(LinearTransitionCase, HasTheNumericalScores) {
  const Eigen::VectorXd theta = transition_.parameters().values();
  if (theta.size() == 0) return;
  Eigen::MatrixXd scores(theta.size(), kSamples);
  transition_.scores({}, from_, to_, scores);
  for (int i = 0; i < kSamples; ++i) {
    const auto of_theta = [&](const Eigen::VectorXd& values) {
      LinearTransition moved = transition_;
      moved.set_parameters(values);
      return log_density(moved, from_.col(i), to_.col(i));
    };
    EXPECT_TRUE(all_close(scores.col(i), numerical_gradient(of_theta, theta), kDifferences));
  }
}

TEST_P(LinearTransitionCase, LinearisesToItself) {
  AffineGaussian affine;
  transition_.linearise({}, standard_gaussian(GetParam().cols, CovarianceForm::kFull),
                        Linearisation::kTangent, affine);
  EXPECT_EQ(affine.matrix, spec_.matrix);
  EXPECT_TRUE(all_close(affine.noise.covariance(), spec_.noise_covariance, kRounding));
  EXPECT_EQ(transition_.state_dim(), GetParam().rows);
  EXPECT_TRUE(transition_.has_closed_form_scores());
}

INSTANTIATE_TEST_SUITE_P(, LinearTransitionCase, ::testing::ValuesIn(test::linear_cases({{3, 3}})),
                         [](const auto& tested) { return test::case_name(tested.param); });

class LinearObservationCase : public ::testing::TestWithParam<LinearCase> {
 protected:
  double log_density(const LinearObservation& observation, const Eigen::VectorXd& x) const {
    Eigen::VectorXd value;
    observation.log_density(y_, x, value);
    return value[0];
  }
  RandomInputs inputs_{62};
  LinearConditional::Spec spec_ = test::linear_spec(GetParam(), inputs_);
  LinearObservation observation_{spec_};
  Eigen::VectorXd y_ = inputs_.vector(GetParam().rows);
  Eigen::MatrixXd x_ = inputs_.matrix(GetParam().cols, kSamples);
};

TEST_P(LinearObservationCase, HasTheGaussianLogDensity) {
  const auto factor =
      CovarianceFactor::from_covariance(spec_.noise_covariance, CovarianceForm::kFull);
  for (int i = 0; i < kSamples; ++i) {
    Eigen::VectorXd expected;
    ovf::log_density({spec_.matrix * x_.col(i), factor}, y_, expected);
    EXPECT_NEAR(log_density(observation_, x_.col(i)), expected[0], kRounding);
  }
  EXPECT_EQ(observation_.state_dim(), GetParam().cols);
  EXPECT_EQ(observation_.observation_dim(), GetParam().rows);
}

TEST_P(LinearObservationCase, HasTheNumericalGradient) {
  Eigen::MatrixXd gradient;
  observation_.gradient(y_, x_, gradient);
  for (int i = 0; i < kSamples; ++i) {
    const auto of_x = [&](const Eigen::VectorXd& x) { return log_density(observation_, x); };
    EXPECT_TRUE(all_close(gradient.col(i), numerical_gradient(of_x, x_.col(i)), kDifferences));
  }
}

TEST_P(LinearObservationCase, HasTheNumericalScores) {
  const Eigen::VectorXd theta = observation_.parameters().values();
  if (theta.size() == 0) return;
  Eigen::MatrixXd scores(theta.size(), kSamples);
  observation_.scores(y_, x_, scores);
  for (int i = 0; i < kSamples; ++i) {
    const auto of_theta = [&](const Eigen::VectorXd& values) {
      LinearObservation moved = observation_;
      moved.set_parameters(values);
      return log_density(moved, x_.col(i));
    };
    EXPECT_TRUE(all_close(scores.col(i), numerical_gradient(of_theta, theta), kDifferences));
  }
}

TEST_P(LinearObservationCase, ExpectsTheDerivativesThatCubatureFinds) {
  // log g is quadratic, for which the cubature of the base class is exact.
  for (const auto form : {CovarianceForm::kDiagonal, CovarianceForm::kFull}) {
    const Gaussian q = inputs_.gaussian(GetParam().cols, form);
    ExpectedDerivatives closed, cubature;
    observation_.expected_derivatives(y_, q, closed);
    observation_.Observation::expected_derivatives(y_, q, cubature);
    EXPECT_NEAR(closed.value, cubature.value, kRounding * std::abs(cubature.value));
    EXPECT_TRUE(all_close(closed.gradient, cubature.gradient, kRounding));
    EXPECT_TRUE(all_close(closed.curvature, cubature.curvature, kRounding));
    const Eigen::MatrixXd information =
        spec_.matrix.transpose() * spec_.noise_covariance.inverse() * spec_.matrix;
    EXPECT_TRUE(all_close(closed.curvature, information, kRounding));
  }
}

TEST_P(LinearObservationCase, ExpectsTheScoresOfTheObservedState) {
  const int count = observation_.parameters().size();
  for (const int dim_e : {0, 2}) {
    const AffineVariable at = inputs_.affine(GetParam().cols, 3, dim_e);
    QuadraticFunctions functions(3, count + 1);
    observation_.expected_scores(y_, at, 1, functions);
    const Eigen::MatrixXd e = dim_e == 0 ? Eigen::MatrixXd(0, 1) : cubature_points(dim_e);
    const Eigen::MatrixXd z = inputs_.matrix(3, 15);
    const Eigen::MatrixXd values = functions.values(z);
    for (int i = 0; i < z.cols(); ++i) {
      const Eigen::MatrixXd states = evaluate(at, z.col(i), e);
      Eigen::MatrixXd scores(count, states.cols());
      observation_.scores(y_, states, scores);
      EXPECT_TRUE(all_close(values.col(i).tail(count), scores.rowwise().mean(), 1e-9));
      EXPECT_EQ(values(0, i), 0.0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, LinearObservationCase,
                         ::testing::ValuesIn(test::linear_cases({{3, 3}, {2, 3}})),
                         [](const auto& tested) { return test::case_name(tested.param); });

TEST(LinearObservation, ExpectsTheDerivativesComputedByHand) {
  // y = 3 x + noise of variance 0.25, q = N(1, 0.04), y = 4: residual 1, spread 9 * 0.04.
  const LinearObservation observation(
      {"G", column(3.0), Learned::kNo, "V", column(0.25), Learned::kNo});
  const Gaussian q{Eigen::VectorXd::Ones(1), CovarianceFactor(1, CovarianceForm::kFull, 0.2)};
  ExpectedDerivatives out;
  observation.expected_derivatives(Eigen::VectorXd::Constant(1, 4.0), q, out);
  EXPECT_NEAR(out.gradient[0], 12.0, 1e-12);
  EXPECT_NEAR(out.curvature(0, 0), 36.0, 1e-12);
  EXPECT_NEAR(out.value, -2.0 * (1.0 + 0.36) - std::log(0.5) - 0.9189385332046727, 1e-12);
}

TEST(LinearObservation, SamplesItsOwnConditional) {
  RandomInputs inputs(63);
  const auto spec = test::linear_spec({2, 3, Learned::kNo, Learned::kNo}, inputs);
  const Eigen::VectorXd x = inputs.vector(3);
  constexpr int kDraws = 40'000;
  RandomStream random(64);
  Eigen::MatrixXd y;
  LinearObservation(spec).sample(x.replicate(1, kDraws), random, y);
  const Eigen::VectorXd mean = y.rowwise().mean();
  const Eigen::MatrixXd centred = y.colwise() - mean;
  // Five standard errors of means and covariances of entries with variances below 2.
  const double tolerance = 5.0 * 2.0 * std::sqrt(2.0 / kDraws);
  EXPECT_TRUE(all_close(mean, spec.matrix * x, tolerance));
  EXPECT_TRUE(all_close(centred * centred.transpose() / kDraws, spec.noise_covariance, tolerance));
}

}  // namespace
}  // namespace ovf
