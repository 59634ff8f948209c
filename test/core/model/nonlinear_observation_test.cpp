#include "ovf/model/nonlinear_observation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/model/chaotic_rnn.hpp"
#include "ovf/model/linear_gaussian.hpp"
#include "ovf/model/linear_mean.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kDim = 3;
const Eigen::Vector2d kScales(0.4, 1.3);

ObservationNoise noise_of(NoiseKind kind, LearnedScale learned = LearnedScale::kEach) {
  return ObservationNoise({.kind = kind,
                           .scales = kScales,
                           .nu = 2.5,
                           .learn_scale = learned,
                           .learn_nu = kind == NoiseKind::kStudentT});
}

LinearMean::Spec linear_spec() {
  RandomInputs inputs(71);
  return {inputs.matrix(2, kDim), inputs.vector(2), Learned::kFull, true};
}

NonlinearObservation linear_mean_observation(NoiseKind kind) {
  return {std::make_unique<LinearMean>(linear_spec()), noise_of(kind)};
}

class ObservationKind : public ::testing::TestWithParam<NoiseKind> {
 protected:
  RandomInputs inputs_{72};
};

void expect_numerical_derivatives(NonlinearObservation& g, RandomInputs& inputs) {
  const Eigen::MatrixXd x = inputs.matrix(g.state_dim(), 4);
  const Eigen::VectorXd y = inputs.vector(g.observation_dim());
  Eigen::MatrixXd gradient, scores(g.parameters().size(), 4);
  g.gradient(y, x, gradient);
  g.scores(y, x, scores);
  const auto value = [&](const Eigen::VectorXd& state) {
    Eigen::VectorXd out;
    g.log_density(y, state, out);
    return out[0];
  };
  const Eigen::VectorXd theta = g.parameters().values();
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(all_close(gradient.col(i), numerical_gradient(value, x.col(i)), 1e-7));
    const Eigen::VectorXd numerical = numerical_gradient(
        [&](const Eigen::VectorXd& moved) {
          g.set_parameters(moved);
          return value(x.col(i));
        },
        theta);
    g.set_parameters(theta);
    EXPECT_TRUE(all_close(scores.col(i), numerical, 1e-6));
  }
}

TEST_P(ObservationKind, HasTheNumericalGradientsAndScores) {
  NonlinearObservation linear = linear_mean_observation(GetParam());
  expect_numerical_derivatives(linear, inputs_);
  NonlinearObservation curved(
      std::make_unique<ChaoticRnn>(ChaoticRnn::Spec{
          .W = inputs_.matrix(2, 2), .delta = 0.5, .tau = 1.0, .learn_W = true, .learn_tau = true}),
      noise_of(GetParam()));
  expect_numerical_derivatives(curved, inputs_);
}

// E_q of log g and its gradient over a grid of residuals: with a linear mean each residual is a
// one-dimensional Gaussian. The curvature is minus the derivative of the gradient by the mean of q.
TEST_P(ObservationKind, ExpectsTheDerivativesOfBruteForceWithALinearMean) {
  const NonlinearObservation g = linear_mean_observation(GetParam());
  const LinearMean::Spec spec = linear_spec();
  const Gaussian q = inputs_.gaussian(kDim, CovarianceForm::kFull);
  const Eigen::VectorXd y = inputs_.vector(2);
  const Eigen::VectorXd spread = (spec.A * q.factor.lower()).rowwise().norm();
  constexpr int kSteps = 2000;
  const auto brute_force = [&](const Eigen::VectorXd& mean, double& value) -> Eigen::VectorXd {
    const Eigen::VectorXd residual = y - spec.A * mean - spec.b;
    double weights = 0.0;
    value = 0.0;
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(kDim);
    for (int k = 0; k <= kSteps; ++k) {
      const double z = -9.0 + 18.0 * k / kSteps;
      const double weight = std::exp(-0.5 * z * z);
      weights += weight;
      const Eigen::VectorXd e = residual + spread * z;
      Eigen::VectorXd log_density;
      Eigen::MatrixXd slope;
      g.noise().log_density(e, log_density);
      g.noise().slope(e, slope);
      value += weight * log_density[0];
      gradient -= weight * spec.A.transpose() * slope;
    }
    value /= weights;
    return gradient / weights;
  };
  double value = 0.0, ignored = 0.0;
  const Eigen::VectorXd gradient = brute_force(q.mean, value);
  const Eigen::MatrixXd curvature = -numerical_jacobian(
      [&](const Eigen::VectorXd& mean) { return brute_force(mean, ignored); }, q.mean, 1e-4);
  ExpectedDerivatives out;
  g.expected_derivatives(y, q, out);
  // The quadrature of a Student-t misses by up to 1e-4, times the squared slope.
  EXPECT_NEAR(out.value, value, 1e-3);
  EXPECT_TRUE(all_close(out.gradient, gradient, 1e-3));
  EXPECT_TRUE(all_close(out.curvature, curvature, 5e-3));
}

TEST_P(ObservationKind, ExpectsTheSameWithAUnitSlopeAsWithADenseOne) {
  const Gaussian q = inputs_.gaussian(2, CovarianceForm::kFull);
  const Eigen::VectorXd y = inputs_.vector(2);
  const NonlinearObservation unit(std::make_unique<LinearMean>(LinearMean::identity(2)),
                                  noise_of(GetParam()));
  const NonlinearObservation dense(
      std::make_unique<LinearMean>(LinearMean::Spec{
          .A = Eigen::MatrixXd::Identity(2, 2), .b = {}, .learn_A = Learned::kFull}),
      noise_of(GetParam()));
  ASSERT_FALSE(dense.mean().has_unit_slope());
  ExpectedDerivatives a, b;
  unit.expected_derivatives(y, q, a);
  dense.expected_derivatives(y, q, b);
  EXPECT_NEAR(a.value, b.value, 1e-12);
  EXPECT_TRUE(all_close(a.gradient, b.gradient, 1e-12));
  EXPECT_TRUE(all_close(a.curvature, b.curvature, 1e-12));
}

TEST_P(ObservationKind, IsASumOverCoordinatesWithAUnitSlope) {
  const NonlinearObservation g(std::make_unique<LinearMean>(LinearMean::Spec{
                                   .A = Eigen::MatrixXd::Identity(2, 2), .b = inputs_.vector(2)}),
                               noise_of(GetParam()));
  ASSERT_TRUE(g.is_separable());
  EXPECT_FALSE(linear_mean_observation(GetParam()).is_separable());
  const Eigen::VectorXd y = inputs_.vector(2);
  const Eigen::MatrixXd x = inputs_.matrix(2, 5);
  Eigen::VectorXd both;
  g.log_density(y, x, both);
  Eigen::ArrayXd first(5), second(5);
  g.coordinate_log_density(y, 0, x.row(0).transpose().array(), first);
  g.coordinate_log_density(y, 1, x.row(1).transpose().array(), second);
  EXPECT_TRUE(all_close(first + second, both, 1e-13));
}

TEST_P(ObservationKind, ExpectsTheScoresOfSamples) {
  const NonlinearObservation g = linear_mean_observation(GetParam());
  const int count = g.parameters().size();
  AffineVariable at = inputs_.affine(kDim, kDim, 2);
  at.by_z *= 0.3;
  at.by_e *= 0.3;
  const Eigen::VectorXd y = inputs_.vector(2);
  QuadraticFunctions out(kDim, count + 2);
  g.expected_scores(y, at, 1, out);
  constexpr int kSamples = 200'000;
  RandomStream random(73);
  Eigen::MatrixXd z(kDim, kSamples), e(2, kSamples), scores(count, kSamples);
  random.fill_normal_antithetic(z);
  random.fill_normal_antithetic(e);
  const Eigen::MatrixXd x = (at.by_z * z + at.by_e * e).colwise() + at.constant;
  g.scores(y, x, scores);
  const Eigen::VectorXd mean = scores.rowwise().mean();
  const Eigen::MatrixXd centred = scores.colwise() - mean;
  const Eigen::VectorXd deviation = centred.rowwise().norm() / std::sqrt(double(kSamples));
  // Five standard errors. The linear part of a mean's score is exact for Gaussian noise only: phi'
  // is taken to first order, which a Student-t misses by some percent.
  const double sampling = 5.0 / std::sqrt(static_cast<double>(kSamples));
  const bool exact = GetParam() == NoiseKind::kGaussian;
  const Eigen::MatrixXd linear = centred * z.transpose() / kSamples;
  const int mean_count = g.mean().parameters().size();
  for (int j = 0; j < count; ++j) {
    EXPECT_NEAR(out.constant()[1 + j], mean[j], sampling * deviation[j])
        << g.parameters().info(j).name;
    const double allowed = (3.0 * sampling + (exact || j >= mean_count ? 0.0 : 0.1)) * deviation[j];
    EXPECT_LT((out.linear().col(1 + j) - linear.row(j).transpose()).cwiseAbs().maxCoeff(), allowed)
        << g.parameters().info(j).name;
  }
  EXPECT_EQ(out.constant()[0], 0.0);
  EXPECT_EQ(out.constant()[count + 1], 0.0);
}

INSTANTIATE_TEST_SUITE_P(, ObservationKind,
                         ::testing::Values(NoiseKind::kGaussian, NoiseKind::kStudentT));

// The same linear-Gaussian model built both ways; LinearObservation's parameters are variances.
TEST(NonlinearObservationModel, AgreesWithLinearObservation) {
  RandomInputs inputs(74);
  const Eigen::MatrixXd G = inputs.matrix(2, kDim);
  const Eigen::MatrixXd V = kScales.array().square().matrix().asDiagonal();
  const LinearObservation linear({"G", G, Learned::kFull, "V", V, Learned::kDiagonal});
  const NonlinearObservation g(
      std::make_unique<LinearMean>(LinearMean::Spec{.A = G, .b = {}, .learn_A = Learned::kFull}),
      noise_of(NoiseKind::kGaussian));
  EXPECT_TRUE(g.is_conjugate());
  const Eigen::VectorXd y = inputs.vector(2);
  const Gaussian q = inputs.gaussian(kDim, CovarianceForm::kFull);
  ExpectedDerivatives exact, out;
  linear.expected_derivatives(y, q, exact);
  g.expected_derivatives(y, q, out);
  EXPECT_NEAR(out.value, exact.value, 1e-11);
  EXPECT_TRUE(all_close(out.gradient, exact.gradient, 1e-11));
  EXPECT_TRUE(all_close(out.curvature, exact.curvature, 1e-11));

  const AffineVariable at = inputs.affine(kDim, 2, 4);
  const int count = linear.parameters().size();
  QuadraticFunctions exact_scores(2, count), scores(2, count);
  linear.expected_scores(y, at, 0, exact_scores);
  g.expected_scores(y, at, 0, scores);
  for (int j = 0; j < count; ++j) {
    const double chain = j < 2 * kDim ? 1.0 : 2.0 * g.parameters().values()[j];
    EXPECT_NEAR(scores.constant()[j], chain * exact_scores.constant()[j], 1e-10);
    EXPECT_TRUE(all_close(scores.linear().col(j), chain * exact_scores.linear().col(j), 1e-10));
    EXPECT_TRUE(all_close(scores.quadratic_of(j), chain * exact_scores.quadratic_of(j), 1e-10));
  }
}

TEST(NonlinearObservationModel, KnowsWhatItHasInClosedForm) {
  EXPECT_FALSE(linear_mean_observation(NoiseKind::kStudentT).is_conjugate());
  EXPECT_TRUE(linear_mean_observation(NoiseKind::kStudentT).has_closed_form_scores());
  ChaoticRnn::Spec spec{.W = Eigen::MatrixXd::Ones(2, 2)};
  const auto curved = [&] {
    return NonlinearObservation(std::make_unique<ChaoticRnn>(spec), noise_of(NoiseKind::kGaussian));
  };
  EXPECT_FALSE(curved().is_conjugate());
  EXPECT_TRUE(curved().has_closed_form_scores());
  spec.learn_gamma = true;
  EXPECT_FALSE(curved().has_closed_form_scores());
}

TEST(NonlinearObservationModel, LinearisesWithFiniteNoiseForInfiniteVariance) {
  const NonlinearObservation g = linear_mean_observation(NoiseKind::kStudentT);
  const LinearMean::Spec spec = linear_spec();
  RandomInputs inputs(75);
  AffineGaussian out;
  g.linearise(inputs.gaussian(kDim, CovarianceForm::kFull), Linearisation::kExpected, out);
  EXPECT_TRUE(all_close(out.matrix, spec.A, 1e-14));
  EXPECT_TRUE(all_close(out.offset, spec.b, 1e-13));
  EXPECT_TRUE(all_close(out.noise.covariance().diagonal(),
                        kScales.array().square().matrix() * (5.5 / 3.5), 1e-13));
}

TEST(NonlinearObservationModel, FollowsNewNoiseParametersInItsLinearisation) {
  NonlinearObservation g(std::make_unique<LinearMean>(LinearMean::identity(2)),
                         noise_of(NoiseKind::kGaussian));
  g.set_parameters(Eigen::Vector2d(0.9, 0.2));
  AffineGaussian out;
  g.linearise(standard_gaussian(2, CovarianceForm::kFull), Linearisation::kTangent, out);
  EXPECT_EQ(out.noise.lower().diagonal(), Eigen::Vector2d(0.9, 0.2));
}

TEST(NonlinearObservationModel, NamesWhatIsWrong) {
  std::string text =
      test::message_of([] { NonlinearObservation(nullptr, noise_of(NoiseKind::kGaussian)); });
  EXPECT_TRUE(test::contains(text, "no mean function")) << text;
  text = test::message_of([] {
    NonlinearObservation(std::make_unique<LinearMean>(LinearMean::identity(3)),
                         noise_of(NoiseKind::kGaussian));
  });
  EXPECT_TRUE(test::contains(text, "mean has 3 dimensions, its noise 2")) << text;
}

}  // namespace
}  // namespace ovf
