#include "ovf/posterior/affine_kernel.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"
#include "posterior/wavy_function.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;
using test::wavy;
using test::wavy_gradient;
using test::wavy_mean;

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
  Eigen::VectorXd parameters() const {
    Eigen::VectorXd phi(kernel_.parameter_count());
    kernel_.read_parameters(phi);
    return phi;
  }
  AffineKernel moved_to(const Eigen::VectorXd& phi) const {
    AffineKernel moved = kernel_;
    moved.write_parameters(phi);
    return moved;
  }
  static Eigen::MatrixXd draw(const BackwardKernel& kernel, const Eigen::MatrixXd& x,
                              const Eigen::MatrixXd& noise) {
    Eigen::MatrixXd previous;
    kernel.sample(x, noise, previous);
    return previous;
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
  EXPECT_TRUE(all_close(parameters(), phi, 1e-14));
  EXPECT_EQ(kernel_.gaussian().matrix(0, 0), phi[0]);
  EXPECT_EQ(kernel_.gaussian().offset, phi.segment(matrix_count, kDim));
  EXPECT_EQ(kernel_.gaussian().matrix.isDiagonal(0.0), matrix_form_ == CovarianceForm::kDiagonal);
}

TEST_P(AffineKernelForms, HasTheNumericalGradientThroughItsSamples) {
  Eigen::VectorXd gradient(kernel_.parameter_count());
  kernel_.parameter_gradient(x_, wavy_gradient(draw(kernel_, x_, noise_)), noise_, gradient);
  const auto objective = [&](const Eigen::VectorXd& phi) {
    return wavy_mean(draw(moved_to(phi), x_, noise_));
  };
  EXPECT_TRUE(all_close(gradient, numerical_gradient(objective, parameters()), kDifferences));
}

TEST_P(AffineKernelForms, PullsBackTheNumericalGradientWithRespectToTheState) {
  Eigen::MatrixXd pulled;
  kernel_.pull_back(x_, wavy_gradient(draw(kernel_, x_, noise_)), pulled);
  for (int i = 0; i < x_.cols(); ++i) {
    const auto objective = [&](const Eigen::VectorXd& x) {
      return wavy(draw(kernel_, x, noise_.col(i)));
    };
    EXPECT_TRUE(all_close(pulled.col(i), numerical_gradient(objective, x_.col(i)), kDifferences));
  }
}

TEST_P(AffineKernelForms, AddsTheNumericalGradientOfItsEntropy) {
  const auto entropy = [&](const Eigen::VectorXd& phi) {
    return moved_to(phi).noise().log_determinant();
  };
  const Eigen::VectorXd start = inputs_.vector(kernel_.parameter_count());
  Eigen::VectorXd gradient = start;
  kernel_.add_entropy_gradient(gradient);
  EXPECT_TRUE(all_close(gradient - start, numerical_gradient(entropy, parameters()), kDifferences));
}

TEST_P(AffineKernelForms, ClonesIndependently) {
  const auto copy = kernel_.clone();
  const Eigen::MatrixXd before = draw(kernel_, x_, noise_);
  EXPECT_EQ(draw(*copy, x_, noise_), before);
  copy->write_parameters(inputs_.vector(kernel_.parameter_count()));
  EXPECT_EQ(draw(kernel_, x_, noise_), before);
  EXPECT_NE(draw(*copy, x_, noise_), before);
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
