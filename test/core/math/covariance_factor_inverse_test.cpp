#include <gtest/gtest.h>

#include <Eigen/LU>
#include <limits>
#include <string>

#include "math/random_inputs.hpp"
#include "ovf/math/covariance_factor.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

// Rounding of well-conditioned 10x10 algebra.
constexpr double kRounding = 1e-12;

class InverseOfPrecision : public ::testing::TestWithParam<int> {
 protected:
  int dim_ = GetParam();
  RandomInputs inputs_{12};
  Eigen::MatrixXd precision_ = inputs_.covariance(dim_, CovarianceForm::kFull);
  Eigen::MatrixXd scratch_;
};

TEST_P(InverseOfPrecision, IsTheInverseInTheFullForm) {
  CovarianceFactor factor = inputs_.factor(dim_, CovarianceForm::kFull);
  ASSERT_TRUE(factor.assign_inverse(precision_, scratch_));
  EXPECT_TRUE(all_close(factor.covariance(), precision_.inverse(), kRounding));
  EXPECT_TRUE(factor.lower().isLowerTriangular(0.0));
  EXPECT_GT(factor.lower().diagonal().minCoeff(), 0.0);
}

// Not the diagonal of the inverse, which is larger.
TEST_P(InverseOfPrecision, IsTheInverseOfTheDiagonalInTheDiagonalForm) {
  CovarianceFactor factor = inputs_.factor(dim_, CovarianceForm::kDiagonal);
  ASSERT_TRUE(factor.assign_inverse(precision_, scratch_));
  EXPECT_TRUE(
      all_close(factor.covariance().diagonal(), precision_.diagonal().cwiseInverse(), kRounding));
  EXPECT_TRUE(factor.lower().isDiagonal(0.0));
}

// Of another size, with other numbers in it.
TEST_P(InverseOfPrecision, DoesNotDependOnTheScratchSpace) {
  CovarianceFactor once(dim_, CovarianceForm::kFull), again(dim_, CovarianceForm::kFull);
  ASSERT_TRUE(once.assign_inverse(precision_, scratch_));
  scratch_.setConstant(dim_ + 3, dim_ + 3, std::numeric_limits<double>::quiet_NaN());
  ASSERT_TRUE(again.assign_inverse(precision_, scratch_));
  EXPECT_EQ(once.lower(), again.lower());
}

TEST_P(InverseOfPrecision, KeepsTheFactorOfAPrecisionThatIsNotPositiveAndFinite) {
  for (const auto form : {CovarianceForm::kDiagonal, CovarianceForm::kFull}) {
    CovarianceFactor factor = inputs_.factor(dim_, form);
    const Eigen::MatrixXd before = factor.lower();
    for (const double bad : {0.0, -1e-3, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
      for (int i = 0; i < dim_; ++i) {
        Eigen::MatrixXd precision = precision_;
        precision(i, i) = bad;
        EXPECT_FALSE(factor.assign_inverse(precision, scratch_)) << bad << " at " << i;
        EXPECT_EQ(factor.lower(), before) << bad << " at " << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, InverseOfPrecision, ::testing::Values(1, 2, 10), [](const auto& tested) {
  return "Dimension" + std::to_string(tested.param);
});

TEST(InverseOfFullPrecision, KeepsTheFactorOfCorrelationsBeyondOneAndOfNan) {
  for (const double bad : {1.1, -1.1, std::numeric_limits<double>::quiet_NaN()}) {
    CovarianceFactor factor(2, CovarianceForm::kFull, 3.0);
    Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(2, 2), scratch;
    precision(0, 1) = precision(1, 0) = bad;
    EXPECT_FALSE(factor.assign_inverse(precision, scratch)) << bad;
    EXPECT_EQ(factor.lower(), 3.0 * Eigen::MatrixXd::Identity(2, 2)) << bad;
  }
}

}  // namespace
}  // namespace ovf
