#include "ovf/posterior/factor_parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kDim = 3;

class FactorParameters : public ::testing::TestWithParam<CovarianceForm> {
 protected:
  int count() const { return factor_parameter_count(kDim, GetParam()); }
  RandomInputs inputs_{81};
  CovarianceFactor factor_ = inputs_.factor(kDim, GetParam());
};

TEST_P(FactorParameters, ReturnToTheSameFactor) {
  Eigen::VectorXd parameters(count());
  read_factor(factor_, parameters);
  CovarianceFactor other(kDim, GetParam(), 7.0);
  write_factor(parameters, other);
  EXPECT_TRUE(all_close(other.lower(), factor_.lower(), 1e-14));
}

TEST_P(FactorParameters, ReturnToTheSameNumbers) {
  const Eigen::VectorXd numbers = inputs_.vector(count());
  write_factor(numbers, factor_);
  Eigen::VectorXd parameters(count());
  read_factor(factor_, parameters);
  EXPECT_TRUE(all_close(parameters, numbers, 1e-14));
  EXPECT_TRUE(factor_.lower().isLowerTriangular(0.0));
  EXPECT_GT(factor_.lower().diagonal().minCoeff(), 0.0);
}

TEST_P(FactorParameters, HaveTheNumericalGradient) {
  const Eigen::MatrixXd cotangent = inputs_.matrix(kDim, 5), noise = inputs_.matrix(kDim, 5);
  Eigen::VectorXd parameters(count()), gradient(count());
  read_factor(factor_, parameters);
  factor_gradient(factor_, cotangent, noise, gradient);
  const auto mean_product = [&](const Eigen::VectorXd& numbers) {
    CovarianceFactor moved(kDim, GetParam());
    write_factor(numbers, moved);
    return (cotangent.array() * (moved.lower() * noise).array()).sum() / 5.0;
  };
  EXPECT_TRUE(all_close(gradient, numerical_gradient(mean_product, parameters), 1e-8));
}

INSTANTIATE_TEST_SUITE_P(, FactorParameters,
                         ::testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                         [](const auto& tested) { return test::form_name(tested.param); });

TEST(FactorParameterOrder, IsLogDiagonalThenColumnsBelowIt) {
  CovarianceFactor factor(3, CovarianceForm::kFull);
  factor.lower() << 1.0, 0.0, 0.0, 10.0, 2.0, 0.0, 20.0, 30.0, 3.0;
  ASSERT_EQ(factor_parameter_count(3, CovarianceForm::kFull), 6);
  Eigen::VectorXd parameters(6), expected(6);
  read_factor(factor, parameters);
  expected << 0.0, std::log(2.0), std::log(3.0), 10.0, 20.0, 30.0;
  EXPECT_TRUE(all_close(parameters, expected, 1e-15));
  EXPECT_EQ(factor_parameter_count(3, CovarianceForm::kDiagonal), 3);
}

}  // namespace
}  // namespace ovf
