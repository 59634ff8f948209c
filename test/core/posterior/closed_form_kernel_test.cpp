#include "ovf/posterior/closed_form_kernel.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kDim = 3;
// A solve with a covariance of condition number below 100.
constexpr double kRounding = 1e-11;

// The form of the previous marginal and of the transition's noise.
class ClosedFormKernelForm : public ::testing::TestWithParam<CovarianceForm> {
 protected:
  static AffineGaussian empty_kernel(CovarianceForm noise_form) {
    return {Eigen::MatrixXd(), Eigen::VectorXd(), CovarianceFactor(kDim, noise_form)};
  }
  RandomInputs inputs_{111};
  Gaussian previous_ = inputs_.gaussian(kDim, GetParam());
  AffineGaussian transition_ = inputs_.conditional(kDim, kDim, GetParam());
  AffineGaussian kernel_ = empty_kernel(CovarianceForm::kFull);
  Gaussian prediction_ = standard_gaussian(kDim, CovarianceForm::kFull);
  ClosedFormKernel closed_form_;
};

TEST_P(ClosedFormKernelForm, PredictsTheMarginalOfTheNextState) {
  ASSERT_TRUE(closed_form_.compute(previous_, transition_, kernel_, prediction_));
  const Gaussian forward = joint(transition_, previous_);
  EXPECT_TRUE(all_close(prediction_.mean, forward.mean.tail(kDim), kRounding));
  EXPECT_TRUE(all_close(prediction_.covariance(),
                        forward.covariance().bottomRightCorner(kDim, kDim), kRounding));
}

TEST_P(ClosedFormKernelForm, ObeysBayesRule) {
  ASSERT_TRUE(closed_form_.compute(previous_, transition_, kernel_, prediction_));
  // f(x_t | x_{t-1}) q(x_{t-1}) = kernel(x_{t-1} | x_t) prediction(x_t), blocks in the other order.
  const Gaussian forward = joint(transition_, previous_);
  const Gaussian backward = joint(kernel_, prediction_);
  Eigen::VectorXd mean(2 * kDim);
  mean << backward.mean.tail(kDim), backward.mean.head(kDim);
  const Eigen::MatrixXd c = backward.covariance();
  Eigen::MatrixXd covariance(2 * kDim, 2 * kDim);
  covariance << c.bottomRightCorner(kDim, kDim), c.bottomLeftCorner(kDim, kDim),
      c.topRightCorner(kDim, kDim), c.topLeftCorner(kDim, kDim);
  EXPECT_TRUE(all_close(mean, forward.mean, kRounding));
  EXPECT_TRUE(all_close(covariance, forward.covariance(), kRounding));
}

TEST_P(ClosedFormKernelForm, HasTheInverseDiagonalOfThePrecisionAsMeanFieldNoise) {
  AffineGaussian mean_field = empty_kernel(CovarianceForm::kDiagonal);
  ASSERT_TRUE(closed_form_.compute(previous_, transition_, kernel_, prediction_));
  ASSERT_TRUE(closed_form_.compute(previous_, transition_, mean_field, prediction_));
  EXPECT_TRUE(all_close(mean_field.matrix, kernel_.matrix, 1e-14));
  EXPECT_TRUE(all_close(mean_field.offset, kernel_.offset, 1e-14));
  const Eigen::MatrixXd precision =
      previous_.covariance().inverse() + transition_.matrix.transpose() *
                                             transition_.noise.covariance().inverse() *
                                             transition_.matrix;
  EXPECT_TRUE(all_close(kernel_.noise.covariance(), precision.inverse(), kRounding));
  const Eigen::MatrixXd variances = precision.diagonal().cwiseInverse().asDiagonal();
  EXPECT_TRUE(all_close(mean_field.noise.covariance(), variances, kRounding));
  EXPECT_TRUE(mean_field.noise.lower().isDiagonal(0.0));
}

TEST_P(ClosedFormKernelForm, GivesTheSameResultWhenUsedAgain) {
  ASSERT_TRUE(closed_form_.compute(inputs_.gaussian(kDim, GetParam()),
                                   inputs_.conditional(kDim, kDim, GetParam()), kernel_,
                                   prediction_));
  ASSERT_TRUE(closed_form_.compute(previous_, transition_, kernel_, prediction_));
  AffineGaussian fresh = empty_kernel(CovarianceForm::kFull);
  ASSERT_TRUE(ClosedFormKernel().compute(previous_, transition_, fresh, prediction_));
  EXPECT_EQ(kernel_.matrix, fresh.matrix);
  EXPECT_EQ(kernel_.offset, fresh.offset);
  EXPECT_EQ(kernel_.noise.lower(), fresh.noise.lower());
}

TEST_P(ClosedFormKernelForm, StaysPositiveDefiniteWithAlmostNoTransitionNoise) {
  transition_.noise.lower() *= 1e-6;
  ASSERT_TRUE(closed_form_.compute(previous_, transition_, kernel_, prediction_));
  // The transition is all but invertible, so that x_t fixes x_{t-1} up to J^-1 U J^-T.
  const Eigen::MatrixXd inverse = transition_.matrix.inverse();
  const Eigen::MatrixXd expected = inverse * transition_.noise.covariance() * inverse.transpose();
  EXPECT_TRUE(all_close(1e12 * kernel_.noise.covariance(), 1e12 * expected, 1e-2));
}

TEST_P(ClosedFormKernelForm, ReportsAPredictionThatIsNotFinite) {
  for (int i = 0; i < kDim; ++i) {
    AffineGaussian broken = transition_;
    broken.matrix(i, 1) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(closed_form_.compute(previous_, broken, kernel_, prediction_)) << "row " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(, ClosedFormKernelForm,
                         ::testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                         [](const auto& tested) { return test::form_name(tested.param); });

}  // namespace
}  // namespace ovf
