#include "ovf/model/chaotic_rnn.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/mean_checks.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

ChaoticRnn::Spec spec_of(int dim, std::uint64_t seed) {
  RandomInputs inputs(seed);
  ChaoticRnn::Spec spec;
  spec.W = inputs.matrix(dim, dim);
  // Half a relaxation each step: strongly non-linear, so that an error shows.
  spec.delta = 0.5;
  spec.tau = 1.1;
  return spec;
}

ChaoticRnn::Spec learning(ChaoticRnn::Spec spec, bool W, bool gamma, bool tau) {
  spec.learn_W = W;
  spec.learn_gamma = gamma;
  spec.learn_tau = tau;
  return spec;
}

TEST(ChaoticRnn, HasTheValuesOfTheFormula) {
  const ChaoticRnn::Spec spec = spec_of(3, 1);
  const ChaoticRnn network(spec);
  RandomInputs inputs(2);
  const Eigen::MatrixXd x = 3.0 * inputs.matrix(3, 4);
  Eigen::MatrixXd values;
  network.values({}, x, values);
  const Eigen::MatrixXd tanh = x.unaryExpr([](double v) { return std::tanh(v); });
  EXPECT_TRUE(
      all_close(values, x + spec.delta / spec.tau * (-x + spec.gamma * spec.W * tanh), 1e-14));
}

TEST(ChaoticRnn, SaturatesWithoutOverflow) {
  const ChaoticRnn network({.W = Eigen::MatrixXd::Identity(2, 2)});
  Eigen::MatrixXd values;
  network.values({}, Eigen::Vector2d(1e4, -1e4), values);
  EXPECT_TRUE(all_close(values, Eigen::Vector2d(0.96e4 + 0.1, -0.96e4 - 0.1), 1e-12));
}

TEST(ChaoticRnn, HasTheNumericalGradients) {
  for (int learned = 0; learned < 8; ++learned) {
    ChaoticRnn network(learning(spec_of(3, 3), learned & 1, learned & 2, learned & 4));
    RandomInputs inputs(4);
    test::expect_numerical_gradients(network, {}, inputs.matrix(3, 4), inputs);
  }
}

TEST(ChaoticRnn, NamesItsParametersAndTakesNewValues) {
  ChaoticRnn network(learning(spec_of(2, 5), true, true, true));
  const ParameterVector& parameters = network.parameters();
  ASSERT_EQ(parameters.size(), 6);
  Eigen::VectorXd theta(6);
  theta << 1, 2, 3, 4, 5, 6;
  network.set_parameters(theta);
  EXPECT_EQ(network.weights()(1, 0), theta[parameters.index_of("W[1,0]")]);
  EXPECT_EQ(network.weights()(0, 1), theta[parameters.index_of("W[0,1]")]);
  EXPECT_EQ(parameters.index_of("gamma"), 4);
  EXPECT_EQ(parameters.index_of("tau"), 5);
  EXPECT_EQ(network.only_row(parameters.index_of("W[1,0]")), 1);
  EXPECT_EQ(network.only_row(parameters.index_of("gamma")), -1);
  theta[5] = -1.0;
  const std::string text = test::message_of([&] { network.set_parameters(theta); });
  EXPECT_TRUE(test::contains(text, "tau is -1")) << text;
}

// E[m] and E[dm/dx] by Monte Carlo over a fine grid of each dimension, as tanh acts on each alone.
void expect_dense_expectation(CovarianceForm form, double scale, double tolerance) {
  const ChaoticRnn network(spec_of(3, 6));
  RandomInputs inputs(7);
  Gaussian x = inputs.gaussian(3, form);
  x.factor.lower() *= scale;
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  network.expectation({}, x, value, slope);
  constexpr int kSteps = 4000;
  Eigen::VectorXd tanh = Eigen::VectorXd::Zero(3), derivative = Eigen::VectorXd::Zero(3);
  double weights = 0.0;
  const Eigen::VectorXd deviations = x.factor.standard_deviations();
  for (int k = 0; k <= kSteps; ++k) {
    const double z = -9.0 + 18.0 * k / kSteps;
    const double weight = std::exp(-0.5 * z * z);
    weights += weight;
    for (int i = 0; i < 3; ++i) {
      const double t = std::tanh(x.mean[i] + deviations[i] * z);
      tanh[i] += weight * t;
      derivative[i] += weight * (1.0 - t * t);
    }
  }
  const ChaoticRnn::Spec spec = spec_of(3, 6);
  const double rate = spec.delta / spec.tau, gain = rate * spec.gamma;
  const Eigen::MatrixXd dense_slope = (1.0 - rate) * Eigen::MatrixXd::Identity(3, 3) +
                                      gain * spec.W * (derivative / weights).asDiagonal();
  EXPECT_TRUE(
      all_close(value, (1.0 - rate) * x.mean + gain * spec.W * (tanh / weights), tolerance));
  EXPECT_TRUE(all_close(slope, dense_slope, tolerance));
}

TEST(ChaoticRnn, HasTheExpectationOfDenseQuadrature) {
  // Deviations of the inputs lie around 0.8 to 1.4 times the scale.
  for (const CovarianceForm form : {CovarianceForm::kDiagonal, CovarianceForm::kFull}) {
    expect_dense_expectation(form, 0.1, 1e-11);
    expect_dense_expectation(form, 0.3, 1e-6);
    expect_dense_expectation(form, 1.0, 2e-2);
  }
}

TEST(ChaoticRnn, HasTheParameterExpectationThatItsExpectationImplies) {
  for (const CovarianceForm form : {CovarianceForm::kDiagonal, CovarianceForm::kFull}) {
    RandomInputs inputs(8);
    const Gaussian x = inputs.gaussian(3, form);
    for (int learned = 1; learned < 8; ++learned) {
      ChaoticRnn network(learning(spec_of(3, 9), learned & 1, learned & 2, learned & 4));
      test::expect_consistent_parameter_expectation(network, {}, x);
    }
  }
}

TEST(ChaoticRnn, DrawsWeightsOfVarianceOneOverTheDimension) {
  RandomStream random(10);
  const ChaoticRnn network = ChaoticRnn::random(100, random);
  // 10,000 entries: the mean square is known to 1.4 %; five standard errors.
  EXPECT_NEAR(network.weights().squaredNorm() / 100.0, 1.0, 0.07);
  EXPECT_EQ(network.parameters().size(), 0);
}

TEST(ChaoticRnn, NamesWhatIsWrong) {
  const auto message = [](const ChaoticRnn::Spec& spec) {
    return test::message_of([&] { ChaoticRnn{spec}; });
  };
  ChaoticRnn::Spec spec = spec_of(2, 11);
  spec.tau = 0.0;
  EXPECT_TRUE(test::contains(message(spec), "tau is 0")) << message(spec);
  spec = spec_of(2, 11);
  spec.gamma = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(test::contains(message(spec), "gamma is inf")) << message(spec);
  spec = spec_of(2, 11);
  spec.delta = -1.0;
  EXPECT_TRUE(test::contains(message(spec), "delta is -1")) << message(spec);
  spec.W.resize(2, 3);
  EXPECT_TRUE(test::contains(message(spec), "W is 2x3")) << message(spec);
  spec = spec_of(2, 11);
  spec.W(0, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(test::contains(message(spec), "finite")) << message(spec);
}

}  // namespace
}  // namespace ovf
