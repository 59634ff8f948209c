#include "ovf/regression/direction_mlp.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "regression/regression_samples.hpp"

namespace ovf {
namespace {

using test::normal_matrix;
using test::predictions;
using test::smooth_function;

TEST(DirectionMlp, HasTheNumericalGradientOfItsLoss) {
  const Eigen::MatrixXd targets = normal_matrix(4, 5, 1);
  Eigen::MatrixXd outputs = normal_matrix(5, 5, 2);
  Eigen::MatrixXd gradient = outputs;
  const auto loss = [&] {
    Eigen::MatrixXd copy = outputs;
    return direction_loss(targets, 0.3, 0.7, copy);
  };
  EXPECT_EQ(direction_loss(targets, 0.3, 0.7, gradient), loss());
  const double step = 1e-6;
  for (Eigen::Index i = 0; i < outputs.size(); ++i) {
    double& output = outputs.reshaped()[i];
    output += step;
    const double above = loss();
    output -= 2.0 * step;
    const double below = loss();
    output += step;
    EXPECT_NEAR(gradient.reshaped()[i], (above - below) / (2.0 * step), 1e-8) << i;
  }
}

TEST(DirectionMlp, LosesLeastAtTheTargets) {
  const Eigen::MatrixXd targets = normal_matrix(4, 3, 3);
  Eigen::MatrixXd outputs(5, 3);
  outputs.topRows(4) = 7.0 * targets;  // the length of a direction does not matter
  for (int n = 0; n < 3; ++n) outputs(4, n) = (std::log(targets.col(n).lpNorm<1>()) - 0.3) / 0.7;
  EXPECT_NEAR(direction_loss(targets, 0.3, 0.7, outputs), -0.5, 1e-12);
  EXPECT_LT(outputs.cwiseAbs().maxCoeff(), 1e-12);
}

TEST(DirectionMlp, LearnsDirectionAndMagnitude) {
  // Magnitudes over two orders.
  const auto function = [](const Eigen::MatrixXd& x) -> Eigen::MatrixXd {
    return smooth_function(x).array().rowwise() * x.row(0).array().exp();
  };
  const Eigen::MatrixXd inputs = normal_matrix(2, 400, 4), at = normal_matrix(2, 200, 5);
  MlpConfig config;
  config.learning_rate = 3e-3;
  DirectionMlp regressor(config);
  for (int i = 0; i < 10; ++i) regressor.fit(inputs, function(inputs));
  const Eigen::MatrixXd truth = function(at);
  const Eigen::MatrixXd predicted = predictions(regressor, at);
  double cosine = 0.0, log_error = 0.0;
  for (int n = 0; n < at.cols(); ++n) {
    cosine += predicted.col(n).normalized().dot(truth.col(n).normalized()) / 200.0;
    log_error += std::abs(std::log(predicted.col(n).norm() / truth.col(n).norm())) / 200.0;
  }
  EXPECT_GT(cosine, 0.99);
  EXPECT_LT(log_error, 0.1);
}

TEST(DirectionMlp, PredictsZeroAfterZeroTargets) {
  DirectionMlp regressor({});
  const Eigen::MatrixXd inputs = normal_matrix(2, 20, 6);
  regressor.fit(inputs, Eigen::MatrixXd::Zero(3, 20));
  EXPECT_TRUE(predictions(regressor, inputs).isZero(0.0));
  regressor.fit(inputs, smooth_function(inputs));
  EXPECT_GT(predictions(regressor, inputs).norm(), 0.1);
}

}  // namespace
}  // namespace ovf
