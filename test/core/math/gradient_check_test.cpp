#include "ovf/math/gradient_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ovf {
namespace {

TEST(NumericalGradient, MatchesAKnownGradientToSecondOrder) {
  const auto function = [](const Eigen::VectorXd& x) {
    return std::sin(x[0]) * x[1] + std::exp(0.5 * x[2]);
  };
  const Eigen::Vector3d at(0.3, -1.2, 0.8);
  const Eigen::Vector3d exact(std::cos(at[0]) * at[1], std::sin(at[0]),
                              0.5 * std::exp(0.5 * at[2]));
  // Truncation step^2 / 6 times a third derivative of order one, and rounding 1e-16 / step.
  EXPECT_LT((numerical_gradient(function, at) - exact).norm(), 1e-9);
  const double coarse = (numerical_gradient(function, at, 1e-2) - exact).norm();
  const double finer = (numerical_gradient(function, at, 5e-3) - exact).norm();
  EXPECT_NEAR(coarse / finer, 4.0, 0.01);
}

TEST(NumericalJacobian, HasOutputsInRowsAndInputsInColumns) {
  const auto function = [](const Eigen::VectorXd& x) {
    return Eigen::VectorXd(Eigen::Vector3d(x[0] * x[1], 5.0 * x[1], x[0] * x[0]));
  };
  const Eigen::Vector2d at(2.0, 3.0);
  Eigen::MatrixXd exact(3, 2);
  exact << 3.0, 2.0, 0.0, 5.0, 4.0, 0.0;
  const Eigen::MatrixXd jacobian = numerical_jacobian(function, at);
  ASSERT_EQ(jacobian.rows(), 3);
  ASSERT_EQ(jacobian.cols(), 2);
  EXPECT_LT((jacobian - exact).norm(), 1e-9);
}

}  // namespace
}  // namespace ovf
