#include "ovf/math/expected_log_density.hpp"

#include <gtest/gtest.h>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::cubature_points;
using test::evaluate;
using test::RandomInputs;

constexpr double kRounding = 1e-10;
constexpr int kDimZ = 3;
constexpr int kDimE = 2;
constexpr double kWeight = -0.6;

class ExpectedLogDensityForm : public ::testing::TestWithParam<CovarianceForm> {
 protected:
  RandomInputs inputs_{41};
  // Function 0 receives the density on top of what it holds; function 1 stays.
  QuadraticFunctions functions_ = inputs_.quadratics(kDimZ, 2);
  Eigen::MatrixXd z_ = inputs_.matrix(kDimZ, 15);
  Eigen::MatrixXd before_ = functions_.values(z_);
  Eigen::MatrixXd e_ = cubature_points(kDimE);
  ExpectedLogDensity expected_;
};

TEST_P(ExpectedLogDensityForm, AddsTheConditionalAveragedOverTheNoise) {
  const AffineGaussian conditional = inputs_.conditional(3, 2, GetParam());
  const AffineVariable input = inputs_.affine(2, kDimZ, kDimE);
  const AffineVariable output = inputs_.affine(3, kDimZ, kDimE);
  expected_.add(kWeight, conditional, input, output, functions_);
  const Eigen::MatrixXd added = functions_.values(z_) - before_;
  for (int i = 0; i < z_.cols(); ++i) {
    double mean = 0.0;
    for (int k = 0; k < e_.cols(); ++k) {
      const Eigen::VectorXd from = evaluate(input, z_.col(i), e_.col(k));
      const Gaussian density{conditional.matrix * from + conditional.offset, conditional.noise};
      Eigen::VectorXd value;
      log_density(density, evaluate(output, z_.col(i), e_.col(k)), value);
      mean += value[0] / static_cast<double>(e_.cols());
    }
    EXPECT_NEAR(added(0, i), kWeight * mean, kRounding);
    EXPECT_EQ(added(1, i), 0.0);
  }
}

TEST_P(ExpectedLogDensityForm, AddsTheMarginalAveragedOverTheNoise) {
  const Gaussian marginal = inputs_.gaussian(2, GetParam());
  const AffineVariable output = inputs_.affine(2, kDimZ, kDimE);
  expected_.add(kWeight, marginal, output, functions_);
  const Eigen::MatrixXd added = functions_.values(z_) - before_;
  for (int i = 0; i < z_.cols(); ++i) {
    Eigen::VectorXd values;
    log_density(marginal, evaluate(output, z_.col(i), e_), values);
    EXPECT_NEAR(added(0, i), kWeight * values.mean(), kRounding);
    EXPECT_EQ(added(1, i), 0.0);
  }
}

TEST_P(ExpectedLogDensityForm, CanBeUsedAgainWithOtherSizes) {
  const AffineGaussian small = inputs_.conditional(1, 2, GetParam());
  const AffineGaussian large = inputs_.conditional(3, 2, GetParam());
  const AffineVariable input = inputs_.affine(2, kDimZ, kDimE);
  const AffineVariable one = inputs_.affine(1, kDimZ, kDimE);
  const AffineVariable three = inputs_.affine(3, kDimZ, kDimE);
  QuadraticFunctions reused(kDimZ, 1), fresh(kDimZ, 1);
  expected_.add(1.0, large, input, three, reused);
  expected_.add(1.0, small, input, one, reused);
  ExpectedLogDensity().add(1.0, large, input, three, fresh);
  ExpectedLogDensity().add(1.0, small, input, one, fresh);
  EXPECT_TRUE(all_close(reused.values(z_), fresh.values(z_), 0.0));
}

INSTANTIATE_TEST_SUITE_P(, ExpectedLogDensityForm,
                         ::testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                         [](const auto& tested) { return test::form_name(tested.param); });

}  // namespace
}  // namespace ovf
