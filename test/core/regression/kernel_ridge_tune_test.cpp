#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "ovf/regression/kernel_ridge.hpp"
#include "ovf/regression/median_distance.hpp"
#include "regression/kernel_ridge_formula.hpp"
#include "regression/regression_samples.hpp"

namespace ovf {
namespace {

using test::double_config;
using test::largest_difference;
using test::normal_matrix;
using test::predictions;
using test::smooth_function;
using test::textbook;

double mean_squared_error(const Regressor& regressor, const Eigen::MatrixXd& x,
                          const Eigen::MatrixXd& y) {
  return (predictions(regressor, x).topRows(y.rows()) - y).array().square().mean();
}

Eigen::MatrixXd train_inputs() { return normal_matrix(4, 75, 1); }
Eigen::MatrixXd train_targets() { return smooth_function(train_inputs()); }
Eigen::MatrixXd test_inputs() { return normal_matrix(4, 37, 2); }

TEST(KernelRidgeTune, TuningGradientAgreesWithDifferencesForEveryKernel) {
  const Eigen::MatrixXd validation = smooth_function(test_inputs());
  for (const KernelKind kind :
       {KernelKind::kRbf, KernelKind::kMatern12, KernelKind::kMatern32, KernelKind::kMatern52}) {
    for (const bool centre : {false, true}) {
      const auto fitted = [&](double log_bandwidth) {
        KernelRidgeConfig config = double_config(std::exp(log_bandwidth), 1e-3);
        config.kernel = kind;
        config.centre_targets = centre;
        KernelRidge regressor(config);
        regressor.fit(train_inputs(), train_targets());
        return regressor;
      };
      const double step = 1e-5;
      // More samples than outputs, fewer samples than outputs, and leading outputs only: the
      // gradient is contracted differently.
      const struct { int outputs, samples; } cases[] = {{3, 37}, {3, 2}, {2, 37}};
      for (const auto& c : cases) {
        const Eigen::MatrixXd x = test_inputs().leftCols(c.samples);
        const Eigen::MatrixXd y = validation.topLeftCorner(c.outputs, c.samples);
        const double difference = (mean_squared_error(fitted(0.4 + step), x, y) -
                                   mean_squared_error(fitted(0.4 - step), x, y)) /
                                  (2.0 * step);
        const double gradient = fitted(0.4).tuning_gradient(x, y);
        EXPECT_GT(std::abs(gradient), 1e-4);
        EXPECT_NEAR(gradient, difference, 1e-6 * std::abs(difference) + 1e-9);
      }
    }
  }
}

TEST(KernelRidgeTune, TuningGradientInSinglePrecisionIsCloseToDouble) {
  KernelRidgeConfig config = double_config(1.5, 1e-3);
  KernelRidge exact(config);
  config.single_precision = true;
  KernelRidge single(config);
  exact.fit(train_inputs(), train_targets());
  single.fit(train_inputs(), train_targets());
  const double gradient = exact.tuning_gradient(test_inputs(), smooth_function(test_inputs()));
  EXPECT_NEAR(single.tuning_gradient(test_inputs(), smooth_function(test_inputs())), gradient,
              1e-3 * std::abs(gradient));
}

TEST(KernelRidgeTune, TuneStepsLogBandwidthByTheLearningRateAndTheNextOneSolvesWithIt) {
  KernelRidge regressor(double_config(0.8, 1e-3));
  regressor.fit(train_inputs(), train_targets());
  const double slope = regressor.tuning_gradient(test_inputs(), smooth_function(test_inputs()));
  regressor.tune(test_inputs(), smooth_function(test_inputs()));
  // The first step of Adam has the length of its learning rate.
  const double tuned = regressor.bandwidth();
  EXPECT_NEAR(std::log(tuned / 0.8), slope > 0.0 ? -0.01 : 0.01, 1e-6);
  const auto difference = [&](double bandwidth) {
    return largest_difference(
        predictions(regressor, test_inputs()),
        textbook(train_inputs(), train_targets(), test_inputs(), bandwidth, 1e-3 * 75));
  };
  EXPECT_LT(difference(0.8), 1e-10);
  regressor.tune(test_inputs(), smooth_function(test_inputs()));
  EXPECT_LT(difference(tuned), 1e-10);
}

TEST(KernelRidgeTune, TuningFromABadBandwidthReducesTheValidationError) {
  KernelRidgeConfig config = double_config(0.5, 1e-3);
  config.tune_learning_rate = 0.05;
  KernelRidge regressor(config);
  regressor.fit(train_inputs(), train_targets());
  const double before =
      mean_squared_error(regressor, test_inputs(), smooth_function(test_inputs()));
  for (int i = 0; i < 40; ++i) regressor.tune(test_inputs(), smooth_function(test_inputs()));
  EXPECT_LT(mean_squared_error(regressor, test_inputs(), smooth_function(test_inputs())),
            0.3 * before);
}

TEST(KernelRidgeTune, StartsAtTheMedianDistanceAndContinuesWithTheTunedBandwidth) {
  KernelRidge regressor(double_config(0.0, 0.1));
  regressor.fit(train_inputs(), train_targets());
  EXPECT_DOUBLE_EQ(regressor.bandwidth(), median_pairwise_distance(train_inputs()));
  regressor.tune(test_inputs(), smooth_function(test_inputs()));
  const double tuned = regressor.bandwidth();
  EXPECT_NE(tuned, median_pairwise_distance(train_inputs()));
  regressor.fit(10.0 * train_inputs(), train_targets());
  EXPECT_EQ(regressor.bandwidth(), tuned);
}

TEST(KernelRidgeTune, FitStartsAFreshAdam) {
  const Eigen::MatrixXd validation = smooth_function(test_inputs());
  KernelRidge tuned(double_config(0.8, 1e-3));
  tuned.fit(train_inputs(), train_targets());
  for (int i = 0; i < 5; ++i) tuned.tune(test_inputs(), validation);
  tuned.fit(train_inputs(), -train_targets());
  KernelRidge fresh(double_config(tuned.bandwidth(), 1e-3));
  fresh.fit(train_inputs(), -train_targets());
  // The second step shows the moments; the first has the learning rate's length in any case.
  for (int i = 0; i < 2; ++i) {
    tuned.tune(test_inputs(), validation);
    fresh.tune(test_inputs(), validation);
  }
  EXPECT_NEAR(tuned.bandwidth(), fresh.bandwidth(), 1e-12);
}

TEST(KernelRidgeTune, RejectsBadSamplesAndKeepsTheLastFit) {
  KernelRidge regressor(double_config(1.0, 0.1));
  EXPECT_THROW(regressor.tune(test_inputs(), smooth_function(test_inputs())), std::logic_error);
  regressor.fit(train_inputs(), train_targets());
  EXPECT_THROW(regressor.tune(test_inputs().topRows(2), smooth_function(test_inputs())),
               std::invalid_argument);
  EXPECT_THROW(regressor.tune(test_inputs(), Eigen::MatrixXd::Zero(4, 37)), std::invalid_argument);
  EXPECT_THROW(regressor.tune(test_inputs(), Eigen::MatrixXd::Zero(3, 36)), std::invalid_argument);
  EXPECT_THROW(regressor.fit(1e120 * train_inputs(), train_targets()), std::invalid_argument);
  EXPECT_LT(largest_difference(predictions(regressor, test_inputs()),
                               textbook(train_inputs(), train_targets(), test_inputs(), 1.0, 7.5)),
            1e-11);
}

}  // namespace
}  // namespace ovf
