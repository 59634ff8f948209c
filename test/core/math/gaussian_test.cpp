#include "ovf/math/gaussian.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr double kRounding = 1e-12;
// Central differences with step 1e-5: truncation 1e-10, rounding 1e-11, with margin.
constexpr double kDifferences = 1e-8;

double dense_log_density(const Gaussian& gaussian, const Eigen::VectorXd& x) {
  const Eigen::MatrixXd covariance = gaussian.covariance();
  const Eigen::VectorXd r = x - gaussian.mean;
  return -0.5 * r.dot(covariance.inverse() * r) -
         0.5 * std::log((2.0 * std::numbers::pi * covariance).determinant());
}

double dense_kl(const Gaussian& p, const Gaussian& q) {
  const Eigen::MatrixXd precision = q.covariance().inverse();
  const Eigen::VectorXd r = q.mean - p.mean;
  return 0.5 * ((precision * p.covariance()).trace() + r.dot(precision * r) - p.dim() +
                std::log(q.covariance().determinant() / p.covariance().determinant()));
}

class GaussianForm : public ::testing::TestWithParam<CovarianceForm> {
 protected:
  static constexpr int kDim = 3;
  RandomInputs inputs_{21};
  Gaussian gaussian_ = inputs_.gaussian(kDim, GetParam());
};

TEST_P(GaussianForm, HasTheDenseLogDensity) {
  const Eigen::MatrixXd x = inputs_.matrix(kDim, 6);
  Eigen::VectorXd values;
  log_density(gaussian_, x, values);
  ASSERT_EQ(values.size(), 6);
  for (int i = 0; i < 6; ++i) {
    EXPECT_NEAR(values[i], dense_log_density(gaussian_, x.col(i)), kRounding);
  }
}

TEST_P(GaussianForm, HasTheNumericalGradientOfItsLogDensity) {
  const Eigen::MatrixXd x = inputs_.matrix(kDim, 4);
  Eigen::MatrixXd gradients;
  log_density_gradient(gaussian_, x, gradients);
  for (int i = 0; i < 4; ++i) {
    const auto density = [&](const Eigen::VectorXd& at) {
      return dense_log_density(gaussian_, at);
    };
    EXPECT_TRUE(all_close(gradients.col(i), numerical_gradient(density, x.col(i)), kDifferences));
  }
}

TEST_P(GaussianForm, HasZeroDivergenceFromItself) {
  EXPECT_NEAR(kl_divergence(gaussian_, gaussian_), 0.0, 1e-14);
}

TEST_P(GaussianForm, HasTheDenseDivergenceFromEitherForm) {
  for (const auto form : {CovarianceForm::kDiagonal, CovarianceForm::kFull}) {
    const Gaussian other = inputs_.gaussian(kDim, form);
    EXPECT_NEAR(kl_divergence(gaussian_, other), dense_kl(gaussian_, other), 1e-11);
    EXPECT_GT(kl_divergence(gaussian_, other), 0.0);
  }
}

TEST_P(GaussianForm, StartsStandard) {
  const Gaussian standard = standard_gaussian(kDim, GetParam());
  EXPECT_EQ(standard.mean, Eigen::VectorXd::Zero(kDim));
  EXPECT_EQ(standard.covariance(), Eigen::MatrixXd::Identity(kDim, kDim));
  EXPECT_EQ(standard.factor.form(), GetParam());
}

TEST_P(GaussianForm, JoinsAConditionalIntoTheDenseBlockCovariance) {
  constexpr int kOut = 2;
  const AffineGaussian conditional = inputs_.conditional(kOut, kDim, GetParam());
  const Gaussian both = joint(conditional, gaussian_);
  const Eigen::MatrixXd s = gaussian_.covariance();
  const Eigen::MatrixXd& a = conditional.matrix;
  Eigen::MatrixXd covariance(kDim + kOut, kDim + kOut);
  covariance << s, s * a.transpose(), a * s, a * s * a.transpose() + conditional.noise.covariance();
  Eigen::VectorXd mean(kDim + kOut);
  mean << gaussian_.mean, a * gaussian_.mean + conditional.offset;
  EXPECT_TRUE(all_close(both.mean, mean, kRounding));
  EXPECT_TRUE(all_close(both.covariance(), covariance, kRounding));
  EXPECT_FALSE(both.factor.is_diagonal());
  EXPECT_TRUE(both.factor.lower().isLowerTriangular(0.0));
}

INSTANTIATE_TEST_SUITE_P(, GaussianForm,
                         ::testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                         [](const auto& tested) { return test::form_name(tested.param); });

}  // namespace
}  // namespace ovf
