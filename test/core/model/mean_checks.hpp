#pragma once

#include <gtest/gtest.h>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/model/mean_function.hpp"

namespace ovf::test {

/// dm/dtheta at one point by central differences; the parameters are as before afterwards.
inline Eigen::MatrixXd numerical_parameter_jacobian(MeanFunction& mean, const StepInput& input,
                                                    const Eigen::VectorXd& x) {
  const Eigen::VectorXd theta = mean.parameters().values();
  const auto value = [&](const Eigen::VectorXd& moved) -> Eigen::VectorXd {
    mean.set_parameters(moved);
    Eigen::MatrixXd out;
    mean.values(input, x, out);
    return out;
  };
  const Eigen::MatrixXd jacobian = numerical_jacobian(value, theta);
  mean.set_parameters(theta);
  return jacobian;
}

/// jacobian, pull_back and parameter_pull_back against central differences.
inline void expect_numerical_gradients(MeanFunction& mean, const StepInput& input,
                                       const Eigen::MatrixXd& x, RandomInputs& inputs,
                                       double tolerance = 1e-7) {
  const Eigen::MatrixXd cotangent = inputs.matrix(mean.output_dim(), static_cast<int>(x.cols()));
  const int count = mean.parameters().size();
  Eigen::MatrixXd pulled, slope, by_theta(count, x.cols());
  mean.pull_back(input, x, cotangent, pulled);
  mean.parameter_pull_back(input, x, cotangent, by_theta);
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    const auto value = [&](const Eigen::VectorXd& moved) -> Eigen::VectorXd {
      Eigen::MatrixXd out;
      mean.values(input, moved, out);
      return out;
    };
    const Eigen::MatrixXd numerical = numerical_jacobian(value, x.col(i));
    mean.jacobian(input, x.col(i), slope);
    EXPECT_TRUE(all_close(slope, numerical, tolerance));
    EXPECT_TRUE(
        all_close(pulled.col(i), numerical.transpose() * cotangent.col(i), 10.0 * tolerance));
    if (count == 0) continue;
    EXPECT_TRUE(all_close(
        by_theta.col(i),
        numerical_parameter_jacobian(mean, input, x.col(i)).transpose() * cotangent.col(i),
        10.0 * tolerance));
  }
}

/// expectation's derivatives with respect to theta, by central differences, against
/// parameter_expectation in the rows that it sets.
inline void expect_consistent_parameter_expectation(MeanFunction& mean, const StepInput& input,
                                                    const Gaussian& x, double tolerance = 1e-7) {
  const int d = mean.input_dim();
  const Eigen::VectorXd theta = mean.parameters().values();
  const auto flat = [&](const Eigen::VectorXd& moved) -> Eigen::VectorXd {
    mean.set_parameters(moved);
    Eigen::VectorXd value;
    Eigen::MatrixXd slope;
    mean.expectation(input, x, value, slope);
    Eigen::VectorXd both(value.size() + slope.size());
    both << value, slope.reshaped();
    return both;
  };
  const Eigen::MatrixXd numerical = numerical_jacobian(flat, theta);
  mean.set_parameters(theta);
  Eigen::MatrixXd value, slope;
  mean.parameter_expectation(input, x, value, slope);
  const int rows = mean.output_dim();
  ASSERT_EQ(value.rows(), rows);
  ASSERT_EQ(value.cols(), theta.size());
  ASSERT_EQ(slope.cols(), d * theta.size());
  for (int j = 0; j < theta.size(); ++j) {
    const Eigen::MatrixXd by_x = numerical.col(j).tail(rows * d).reshaped(rows, d);
    for (int i = 0; i < rows; ++i) {
      const int only = mean.only_row(j);
      if (only >= 0 && i != only) {
        EXPECT_EQ(numerical(i, j), 0.0);
        EXPECT_TRUE(by_x.row(i).isZero(0.0));
        continue;
      }
      EXPECT_NEAR(value(i, j), numerical(i, j), tolerance);
      EXPECT_TRUE(all_close(slope.row(i).segment(j * d, d), by_x.row(i), tolerance));
    }
  }
}

}  // namespace ovf::test
