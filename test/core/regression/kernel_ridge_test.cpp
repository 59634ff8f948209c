#include "ovf/regression/kernel_ridge.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

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

// Sizes that are no multiple of any block size inside.
Eigen::MatrixXd train_inputs() { return normal_matrix(4, 75, 1); }
Eigen::MatrixXd train_targets() { return smooth_function(train_inputs()); }
Eigen::MatrixXd test_inputs() { return normal_matrix(4, 37, 2); }

TEST(KernelRidge, AgreesWithTheDenseFormulaInDouble) {
  KernelRidge regressor(double_config(1.7, 0.02));
  regressor.fit(train_inputs(), train_targets());
  EXPECT_LT(
      largest_difference(predictions(regressor, test_inputs()),
                         textbook(train_inputs(), train_targets(), test_inputs(), 1.7, 0.02 * 75)),
      1e-11);
}

TEST(KernelRidge, AgreesWithTheDenseFormulaInSinglePrecision) {
  KernelRidgeConfig config = double_config(1.7, 0.02);
  config.single_precision = true;
  KernelRidge regressor(config);
  regressor.fit(train_inputs(), train_targets());
  const double error =
      largest_difference(predictions(regressor, test_inputs()),
                         textbook(train_inputs(), train_targets(), test_inputs(), 1.7, 0.02 * 75));
  EXPECT_LT(error, 1e-5);
  EXPECT_GT(error, 1e-12) << "double was used, the test says nothing about float";
}

TEST(KernelRidge, RidgeIsTimesThePointsOrNotAsConfigured) {
  KernelRidgeConfig config = double_config(1.7, 0.02);
  config.ridge_times_points = false;
  KernelRidge regressor(config);
  regressor.fit(train_inputs(), train_targets());
  EXPECT_LT(largest_difference(predictions(regressor, test_inputs()),
                               textbook(train_inputs(), train_targets(), test_inputs(), 1.7, 0.02)),
            1e-11);
  EXPECT_DOUBLE_EQ(regressor.diagonal_ridge(), 0.02);
}

TEST(KernelRidge, InterpolatesSmoothFunctionAsRidgeVanishes) {
  double last_error = 1e9;
  for (const double ridge : {1e-2, 1e-5, 1e-8}) {
    KernelRidge regressor(double_config(2.0, ridge));
    regressor.fit(train_inputs(), train_targets());
    const double error =
        largest_difference(predictions(regressor, train_inputs()), train_targets());
    EXPECT_LT(error, 0.2 * last_error);
    last_error = error;
  }
  EXPECT_LT(last_error, 1e-3);
}

TEST(KernelRidge, OneFitEqualsSeveralSingleOutputFits) {
  // Six different outputs, more than are worked on together.
  Eigen::MatrixXd targets(6, 75);
  targets << train_targets(), train_targets().array().square();
  KernelRidge together(double_config(1.7, 0.02));
  together.fit(train_inputs(), targets);
  const Eigen::MatrixXd joint = predictions(together, test_inputs());
  for (int o = 0; o < 6; ++o) {
    KernelRidge alone(double_config(1.7, 0.02));
    alone.fit(train_inputs(), targets.row(o));
    EXPECT_LT(largest_difference(predictions(alone, test_inputs()), joint.row(o)), 1e-12);
  }
}

TEST(KernelRidge, CentringMakesConstantsExact) {
  KernelRidgeConfig config = double_config(1.7, 10.0);
  config.centre_targets = true;
  KernelRidge regressor(config);
  regressor.fit(train_inputs(), Eigen::MatrixXd::Constant(2, 75, 3.5));
  EXPECT_LT(largest_difference(predictions(regressor, test_inputs()),
                               Eigen::MatrixXd::Constant(2, 37, 3.5)),
            1e-12);
}

TEST(KernelRidge, ALargeCommonOffsetOfTheInputsCostsNoDigits) {
  KernelRidgeConfig config = double_config(1.7, 0.02);
  config.single_precision = true;
  KernelRidge regressor(config);
  regressor.fit(train_inputs().array() + 4e6, train_targets());
  EXPECT_LT(
      largest_difference(predictions(regressor, test_inputs().array() + 4e6),
                         textbook(train_inputs(), train_targets(), test_inputs(), 1.7, 0.02 * 75)),
      1e-5);
}

TEST(KernelRidge, UsesDoubleWhereTheRidgeIsTooSmallForFloat) {
  // A bandwidth of 30 standard deviations: K is singular to within float rounding. With the larger
  // ridge a factorisation in float would succeed, but with few digits; with the smaller it fails.
  const struct { double ridge, tolerance; } cases[] = {{3e-5, 1e-8}, {1e-8, 1e-4}};
  for (const auto& c : cases) {
    KernelRidgeConfig config = double_config(30.0, c.ridge);
    config.ridge_times_points = false;
    config.single_precision = true;
    KernelRidge regressor(config);
    regressor.fit(train_inputs(), train_targets());
    EXPECT_EQ(regressor.diagonal_ridge(), c.ridge);
    EXPECT_LT(
        largest_difference(predictions(regressor, test_inputs()),
                           textbook(train_inputs(), train_targets(), test_inputs(), 30.0, c.ridge)),
        c.tolerance);
  }
}

TEST(KernelRidge, UsesDoubleForTargetsBeyondTheRangeOfFloat) {
  KernelRidgeConfig config = double_config(1.7, 0.02);
  config.single_precision = true;
  KernelRidge regressor(config);
  regressor.fit(train_inputs(), 1e50 * train_targets());
  EXPECT_LT(
      largest_difference(1e-50 * predictions(regressor, test_inputs()),
                         textbook(train_inputs(), train_targets(), test_inputs(), 1.7, 0.02 * 75)),
      1e-11);
}

TEST(KernelRidge, RaisesTheRidgeTenfoldForRepeatedPoints) {
  KernelRidgeConfig config = double_config(1.0, 1e-20);
  config.ridge_times_points = false;
  KernelRidge regressor(config);
  const Eigen::MatrixXd repeated = Eigen::MatrixXd::Constant(4, 20, 0.3);
  regressor.fit(repeated, Eigen::MatrixXd::Constant(1, 20, 2.0));
  EXPECT_GT(regressor.diagonal_ridge(), 1e-17);
  EXPECT_LT(regressor.diagonal_ridge(), 1e-12);
  EXPECT_NEAR(predictions(regressor, repeated)(0, 0), 2.0, 1e-3);
}

TEST(KernelRidge, PredictsTheOffsetFarFromTheData) {
  for (const bool single : {false, true}) {
    KernelRidgeConfig config = double_config(1.0, 0.1);
    config.single_precision = single;
    KernelRidge regressor(config);
    regressor.fit(train_inputs(), train_targets());
    EXPECT_LT(predictions(regressor, Eigen::MatrixXd::Constant(4, 1, 1e60)).norm(), 1e-30);
  }
}

TEST(MedianDistance, IsTheMiddleOneAndUsableWithoutPairs) {
  EXPECT_DOUBLE_EQ(median_pairwise_distance(Eigen::RowVector3d(0.0, 1.0, 5.0)), 4.0);
  EXPECT_DOUBLE_EQ(median_pairwise_distance(Eigen::MatrixXd::Zero(2, 1)), 1.0);
  EXPECT_DOUBLE_EQ(median_pairwise_distance(Eigen::MatrixXd::Zero(2, 5)), 1.0);
}

}  // namespace
}  // namespace ovf
