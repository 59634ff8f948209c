#include "ovf/regression/random_features.hpp"

#include <gtest/gtest.h>

#include "ovf/regression/kernel_ridge.hpp"
#include "regression/regression_samples.hpp"

namespace ovf {
namespace {

using test::largest_difference;
using test::normal_matrix;
using test::predictions;
using test::smooth_function;

Eigen::MatrixXd train_inputs() { return normal_matrix(3, 100, 1); }
Eigen::MatrixXd train_targets() { return smooth_function(train_inputs()); }
Eigen::MatrixXd test_inputs() { return normal_matrix(3, 20, 2); }

Eigen::MatrixXd fitted(int features, std::uint64_t seed) {
  RandomFeatures regressor({.features = features, .ridge = 0.01, .bandwidth = 0.0, .seed = seed});
  regressor.fit(train_inputs(), train_targets());
  return predictions(regressor, test_inputs());
}

TEST(RandomFeatures, ApproachKernelRidgeWithManyFeatures) {
  KernelRidgeConfig config;
  config.ridge = 0.01;
  KernelRidge exact(config);
  exact.fit(train_inputs(), train_targets());
  const Eigen::MatrixXd limit = predictions(exact, test_inputs());
  const double scale = limit.norm();
  // The error falls like 1/sqrt(features): 64 times as many features, an eighth of the error. The
  // bound of a half leaves room for the luck of one draw.
  const double few = (fitted(32, 3) - limit).norm() / scale;
  const double many = (fitted(2048, 3) - limit).norm() / scale;
  EXPECT_LT(many, 0.5 * few);
  EXPECT_LT(many, 0.03);
}

TEST(RandomFeatures, AreReproducibleBySeed) {
  EXPECT_EQ(fitted(64, 3), fitted(64, 3));
  EXPECT_GT(largest_difference(fitted(64, 3), fitted(64, 4)), 1e-4);
}

}  // namespace
}  // namespace ovf
