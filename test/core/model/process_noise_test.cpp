#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "math/random_inputs.hpp"
#include "model/expected_line.hpp"
#include "model/step_inputs.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/model/chaotic_rnn.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;
using test::RandomInputs;
using test::step_of;

constexpr int kDim = 4;

// Two states share a noise, one has its own, one is not learned.
ProcessNoise some_noise() {
  return {.deviations = Eigen::Vector4d(0.3, 0.5, 0.3, 0.2),
          .learned_as = {"drift", "slip", "drift", ""}};
}

// A mean with parameters, so that those of the noise come after others.
std::unique_ptr<ChaoticRnn> network() {
  ChaoticRnn::Spec spec;
  spec.W = RandomInputs(31).matrix(kDim, kDim);
  spec.delta = 0.3;
  spec.tau = 1.0;
  spec.learn_gamma = true;
  return std::make_unique<ChaoticRnn>(spec);
}

std::unique_ptr<MeanFunction> still() {
  return std::make_unique<LinearMean>(LinearMean::identity(kDim));
}

StepInput with_gains() {
  StepInput input = step_of(0.25);
  input.noise_gain = Eigen::Vector4d(1.0, 3.0, 0.5, 2.0);
  return input;
}

Eigen::VectorXd deviations(const NonlinearTransition& f, const StepInput& input) {
  AffineGaussian line;
  f.linearise(input, standard_gaussian(kDim, CovarianceForm::kFull), Linearisation::kExpected,
              line);
  return line.noise.standard_deviations();
}

TEST(ProcessNoise, GrowsWithTheRootOfTime) {
  const NonlinearTransition f(still(), some_noise());
  EXPECT_TRUE(all_close(deviations(f, step_of(1.0)), some_noise().deviations, 1e-15));
  EXPECT_TRUE(all_close(deviations(f, step_of(0.25)), 0.5 * some_noise().deviations, 1e-15));
}

TEST(ProcessNoise, OfTwoStepsIsThatOfOneLongOne) {
  const NonlinearTransition f(still(), some_noise());
  const Eigen::VectorXd whole = deviations(f, step_of(0.5));
  const Eigen::VectorXd parts =
      (deviations(f, step_of(0.2)).cwiseAbs2() + deviations(f, step_of(0.3)).cwiseAbs2())
          .cwiseSqrt();
  EXPECT_TRUE(all_close(parts, whole, 1e-15));
}

TEST(ProcessNoise, HasADensityAlsoBetweenMessagesOfOneStamp) {
  const NonlinearTransition f(still(), some_noise());
  const Eigen::MatrixXd x = RandomInputs(32).matrix(kDim, 2);
  Eigen::VectorXd values;
  f.log_density(step_of(0.0), x, x, values);
  EXPECT_TRUE(values.allFinite());
  EXPECT_GT(deviations(f, step_of(0.0)).minCoeff(), 0.0);
  EXPECT_LT(deviations(f, step_of(0.0)).maxCoeff(), 0.01);
}

TEST(ProcessNoise, IsMultipliedByTheGainOfEachState) {
  const NonlinearTransition f(still(), some_noise());
  const StepInput input = with_gains();
  EXPECT_TRUE(all_close(deviations(f, input),
                        0.5 * input.noise_gain.cwiseProduct(some_noise().deviations), 1e-15));
  // The gain is of this step alone.
  EXPECT_TRUE(all_close(deviations(f, step_of(1.0)), some_noise().deviations, 1e-15));
}

TEST(ProcessNoise, IsLearnedGroupByGroup) {
  NonlinearTransition f(network(), some_noise());
  ASSERT_EQ(f.parameters().size(), 3);
  EXPECT_EQ(f.parameters().info(1).name, "drift");
  EXPECT_EQ(f.parameters().info(2).name, "slip");
  EXPECT_EQ(f.parameters().values()[1], 0.3);
  const double gamma = f.parameters().values()[0];
  f.set_parameters(Eigen::Vector3d(gamma, 0.6, 0.1));
  EXPECT_TRUE(
      all_close(f.noise().standard_deviations(), Eigen::Vector4d(0.6, 0.1, 0.6, 0.2), 1e-15));
}

TEST(ProcessNoise, HasTheNumericalScoresWithAnyTimeAndGain) {
  RandomInputs inputs(33);
  NonlinearTransition f(network(), some_noise());
  const Eigen::MatrixXd from = inputs.matrix(kDim, 3), to = inputs.matrix(kDim, 3);
  for (const StepInput& input : {step_of(1.0), step_of(0.1), with_gains()}) {
    const Eigen::VectorXd theta = f.parameters().values();
    const auto values = [&](const Eigen::VectorXd& moved) -> Eigen::VectorXd {
      f.set_parameters(moved);
      Eigen::VectorXd out;
      f.log_density(input, from, to, out);
      return out;
    };
    const Eigen::MatrixXd numerical = numerical_jacobian(values, theta, 1e-6).transpose();
    f.set_parameters(theta);
    Eigen::MatrixXd scores(3, 3);
    f.scores(input, from, to, scores);
    EXPECT_TRUE(all_close(scores, numerical, 1e-6));
  }
}

TEST(ProcessNoise, HasTheExpectedScoresOfSamples) {
  // Exact for a linear mean: the mean over cubature points of z and e.
  RandomInputs inputs(34);
  const NonlinearTransition f(still(), some_noise());
  const AffineVariable from = inputs.affine(kDim, kDim, kDim);
  const AffineVariable to = inputs.affine(kDim, kDim, kDim);
  const StepInput input = with_gains();
  QuadraticFunctions functions(kDim, 3);
  functions.set_zero();
  f.expected_scores(input, test::expected_line(f, input, from), from, to, 1, functions);
  EXPECT_EQ(functions.constant()[0], 0.0);
  const Eigen::MatrixXd e = test::cubature_points(kDim);
  for (int k = 0; k < 3; ++k) {
    const Eigen::VectorXd z = inputs.vector(kDim);
    Eigen::MatrixXd scores(2, e.cols());
    f.scores(input, test::evaluate(from, z, e), test::evaluate(to, z, e), scores);
    EXPECT_TRUE(all_close(functions.values(z).bottomRows(2), scores.rowwise().mean(), 1e-9));
  }
}

TEST(ProcessNoise, IsDrawnAsItIsDescribed) {
  const NonlinearTransition f(still(), some_noise());
  constexpr int kDraws = 100000;
  RandomStream random(35);
  Eigen::MatrixXd to;
  const StepInput input = with_gains();
  f.sample(input, Eigen::MatrixXd::Zero(kDim, kDraws), random, to);
  const Eigen::VectorXd drawn = (to.rowwise().squaredNorm() / kDraws).cwiseSqrt();
  // Five standard errors of a standard deviation: 5 / sqrt(2 draws).
  EXPECT_LT((drawn.cwiseQuotient(deviations(f, input)).array() - 1.0).abs().maxCoeff(),
            5.0 / std::sqrt(2.0 * kDraws));
}

TEST(ProcessNoise, IsRefusedWhenItMakesNoDensityOrNoGroup) {
  const auto why = [](const ProcessNoise& noise) {
    return message_of([&] { NonlinearTransition f(still(), noise); });
  };
  ProcessNoise noise = some_noise();
  noise.deviations[2] = 0.4;
  EXPECT_TRUE(contains(why(noise), "drift have the noise 0.3 and 0.4"));
  noise = some_noise();
  noise.deviations[3] = -0.2;
  EXPECT_TRUE(contains(why(noise), "state 3 is -0.2"));
  noise.deviations[3] = 0.0;
  EXPECT_TRUE(contains(why(noise), "state 3 is 0"));
  noise = some_noise();
  noise.learned_as.pop_back();
  EXPECT_TRUE(contains(why(noise), "4 deviations and 3 names"));
  noise = {.deviations = Eigen::Vector2d(1.0, 1.0), .learned_as = {"", ""}};
  EXPECT_TRUE(contains(why(noise), "2 rows; expected 4"));
}

}  // namespace
}  // namespace ovf
