#include "ovf/math/covariance_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;
using test::RandomInputs;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
// Rounding of well-conditioned 4x4 algebra.
constexpr double kRounding = 1e-12;

class CovarianceFactorForm : public ::testing::TestWithParam<CovarianceForm> {
 protected:
  static constexpr int kDim = 4;
  RandomInputs inputs_{11};
  Eigen::MatrixXd covariance_ = inputs_.covariance(kDim, GetParam());
  CovarianceFactor factor_ = CovarianceFactor::from_covariance(covariance_, GetParam());
  Eigen::MatrixXd x_ = inputs_.matrix(kDim, 3);
};

TEST_P(CovarianceFactorForm, ReproducesTheCovariance) {
  EXPECT_EQ(factor_.dim(), kDim);
  EXPECT_EQ(factor_.form(), GetParam());
  EXPECT_EQ(factor_.is_diagonal(), GetParam() == CovarianceForm::kDiagonal);
  EXPECT_TRUE(all_close(factor_.covariance(), covariance_, kRounding));
  EXPECT_TRUE(all_close(factor_.lower() * factor_.lower().transpose(), covariance_, kRounding));
}

TEST_P(CovarianceFactorForm, HasALowerTriangleWithPositiveDiagonal) {
  EXPECT_TRUE(factor_.lower().isLowerTriangular(0.0));
  EXPECT_GT(factor_.lower().diagonal().minCoeff(), 0.0);
  EXPECT_EQ(factor_.lower().isDiagonal(0.0), factor_.is_diagonal());
}

TEST_P(CovarianceFactorForm, MultipliesLikeTheDenseFactor) {
  Eigen::MatrixXd product(kDim, x_.cols());
  factor_.multiply(x_, product);
  EXPECT_TRUE(all_close(product, factor_.lower() * x_, kRounding));
}

TEST_P(CovarianceFactorForm, WhitensLikeTheDenseInverse) {
  Eigen::MatrixXd whitened = x_;
  factor_.whiten(whitened);
  EXPECT_TRUE(all_close(whitened, factor_.lower().inverse() * x_, kRounding));
}

TEST_P(CovarianceFactorForm, UnwhitensLikeTheDenseTransposedInverse) {
  Eigen::MatrixXd unwhitened = x_;
  factor_.unwhiten_transposed(unwhitened);
  EXPECT_TRUE(all_close(unwhitened, factor_.lower().inverse().transpose() * x_, kRounding));
}

TEST_P(CovarianceFactorForm, SolvesWithTheCovarianceByWhiteningTwice) {
  Eigen::VectorXd solution = x_.col(0);
  factor_.whiten(solution);
  factor_.unwhiten_transposed(solution);
  EXPECT_TRUE(all_close(solution, covariance_.inverse() * x_.col(0), kRounding));
}

TEST_P(CovarianceFactorForm, KnowsItsDeviationsAndDeterminant) {
  EXPECT_TRUE(
      all_close(factor_.standard_deviations(), covariance_.diagonal().cwiseSqrt(), kRounding));
  EXPECT_NEAR(factor_.log_determinant(), 0.5 * std::log(covariance_.determinant()), kRounding);
}

TEST_P(CovarianceFactorForm, StartsAsAScaledIdentity) {
  const CovarianceFactor scaled(3, GetParam(), 2.5);
  EXPECT_EQ(scaled.lower(), 2.5 * Eigen::MatrixXd::Identity(3, 3));
  EXPECT_EQ(scaled.form(), GetParam());
}

TEST_P(CovarianceFactorForm, AssignsAnotherCovarianceFromItsLowerTriangle) {
  const Eigen::MatrixXd other = inputs_.covariance(kDim, CovarianceForm::kFull);
  Eigen::MatrixXd half = other;
  half.triangularView<Eigen::StrictlyUpper>().setConstant(1e6);
  Eigen::MatrixXd scratch;
  ASSERT_TRUE(factor_.assign_covariance(half, scratch));
  Eigen::MatrixXd expected = other;
  if (factor_.is_diagonal()) expected = other.diagonal().asDiagonal();
  EXPECT_TRUE(all_close(factor_.covariance(), expected, kRounding));
  EXPECT_TRUE(factor_.lower().isLowerTriangular(0.0));
}

TEST_P(CovarianceFactorForm, KeepsTheFactorWhenAssigningANegativeVariance) {
  const Eigen::MatrixXd before = factor_.lower();
  Eigen::MatrixXd bad = covariance_, scratch;
  bad(2, 2) = -1e-3;
  EXPECT_FALSE(factor_.assign_covariance(bad, scratch));
  EXPECT_EQ(factor_.lower(), before);
  bad(2, 2) = 0.0;
  EXPECT_FALSE(factor_.assign_covariance(bad, scratch));
  EXPECT_EQ(factor_.lower(), before);
}

TEST_P(CovarianceFactorForm, KeepsTheFactorWhenAssigningNanInAnyDiagonalEntry) {
  const Eigen::MatrixXd before = factor_.lower();
  for (int i = 0; i < kDim; ++i) {
    Eigen::MatrixXd bad = covariance_, scratch;
    bad(i, i) = kNan;
    EXPECT_FALSE(factor_.assign_covariance(bad, scratch)) << "NaN at " << i;
    EXPECT_EQ(factor_.lower(), before) << "NaN at " << i;
  }
}

TEST_P(CovarianceFactorForm, RejectsCovarianceThatIsNotSquare) {
  const std::string message = message_of(
      [&] { CovarianceFactor::from_covariance(Eigen::MatrixXd::Ones(2, 3), GetParam()); });
  EXPECT_TRUE(contains(message, "2x3")) << message;
}

TEST_P(CovarianceFactorForm, RejectsNanAndInfinity) {
  for (const double value : {kNan, std::numeric_limits<double>::infinity()}) {
    Eigen::MatrixXd bad = covariance_;
    bad(1, 1) = value;
    EXPECT_THROW(CovarianceFactor::from_covariance(bad, GetParam()), std::invalid_argument);
  }
}

TEST_P(CovarianceFactorForm, RejectsCovarianceThatIsNotSymmetric) {
  Eigen::MatrixXd bad = covariance_;
  bad(0, 3) += 1e-3;
  const std::string message =
      message_of([&] { CovarianceFactor::from_covariance(bad, GetParam()); });
  EXPECT_TRUE(contains(message, "not symmetric")) << message;
}

TEST_P(CovarianceFactorForm, RejectsCovarianceThatIsNotPositiveDefinite) {
  Eigen::MatrixXd bad = covariance_;
  bad(3, 3) = -0.25;
  const std::string message =
      message_of([&] { CovarianceFactor::from_covariance(bad, GetParam()); });
  EXPECT_TRUE(contains(message, "not positive definite")) << message;
  EXPECT_TRUE(contains(message, "-0.25")) << message;
}

INSTANTIATE_TEST_SUITE_P(, CovarianceFactorForm,
                         ::testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                         [](const auto& tested) { return test::form_name(tested.param); });

TEST(CovarianceFactor, RejectsCorrelationsBeyondOne) {
  Eigen::Matrix2d bad;
  bad << 1.0, 1.1, 1.1, 1.0;
  EXPECT_THROW(CovarianceFactor::from_covariance(bad, CovarianceForm::kFull),
               std::invalid_argument);
  CovarianceFactor factor(2, CovarianceForm::kFull, 3.0);
  Eigen::MatrixXd scratch;
  EXPECT_FALSE(factor.assign_covariance(bad, scratch));
  EXPECT_EQ(factor.lower(), 3.0 * Eigen::MatrixXd::Identity(2, 2));
}

TEST(CovarianceFactor, KeepsTheFullFactorWhenAssigningNanOffTheDiagonal) {
  CovarianceFactor factor(2, CovarianceForm::kFull, 3.0);
  Eigen::MatrixXd bad = Eigen::MatrixXd::Identity(2, 2), scratch;
  bad(1, 0) = kNan;
  EXPECT_FALSE(factor.assign_covariance(bad, scratch));
  EXPECT_EQ(factor.lower(), 3.0 * Eigen::MatrixXd::Identity(2, 2));
}

TEST(CovarianceFactor, RejectsEntriesOffTheDiagonalInDiagonalForm) {
  Eigen::Matrix2d correlated;
  correlated << 1.0, 0.1, 0.1, 1.0;
  const std::string message =
      message_of([&] { CovarianceFactor::from_covariance(correlated, CovarianceForm::kDiagonal); });
  EXPECT_TRUE(contains(message, "diagonal")) << message;
  EXPECT_NO_THROW(CovarianceFactor::from_covariance(correlated, CovarianceForm::kFull));
}

TEST(CovarianceFactor, TakesStandardDeviations) {
  const Eigen::Vector3d deviations(0.1, 2.0, 30.0);
  const auto factor = CovarianceFactor::from_standard_deviations(deviations);
  EXPECT_TRUE(factor.is_diagonal());
  EXPECT_TRUE(all_close(factor.covariance(), deviations.cwiseAbs2().asDiagonal().toDenseMatrix(),
                        kRounding));
}

TEST(CovarianceFactor, NamesTheStandardDeviationThatIsNotPositiveAndFinite) {
  for (const double value : {0.0, -2.0, kNan, std::numeric_limits<double>::infinity()}) {
    const Eigen::Vector3d deviations(1.0, value, 1.0);
    const std::string message =
        message_of([&] { CovarianceFactor::from_standard_deviations(deviations); });
    EXPECT_TRUE(contains(message, "standard deviation 1 is")) << message;
  }
}

}  // namespace
}  // namespace ovf
