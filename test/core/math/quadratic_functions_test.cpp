#include "ovf/math/quadratic_functions.hpp"

#include <gtest/gtest.h>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::cubature_points;
using test::evaluate;
using test::RandomInputs;

constexpr int kDim = 3;
constexpr int kCount = 4;
// Sums of some tens of terms of order ten.
constexpr double kRounding = 1e-11;

// h_j(z) from the definition.
double definition(const QuadraticFunctions& h, int j, const Eigen::VectorXd& z) {
  const Eigen::MatrixXd q = h.quadratic().middleCols(j * h.dim(), h.dim());
  return h.constant()[j] + h.linear().col(j).dot(z) + 0.5 * (z.dot(q * z) - q.trace());
}

class QuadraticFunctionsTest : public ::testing::Test {
 protected:
  RandomInputs inputs_{31};
  QuadraticFunctions h_ = inputs_.quadratics(kDim, kCount);
  // More than the ten coefficients of a quadratic in three variables: functions that agree at all
  // of these points have the same coefficients.
  Eigen::MatrixXd z_ = inputs_.matrix(kDim, 15);
};

TEST_F(QuadraticFunctionsTest, StartAtZeroAndReturnToZero) {
  EXPECT_EQ(QuadraticFunctions(kDim, kCount).values(z_), Eigen::MatrixXd::Zero(kCount, z_.cols()));
  h_.set_zero();
  EXPECT_EQ(h_.dim(), kDim);
  EXPECT_EQ(h_.count(), kCount);
  EXPECT_EQ(h_.values(z_), Eigen::MatrixXd::Zero(kCount, z_.cols()));
}

TEST_F(QuadraticFunctionsTest, HaveTheValuesOfTheirDefinition) {
  const Eigen::MatrixXd values = h_.values(z_);
  for (int j = 0; j < kCount; ++j) {
    for (int i = 0; i < z_.cols(); ++i) {
      EXPECT_NEAR(values(j, i), definition(h_, j, z_.col(i)), kRounding);
    }
  }
}

TEST_F(QuadraticFunctionsTest, HaveTheirConstantsAsMeans) {
  EXPECT_TRUE(
      all_close(h_.values(cubature_points(kDim)).rowwise().mean(), h_.constant(), kRounding));
}

TEST_F(QuadraticFunctionsTest, HaveTheNumericalGradients) {
  for (int j = 0; j < kCount; ++j) {
    const Eigen::MatrixXd gradients = h_.gradients(j, z_);
    for (int i = 0; i < z_.cols(); ++i) {
      const auto function = [&](const Eigen::VectorXd& at) { return definition(h_, j, at); };
      // Central differences of a quadratic have no truncation error; rounding is 1e-15 * 100 /
      // 1e-5.
      EXPECT_TRUE(all_close(gradients.col(i), numerical_gradient(function, z_.col(i)), 1e-8));
    }
  }
}

TEST_F(QuadraticFunctionsTest, ExpectTheirMeanUnderAnyGaussianWithoutTheConstant) {
  const Gaussian gaussian = inputs_.gaussian(kDim, CovarianceForm::kFull);
  const Eigen::MatrixXd points =
      (gaussian.factor.lower() * cubature_points(kDim)).colwise() + gaussian.mean;
  Eigen::VectorXd variation;
  h_.expected_variation(gaussian.mean, gaussian.covariance(), variation);
  EXPECT_TRUE(all_close(variation, h_.values(points).rowwise().mean() - h_.constant(), kRounding));
}

TEST_F(QuadraticFunctionsTest, ExpectNoVariationUnderTheStandardNormal) {
  Eigen::VectorXd variation;
  h_.expected_variation(Eigen::VectorXd::Zero(kDim), Eigen::MatrixXd::Identity(kDim, kDim),
                        variation);
  EXPECT_TRUE(all_close(variation, Eigen::VectorXd::Zero(kCount), kRounding));
}

TEST_F(QuadraticFunctionsTest, ComposeToTheExpectationOverTheNoiseWithoutConstants) {
  const AffineVariable z_old = inputs_.affine(kDim, kDim, 2);
  QuadraticFunctions composed = inputs_.quadratics(kDim, kCount);  // must be overwritten
  Eigen::MatrixXd scratch;
  h_.compose(z_old, composed, scratch);
  EXPECT_EQ(composed.constant(), Eigen::VectorXd::Zero(kCount));

  const auto brute_force = [&](const Eigen::VectorXd& z) -> Eigen::VectorXd {
    return h_.values(evaluate(z_old, z, cubature_points(2))).rowwise().mean();
  };
  // What is left out is the mean over z.
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(kCount);
  const Eigen::MatrixXd points = cubature_points(kDim);
  for (int i = 0; i < points.cols(); ++i) mean += brute_force(points.col(i)) / points.cols();
  for (int i = 0; i < z_.cols(); ++i) {
    EXPECT_TRUE(all_close(composed.values(z_.col(i)), brute_force(z_.col(i)) - mean, kRounding));
  }
  for (int j = 0; j < kCount; ++j) {
    const Eigen::MatrixXd q = composed.quadratic_of(j);
    EXPECT_TRUE(all_close(q, q.transpose(), kRounding));
  }
}

TEST_F(QuadraticFunctionsTest, AddTheExpectedProductOfTwoAffineScalars) {
  const AffineVariable u = inputs_.affine(1, kDim, 2), v = inputs_.affine(1, kDim, 2);
  const Eigen::MatrixXd before = h_.values(z_);
  const Eigen::VectorXd uz = u.by_z.row(0), vz = v.by_z.row(0);
  h_.add_product(2, -1.5, u.constant[0], uz, v.constant[0], vz, u.by_e.row(0).dot(v.by_e.row(0)));
  const Eigen::MatrixXd added = h_.values(z_) - before;
  const Eigen::MatrixXd e = cubature_points(2);
  for (int i = 0; i < z_.cols(); ++i) {
    const Eigen::ArrayXXd product =
        evaluate(u, z_.col(i), e).array() * evaluate(v, z_.col(i), e).array();
    EXPECT_NEAR(added(2, i), -1.5 * product.mean(), kRounding);
  }
  EXPECT_TRUE(all_close(added.topRows(2), Eigen::MatrixXd::Zero(2, z_.cols()), 0.0));
  EXPECT_TRUE(all_close(added.bottomRows(1), Eigen::MatrixXd::Zero(1, z_.cols()), 0.0));
}

TEST_F(QuadraticFunctionsTest, AddTheExpectedSquaredNormToTheFirst) {
  const AffineVariable w = inputs_.affine(4, kDim, 2);
  const Eigen::MatrixXd before = h_.values(z_);
  h_.add_squared_norm(0.7, w.constant, w.by_z, w.by_e.squaredNorm());
  const Eigen::MatrixXd added = h_.values(z_) - before;
  const Eigen::MatrixXd e = cubature_points(2);
  for (int i = 0; i < z_.cols(); ++i) {
    const double norm = evaluate(w, z_.col(i), e).colwise().squaredNorm().mean();
    EXPECT_NEAR(added(0, i), -0.5 * 0.7 * norm, kRounding);
  }
  EXPECT_TRUE(all_close(added.bottomRows(3), Eigen::MatrixXd::Zero(3, z_.cols()), 0.0));
}

}  // namespace
}  // namespace ovf
