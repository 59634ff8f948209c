#include "ovf/model/nonlinear_transition.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "math/random_inputs.hpp"
#include "model/expected_line.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/model/chaotic_rnn.hpp"
#include "ovf/model/linear_gaussian.hpp"
#include "ovf/model/linear_mean.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kDim = 3;

struct NoiseChoice {
  CovarianceForm form;
  LearnedScale learned;
};

std::unique_ptr<ChaoticRnn> network(double delta) {
  RandomInputs inputs(61);
  ChaoticRnn::Spec spec;
  spec.W = inputs.matrix(kDim, kDim);
  spec.delta = delta;
  spec.tau = 1.0;
  spec.learn_W = spec.learn_gamma = spec.learn_tau = true;
  return std::make_unique<ChaoticRnn>(spec);
}

class NonlinearTransitionNoise : public ::testing::TestWithParam<NoiseChoice> {
 protected:
  NonlinearTransition make(double delta) {
    return {network(delta), RandomInputs(62).covariance(kDim, GetParam().form), GetParam().learned};
  }
  RandomInputs inputs_{63};
};

TEST_P(NonlinearTransitionNoise, HasTheGaussianLogDensityAroundItsMean) {
  const NonlinearTransition f = make(0.3);
  const Eigen::MatrixXd from = inputs_.matrix(kDim, 4), to = inputs_.matrix(kDim, 4);
  Eigen::VectorXd values, expected;
  f.log_density({}, from, to, values);
  Eigen::MatrixXd means;
  f.mean().values({}, from, means);
  for (int i = 0; i < 4; ++i) {
    log_density({means.col(i), f.noise()}, to.col(i), expected);
    EXPECT_NEAR(values[i], expected[0], 1e-12);
  }
}

TEST_P(NonlinearTransitionNoise, HasTheNumericalGradientsAndScores) {
  NonlinearTransition f = make(0.3);
  const Eigen::MatrixXd from = inputs_.matrix(kDim, 4), to = inputs_.matrix(kDim, 4);
  Eigen::MatrixXd d_from, d_to, scores(f.parameters().size(), 4);
  f.gradients({}, from, to, d_from, d_to);
  f.scores({}, from, to, scores);
  const auto value = [&](const Eigen::VectorXd& x, const Eigen::VectorXd& next) {
    Eigen::VectorXd out;
    f.log_density({}, x, next, out);
    return out[0];
  };
  const Eigen::VectorXd theta = f.parameters().values();
  for (int i = 0; i < 4; ++i) {
    const Eigen::VectorXd x = from.col(i), next = to.col(i);
    EXPECT_TRUE(all_close(
        d_from.col(i),
        numerical_gradient([&](const Eigen::VectorXd& moved) { return value(moved, next); }, x),
        1e-7));
    EXPECT_TRUE(all_close(
        d_to.col(i),
        numerical_gradient([&](const Eigen::VectorXd& moved) { return value(x, moved); }, next),
        1e-7));
    const Eigen::VectorXd numerical = numerical_gradient(
        [&](const Eigen::VectorXd& moved) {
          f.set_parameters(moved);
          return value(x, next);
        },
        theta);
    f.set_parameters(theta);
    EXPECT_TRUE(all_close(scores.col(i), numerical, 1e-6));
  }
}

TEST_P(NonlinearTransitionNoise, ExpectsTheScoresOfAMildlyNonlinearMean) {
  const NonlinearTransition f = make(0.05);
  const int count = f.parameters().size();
  AffineVariable from = inputs_.affine(kDim, kDim, kDim), to = inputs_.affine(kDim, kDim, kDim);
  from.by_z *= 0.2;
  from.by_e *= 0.2;
  QuadraticFunctions out(kDim, count + 2);
  f.expected_scores({}, test::expected_line(f, {}, from), from, to, 1, out);
  constexpr int kSamples = 200'000;
  RandomStream random(64);
  Eigen::MatrixXd z(kDim, kSamples), e(kDim, kSamples), scores(count, kSamples);
  random.fill_normal_antithetic(z);
  random.fill_normal_antithetic(e);
  const auto at = [&](const AffineVariable& v) -> Eigen::MatrixXd {
    return (v.by_z * z + v.by_e * e).colwise() + v.constant;
  };
  f.scores({}, at(from), at(to), scores);
  const Eigen::VectorXd mean = scores.rowwise().mean();
  // Five standard errors for the samples, and the error of the lines of m and dm/dtheta: one
  // percent of the scores' own spread.
  const Eigen::VectorXd spread =
      (scores.colwise() - mean).rowwise().norm() / std::sqrt(static_cast<double>(kSamples));
  const double allowed = 5.0 / std::sqrt(static_cast<double>(kSamples)) + 0.01;
  const Eigen::MatrixXd linear = (scores.colwise() - mean) * z.transpose() / kSamples;
  for (int j = 0; j < count; ++j) {
    EXPECT_NEAR(out.constant()[1 + j], mean[j], allowed * spread[j]) << f.parameters().info(j).name;
    // Products with z have heavier tails: three times that.
    EXPECT_TRUE(((out.linear().col(1 + j) - linear.row(j).transpose()).array().abs() <
                 3.0 * allowed * spread[j])
                    .all())
        << f.parameters().info(j).name;
  }
  EXPECT_EQ(out.constant()[0], 0.0);
  EXPECT_EQ(out.constant()[count + 1], 0.0);
}

TEST_P(NonlinearTransitionNoise, DrawsFromItsDensity) {
  const NonlinearTransition f = make(0.3);
  constexpr int kSamples = 100'000;
  const Eigen::VectorXd x = inputs_.vector(kDim);
  RandomStream random(65);
  Eigen::MatrixXd to, mean;
  f.sample({}, x.replicate(1, kSamples), random, to);
  f.mean().values({}, x, mean);
  const Eigen::MatrixXd centred = to.colwise() - mean.col(0);
  // Five standard errors of means and covariances with variances up to about 3.
  EXPECT_TRUE(all_close(centred.rowwise().mean(), Eigen::VectorXd::Zero(kDim), 0.03));
  EXPECT_TRUE(all_close(centred * centred.transpose() / kSamples, f.noise().covariance(), 0.07));
}

INSTANTIATE_TEST_SUITE_P(
    , NonlinearTransitionNoise,
    ::testing::Values(NoiseChoice{CovarianceForm::kFull, LearnedScale::kNo},
                      NoiseChoice{CovarianceForm::kFull, LearnedScale::kShared},
                      NoiseChoice{CovarianceForm::kDiagonal, LearnedScale::kShared},
                      NoiseChoice{CovarianceForm::kDiagonal, LearnedScale::kEach}));

// The same linear-Gaussian model built as LinearTransition. Its variances are the squares of the
// standard deviations here: d/d deviation = 2 deviation d/d variance.
TEST(NonlinearTransition, ExpectsTheScoresOfLinearTransition) {
  RandomInputs inputs(66);
  const Eigen::MatrixXd A = inputs.matrix(kDim, kDim);
  const Eigen::MatrixXd Q = inputs.covariance(kDim, CovarianceForm::kDiagonal);
  const LinearTransition linear({"F", A, Learned::kFull, "U", Q, Learned::kDiagonal});
  const NonlinearTransition f(
      std::make_unique<LinearMean>(LinearMean::Spec{.A = A, .b = {}, .learn_A = Learned::kFull}), Q,
      LearnedScale::kEach);
  const AffineVariable from = inputs.affine(kDim, 2, 4), to = inputs.affine(kDim, 2, 4);
  const int count = linear.parameters().size();
  ASSERT_EQ(f.parameters().size(), count);
  QuadraticFunctions exact(2, count), out(2, count);
  const AffineGaussian line = test::expected_line(f, {}, from);
  linear.expected_scores({}, line, from, to, 0, exact);
  f.expected_scores({}, line, from, to, 0, out);
  for (int j = 0; j < count; ++j) {
    const double chain = j < kDim * kDim ? 1.0 : 2.0 * f.parameters().values()[j];
    EXPECT_NEAR(out.constant()[j], chain * exact.constant()[j], 1e-10);
    EXPECT_TRUE(all_close(out.linear().col(j), chain * exact.linear().col(j), 1e-10));
    EXPECT_TRUE(all_close(out.quadratic_of(j), chain * exact.quadratic_of(j), 1e-10));
  }
}

TEST(NonlinearTransition, LinearisesALinearMeanToItself) {
  RandomInputs inputs(67);
  const Eigen::MatrixXd A = inputs.matrix(kDim, kDim),
                        Q = inputs.covariance(kDim, CovarianceForm::kFull);
  const Eigen::VectorXd b = inputs.vector(kDim);
  const NonlinearTransition f(std::make_unique<LinearMean>(LinearMean::Spec{.A = A, .b = b}), Q);
  for (const Linearisation method :
       {Linearisation::kTangent, Linearisation::kExpected, Linearisation::kMoments}) {
    AffineGaussian out;
    f.linearise({}, inputs.gaussian(kDim, CovarianceForm::kFull), method, out);
    EXPECT_TRUE(all_close(out.matrix, A, 1e-14));
    EXPECT_TRUE(all_close(out.offset, b, 1e-13));
    EXPECT_TRUE(all_close(out.noise.covariance(), Q, 1e-12));
  }
}

TEST(NonlinearTransition, NamesWhatIsWrong) {
  const auto message = [](std::unique_ptr<MeanFunction> mean, const Eigen::MatrixXd& Q,
                          LearnedScale learned) {
    return test::message_of([&] { NonlinearTransition(std::move(mean), Q, learned); });
  };
  const Eigen::MatrixXd good = Eigen::MatrixXd::Identity(kDim, kDim);
  std::string text = message(nullptr, good, LearnedScale::kNo);
  EXPECT_TRUE(test::contains(text, "no mean function")) << text;
  text = message(
      std::make_unique<LinearMean>(LinearMean::Spec{.A = Eigen::MatrixXd::Ones(2, 3), .b = {}}),
      good, LearnedScale::kNo);
  EXPECT_TRUE(test::contains(text, "maps 3 to 2 dimensions")) << text;
  text = message(network(0.1), Eigen::MatrixXd::Identity(2, 2), LearnedScale::kNo);
  EXPECT_TRUE(test::contains(text, "covariance has 2 rows; expected 3")) << text;
  text = message(network(0.1), -good, LearnedScale::kShared);
  EXPECT_TRUE(test::contains(text, "not positive definite")) << text;
  RandomInputs inputs(68);
  text = message(network(0.1), inputs.covariance(kDim, CovarianceForm::kFull), LearnedScale::kEach);
  EXPECT_TRUE(test::contains(text, "off its diagonal")) << text;
}

}  // namespace
}  // namespace ovf
