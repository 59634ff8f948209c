#include "ovf/regression/hermite_projection.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "regression/regression_samples.hpp"

namespace ovf {
namespace {

using test::largest_difference;
using test::normal_matrix;
using test::predictions;

// Two quadratics of three variables:
//   2 + z_0 - 3 z_1 z_2 + z_1^2 and 1 - z_2.
Eigen::MatrixXd quadratics(const Eigen::MatrixXd& z) {
  Eigen::MatrixXd y(2, z.cols());
  y.row(0) = 2.0 + z.row(0).array() - 3.0 * z.row(1).array() * z.row(2).array() +
             z.row(1).array().square();
  y.row(1) = 1.0 - z.row(2).array();
  return y;
}

// In the order 1, z_0, z_1, z_2, z_0 z_1, z_0 z_2, z_1 z_2, then (z_i^2 - 1) / sqrt2, using
// z_1^2 = 1 + sqrt2 (z_1^2 - 1) / sqrt2.
Eigen::MatrixXd true_coefficients() {
  Eigen::MatrixXd c(2, 10);
  c << 3, 1, 0, 0, 0, 0, -3, 0, std::numbers::sqrt2, 0,  //
      1, 0, 0, -1, 0, 0, 0, 0, 0, 0;
  return c;
}

TEST(HermiteProjection, FeaturesAreOrthonormalUnderTheStandardNormal) {
  // Two-point Gauss-Hermite nodes are too few for squares of quadratics; three (0, +-sqrt3 with
  // weights 2/3, 1/6, 1/6) integrate polynomials up to degree 5 exactly, 9 nodes in the plane.
  const double root = std::sqrt(3.0);
  const double nodes[] = {0.0, root, -root};
  const double weights[] = {2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0};
  Eigen::MatrixXd z(2, 9);
  Eigen::VectorXd weight(9);
  for (int i = 0; i < 9; ++i) {
    z.col(i) << nodes[i / 3], nodes[i % 3];
    weight[i] = weights[i / 3] * weights[i % 3];
  }
  Eigen::MatrixXd features;
  hermite_features(z, 2, features);
  ASSERT_EQ(features.rows(), 6);
  EXPECT_LT(largest_difference(features * weight.asDiagonal() * features.transpose(),
                               Eigen::MatrixXd::Identity(6, 6)),
            1e-12);
}

TEST(HermiteProjection, LeastSquaresRecoversAQuadraticExactly) {
  HermiteProjection regressor({.degree = 2, .least_squares = true});
  const Eigen::MatrixXd z = normal_matrix(3, 40, 3);
  regressor.fit(z, quadratics(z));
  EXPECT_LT(largest_difference(regressor.coefficients(), true_coefficients()), 1e-11);
  const Eigen::MatrixXd other = normal_matrix(3, 8, 4);
  EXPECT_LT(largest_difference(predictions(regressor, other), quadratics(other)), 1e-10);
}

TEST(HermiteProjection, AveragesRecoverAQuadraticWithinMonteCarloError) {
  HermiteProjection regressor({});
  const int samples = 100000;
  const Eigen::MatrixXd z = normal_matrix(3, samples, 5);
  regressor.fit(z, quadratics(z));
  // A coefficient is an average of target times feature. The largest standard deviation of that
  // product is below 15 (target variance 12, fourth-moment factor of a quadratic feature), so
  // five standard errors are 5 * 15 / sqrt(1e5) = 0.24; the right answer differs from its
  // neighbours by at least 1.
  EXPECT_LT(largest_difference(regressor.coefficients(), true_coefficients()), 0.24);
}

TEST(HermiteProjection, LowerDegreesAreTheLeadingFeatures) {
  const Eigen::MatrixXd z = normal_matrix(3, 500, 6);
  HermiteProjection full({.degree = 2}), linear({.degree = 1}), constant({.degree = 0});
  for (HermiteProjection* regressor : {&full, &linear, &constant}) regressor->fit(z, quadratics(z));
  EXPECT_LT(largest_difference(linear.coefficients(), full.coefficients().leftCols(4)), 1e-12);
  EXPECT_LT(largest_difference(constant.coefficients(), quadratics(z).rowwise().mean()), 1e-12);
}

TEST(HermiteProjection, LeastSquaresNeedsMoreSamplesThanFeatures) {
  HermiteProjection regressor({.degree = 2, .least_squares = true});
  const Eigen::MatrixXd z = normal_matrix(3, 11, 7);
  EXPECT_THROW(regressor.fit(z.leftCols(10), quadratics(z.leftCols(10))), std::invalid_argument);
  EXPECT_NO_THROW(regressor.fit(z, quadratics(z)));
}

TEST(HermiteProjection, LeastSquaresRejectsInputsInAPlaneAndKeepsTheLastFit) {
  HermiteProjection regressor({.degree = 2, .least_squares = true});
  Eigen::MatrixXd z = normal_matrix(3, 40, 8);
  regressor.fit(z, quadratics(z));
  z.row(2) = z.row(0);
  EXPECT_THROW(regressor.fit(z, quadratics(z)), std::invalid_argument);
  EXPECT_LT(largest_difference(regressor.coefficients(), true_coefficients()), 1e-11);
}

}  // namespace
}  // namespace ovf
