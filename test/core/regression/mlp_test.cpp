#include "ovf/regression/mlp.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "regression/regression_samples.hpp"

namespace ovf {
namespace {

using test::largest_difference;
using test::normal_matrix;
using test::predictions;
using test::smooth_function;

Eigen::MatrixXd train_inputs() { return normal_matrix(2, 400, 1); }
Eigen::MatrixXd train_targets() { return smooth_function(train_inputs()); }

double relative_error(const MlpRegressor& regressor) {
  const Eigen::MatrixXd at = normal_matrix(2, 200, 2);
  const Eigen::MatrixXd truth = smooth_function(at);
  const Eigen::MatrixXd spread = truth.colwise() - truth.rowwise().mean();
  return (predictions(regressor, at) - truth).norm() / spread.norm();
}

TEST(MlpNetwork, LossGradientAgreesWithDifferences) {
  for (const Activation activation : {Activation::kRelu, Activation::kTanh}) {
    const MlpNetwork network{{2, 5, 4, 3}, activation};
    RandomStream random(7);
    Eigen::VectorXd parameters = initial_parameters(network, random);
    ASSERT_EQ(parameters.size(), 5 * 3 + 4 * 6 + 3 * 5);
    const Eigen::MatrixXd x = train_inputs().leftCols(9);
    const Eigen::MatrixXd y = train_targets().leftCols(9);
    MlpWorkspace workspace;
    Eigen::VectorXd gradient, unused;
    const double loss = loss_gradient(network, parameters, x, y, workspace, gradient);
    EXPECT_NEAR(loss, (forward(network, parameters, x, workspace) - y).squaredNorm() / 27.0, 1e-12);
    EXPECT_GT(gradient.cwiseAbs().maxCoeff(), 1e-2);
    const double step = 1e-6;
    for (int i = 0; i < parameters.size(); ++i) {
      const double value = parameters[i];
      parameters[i] = value + step;
      const double above = loss_gradient(network, parameters, x, y, workspace, unused);
      parameters[i] = value - step;
      const double below = loss_gradient(network, parameters, x, y, workspace, unused);
      parameters[i] = value;
      EXPECT_NEAR(gradient[i], (above - below) / (2.0 * step), 1e-8) << "parameter " << i;
    }
  }
}

TEST(MlpNetwork, StartsUniformWithinTheInverseRootOfTheFanIn) {
  const MlpNetwork network{{100, 50}, Activation::kRelu};
  RandomStream random(1);
  const Eigen::VectorXd parameters = initial_parameters(network, random);
  EXPECT_LE(parameters.cwiseAbs().maxCoeff(), 0.1);
  // 5050 uniform draws on [-0.1, 0.1] have variance 0.01 / 3, known to 1.3 %: four errors.
  EXPECT_NEAR(parameters.squaredNorm() / 5050.0, 0.01 / 3.0, 0.05 * 0.01 / 3.0);
}

TEST(MlpRegressor, FitsASmoothFunctionBetterWithEachWarmStart) {
  for (const Activation activation : {Activation::kRelu, Activation::kTanh}) {
    MlpConfig config;
    config.activation = activation;
    config.learning_rate = 3e-3;
    MlpRegressor regressor(config);
    regressor.fit(train_inputs(), train_targets());
    const double first = relative_error(regressor);
    EXPECT_LT(first, 0.5);
    for (int i = 0; i < 7; ++i) regressor.fit(train_inputs(), train_targets());
    EXPECT_LT(relative_error(regressor), 0.6 * first);
    EXPECT_LT(relative_error(regressor), 0.15);
  }
}

TEST(MlpRegressor, StandardisesInputsAndTargets) {
  // The same network in other units: equal up to rounding.
  MlpRegressor plain({}), scaled({});
  plain.fit(train_inputs(), train_targets());
  scaled.fit((1000.0 * train_inputs()).array() + 5e4, (1e-3 * train_targets()).array() - 7.0);
  const Eigen::MatrixXd at = train_inputs().leftCols(20);
  const Eigen::MatrixXd expected = (1e-3 * predictions(plain, at)).array() - 7.0;
  EXPECT_LT(largest_difference(predictions(scaled, (1000.0 * at).array() + 5e4), expected), 1e-8);
}

TEST(MlpRegressor, PredictsAConstantTargetAndAcceptsAConstantInput) {
  Eigen::MatrixXd inputs = train_inputs();
  inputs.row(1).setConstant(0.1);
  MlpConfig config;
  config.iterations = 500;
  MlpRegressor regressor(config);
  regressor.fit(inputs, Eigen::MatrixXd::Constant(1, 400, 12.3));
  EXPECT_NEAR(predictions(regressor, inputs.leftCols(1))(0, 0), 12.3, 0.05);
}

TEST(MlpRegressor, IsBitReproducibleBySeed) {
  const auto run = [](std::uint64_t seed) {
    MlpConfig config;
    config.seed = seed;
    MlpRegressor regressor(config);
    regressor.fit(train_inputs(), train_targets());
    regressor.fit(-train_inputs(), train_targets());
    return predictions(regressor, train_inputs());
  };
  EXPECT_EQ(run(5), run(5));
  EXPECT_GT(largest_difference(run(5), run(6)), 1e-3);
}

}  // namespace
}  // namespace ovf
