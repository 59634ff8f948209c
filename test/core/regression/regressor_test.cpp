#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>

#include "ovf/math/adam.hpp"
#include "ovf/regression/regressor_config.hpp"
#include "regression/regression_samples.hpp"

namespace ovf {
namespace {

using test::largest_difference;
using test::normal_matrix;
using test::predictions;
using test::smooth_function;

Eigen::MatrixXd train_inputs() { return normal_matrix(2, 50, 1); }
Eigen::MatrixXd train_targets() { return smooth_function(train_inputs()); }
Eigen::MatrixXd test_inputs() { return normal_matrix(2, 10, 2); }

// What every regressor promises.
class EveryRegressor : public ::testing::TestWithParam<RegressorKind> {
 protected:
  std::unique_ptr<Regressor> make() const {
    RegressorConfig config;
    config.kind = GetParam();
    config.mlp.iterations = 20;
    return make_regressor(config);
  }
};

TEST_P(EveryRegressor, RejectsBadSamplesAndKeepsTheLastFit) {
  const auto regressor = make();
  regressor->fit(train_inputs(), train_targets());
  const Eigen::MatrixXd before = predictions(*regressor, test_inputs());
  Eigen::MatrixXd nan_inputs = train_inputs(), infinite_targets = train_targets();
  nan_inputs(1, 3) = std::numeric_limits<double>::quiet_NaN();
  infinite_targets(2, 49) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(regressor->fit(nan_inputs, train_targets()), std::invalid_argument);
  EXPECT_THROW(regressor->fit(train_inputs(), infinite_targets), std::invalid_argument);
  EXPECT_THROW(regressor->fit(train_inputs(), train_targets().leftCols(49)), std::invalid_argument);
  EXPECT_THROW(regressor->fit(Eigen::MatrixXd(2, 0), Eigen::MatrixXd(3, 0)), std::invalid_argument);
  EXPECT_THROW(regressor->fit(train_inputs(), Eigen::MatrixXd(0, 50)), std::invalid_argument);
  EXPECT_EQ(predictions(*regressor, test_inputs()), before);
}

TEST_P(EveryRegressor, ClonesPredictTheSameAndAreIndependent) {
  const auto original = make();
  original->fit(train_inputs(), train_targets());
  const Eigen::MatrixXd before = predictions(*original, test_inputs());
  const auto copy = original->clone();
  EXPECT_EQ(predictions(*copy, test_inputs()), before);
  copy->fit(train_inputs(), -2.0 * train_targets());
  EXPECT_EQ(predictions(*original, test_inputs()), before);
  EXPECT_GT(largest_difference(predictions(*copy, test_inputs()), before), 0.1);
  original->fit(train_inputs(), -2.0 * train_targets());
  EXPECT_EQ(predictions(*original, test_inputs()), predictions(*copy, test_inputs()));
}

TEST_P(EveryRegressor, FollowsAChangeOfDimensions) {
  const auto regressor = make();
  regressor->fit(train_inputs(), train_targets());
  const Eigen::MatrixXd inputs = normal_matrix(4, 60, 3);
  regressor->fit(inputs, smooth_function(inputs).topRows(2));
  const Eigen::MatrixXd outputs = predictions(*regressor, inputs);
  EXPECT_EQ(outputs.rows(), 2);
  EXPECT_EQ(outputs.cols(), 60);
  EXPECT_TRUE(outputs.allFinite());
}

TEST_P(EveryRegressor, PredictionsDoNotDependOnTheBatch) {
  const auto regressor = make();
  regressor->fit(train_inputs(), train_targets());
  const Eigen::MatrixXd together = predictions(*regressor, test_inputs());
  for (int i = 0; i < test_inputs().cols(); ++i) {
    EXPECT_LT(largest_difference(predictions(*regressor, test_inputs().col(i)), together.col(i)),
              1e-5);
  }
}

std::string kind_name(const ::testing::TestParamInfo<RegressorKind>& info) {
  const char* names[] = {"KernelRidge", "Hermite", "RandomFeatures", "Mlp", "DirectionMlp"};
  return names[static_cast<int>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryRegressor,
                         ::testing::Values(RegressorKind::kKernelRidge, RegressorKind::kHermite,
                                           RegressorKind::kRandomFeatures, RegressorKind::kMlp,
                                           RegressorKind::kDirectionMlp),
                         kind_name);

// The message of the exception that the configuration causes; empty if there is none.
std::string complaint(const RegressorConfig& config) {
  try {
    make_regressor(config);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(MakeRegressor, NamesKeyValueAndExpectation) {
  RegressorConfig config;
  config.kernel_ridge.ridge = -0.5;
  EXPECT_EQ(complaint(config), "kernel_ridge.ridge = -0.5: expected a positive number");
}

TEST(MakeRegressor, RejectsEveryBadValueOfTheChosenKind) {
  const auto expect_key = [](RegressorKind kind, const std::string& key, auto&& spoil) {
    RegressorConfig config;
    config.kind = kind;
    EXPECT_EQ(complaint(config), "");
    spoil(config);
    EXPECT_EQ(complaint(config).substr(0, key.size()), key);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto ridge = RegressorKind::kKernelRidge;
  expect_key(ridge, "kernel_ridge.ridge", [](auto& c) { c.kernel_ridge.ridge = 0.0; });
  expect_key(ridge, "kernel_ridge.bandwidth", [&](auto& c) { c.kernel_ridge.bandwidth = nan; });
  expect_key(ridge, "kernel_ridge.tune_learning_rate",
             [](auto& c) { c.kernel_ridge.tune_learning_rate = -1.0; });
  expect_key(RegressorKind::kHermite, "hermite.degree", [](auto& c) { c.hermite.degree = 3; });
  const auto features = RegressorKind::kRandomFeatures;
  expect_key(features, "random_features.features", [](auto& c) { c.random_features.features = 7; });
  expect_key(features, "random_features.ridge", [&](auto& c) { c.random_features.ridge = nan; });
  expect_key(features, "random_features.bandwidth",
             [](auto& c) { c.random_features.bandwidth = -1.0; });
  const auto mlp = RegressorKind::kMlp;
  expect_key(mlp, "mlp.hidden_layers", [](auto& c) { c.mlp.hidden_layers = {64, 0}; });
  expect_key(mlp, "mlp.iterations", [](auto& c) { c.mlp.iterations = 0; });
  expect_key(mlp, "mlp.batch", [](auto& c) { c.mlp.batch = -3; });
  expect_key(mlp, "mlp.learning_rate", [](auto& c) { c.mlp.learning_rate = 0.0; });
}

TEST(Adam, MakesTheStepsComputedByHand) {
  Adam adam(1);
  Eigen::VectorXd x = Eigen::VectorXd::Zero(1);
  adam.step(Eigen::VectorXd::Constant(1, 4.0), 0.1, x);
  EXPECT_NEAR(x[0], -0.1, 1e-9);
  // m = 0.9 * 0.4 + 0.1 * (-2) = 0.16 over 0.19; v = 0.999 * 0.016 + 0.001 * 4 = 0.019984 over
  // 0.001999: a step of 0.1 * 0.8421053 / 3.1618017.
  adam.step(Eigen::VectorXd::Constant(1, -2.0), 0.1, x);
  EXPECT_NEAR(x[0], -0.1 - 0.0266337, 1e-6);
}

}  // namespace
}  // namespace ovf
