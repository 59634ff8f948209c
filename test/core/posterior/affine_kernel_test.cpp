#include "ovf/posterior/affine_kernel.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "math/random_inputs.hpp"
#include "posterior/kernel_checks.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::draw;
using test::parameters;
using test::RandomInputs;

constexpr int kDim = 3;
constexpr double kDifferences = 1e-8;

// Forms of the matrix and of the noise.
class AffineKernelForms
    : public ::testing::TestWithParam<std::tuple<CovarianceForm, CovarianceForm>> {
 protected:
  void SetUp() override {
    kernel_.assign(inputs_.conditional(kDim, kDim, noise_form_));
    x_ = inputs_.matrix(kDim, 6);
    noise_ = inputs_.matrix(kDim, 6);
  }

  CovarianceForm matrix_form_ = std::get<0>(GetParam());
  CovarianceForm noise_form_ = std::get<1>(GetParam());
  RandomInputs inputs_{101};
  AffineKernel kernel_{kDim, matrix_form_, noise_form_};
  Eigen::MatrixXd x_, noise_;
};

TEST_P(AffineKernelForms, StartsIndependentOfTheState) {
  const AffineKernel fresh(kDim, matrix_form_, noise_form_);
  EXPECT_EQ(draw(fresh, x_, noise_), noise_);
}

TEST_P(AffineKernelForms, TakesOverAConditionalAsFarAsItsFormGoes) {
  const AffineGaussian conditional = inputs_.conditional(kDim, kDim, noise_form_);
  kernel_.assign(conditional);
  Eigen::MatrixXd matrix = conditional.matrix;
  if (matrix_form_ == CovarianceForm::kDiagonal) {
    matrix = conditional.matrix.diagonal().asDiagonal();
  }
  ASSERT_NE(kernel_.affine(), nullptr);
  EXPECT_EQ(kernel_.affine()->matrix, matrix);
  EXPECT_EQ(kernel_.affine()->offset, conditional.offset);
  EXPECT_EQ(kernel_.noise().lower(), conditional.noise.lower());
}

TEST_P(AffineKernelForms, SamplesItsMeanPlusFactorTimesNoise) {
  const AffineGaussian& affine = *kernel_.affine();
  Eigen::MatrixXd mean;
  kernel_.mean(x_, mean);
  const Eigen::MatrixXd expected = (affine.matrix * x_).colwise() + affine.offset;
  EXPECT_TRUE(all_close(mean, expected, 1e-14));
  EXPECT_TRUE(
      all_close(draw(kernel_, x_, noise_), expected + affine.noise.lower() * noise_, 1e-14));
}

TEST_P(AffineKernelForms, ReturnsToTheSameParameters) {
  const int matrix_count = matrix_form_ == CovarianceForm::kDiagonal ? kDim : kDim * kDim;
  const int noise_count = noise_form_ == CovarianceForm::kDiagonal ? kDim : 6;
  ASSERT_EQ(kernel_.parameter_count(), matrix_count + kDim + noise_count);
  const Eigen::VectorXd phi = inputs_.vector(kernel_.parameter_count());
  kernel_.write_parameters(phi);
  EXPECT_TRUE(all_close(parameters(kernel_), phi, 1e-14));
  EXPECT_EQ(kernel_.gaussian().matrix(0, 0), phi[0]);
  EXPECT_EQ(kernel_.gaussian().offset, phi.segment(matrix_count, kDim));
  EXPECT_EQ(kernel_.gaussian().matrix.isDiagonal(0.0), matrix_form_ == CovarianceForm::kDiagonal);
}

TEST_P(AffineKernelForms, HasTheNumericalGradientThroughItsSamples) {
  test::expect_numerical_gradient_through_samples(kernel_, x_, noise_, kDifferences);
}

TEST_P(AffineKernelForms, PullsBackTheNumericalGradientWithRespectToTheState) {
  test::expect_numerical_gradient_by_state(kernel_, x_, noise_, kDifferences);
}

TEST_P(AffineKernelForms, AddsTheNumericalGradientOfItsEntropy) {
  test::expect_numerical_entropy_gradient(kernel_, inputs_.vector(kernel_.parameter_count()),
                                          kDifferences);
}

TEST_P(AffineKernelForms, ClonesIndependently) {
  test::expect_independent_clones(kernel_, x_, noise_, inputs_.vector(kernel_.parameter_count()));
}

INSTANTIATE_TEST_SUITE_P(
    , AffineKernelForms,
    ::testing::Combine(::testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                       ::testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull)),
    [](const auto& tested) {
      return test::form_name(std::get<0>(tested.param)) + "Matrix" +
             test::form_name(std::get<1>(tested.param)) + "Noise";
    });

}  // namespace
}  // namespace ovf
