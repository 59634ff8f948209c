#include "ovf/math/cubature.hpp"

#include <gtest/gtest.h>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;

class CubatureDimension : public ::testing::TestWithParam<int> {};

TEST_P(CubatureDimension, HasTheMomentsOfTheGaussian) {
  test::RandomInputs inputs(71);
  const Gaussian gaussian = inputs.gaussian(GetParam(), CovarianceForm::kFull);
  Cubature cubature;
  cubature.assign(gaussian);
  const Eigen::MatrixXd centred = cubature.points().colwise() - gaussian.mean;
  EXPECT_NEAR(cubature.weights().sum(), 1.0, 1e-14);
  EXPECT_TRUE((cubature.weights().array() >= 0.0).all());
  EXPECT_TRUE(all_close(cubature.mean(cubature.points()), gaussian.mean, 1e-12));
  EXPECT_TRUE(all_close(centred * cubature.weights().asDiagonal() * centred.transpose(),
                        gaussian.covariance(), 1e-12));
}

TEST_P(CubatureDimension, HasTheExpectedGradientOfAQuadraticByStein) {
  test::RandomInputs inputs(72);
  const int d = GetParam();
  const Gaussian gaussian = inputs.gaussian(d, CovarianceForm::kFull);
  const Eigen::MatrixXd a = inputs.matrix(d, d);
  Cubature cubature;
  cubature.assign(gaussian);
  const Eigen::MatrixXd values =
      cubature.points().cwiseProduct(a * cubature.points()).colwise().sum();
  Eigen::MatrixXd gradient = cubature.with_axes(values);
  gaussian.factor.unwhiten_transposed(gradient);
  EXPECT_TRUE(all_close(gradient, (a + a.transpose()) * gaussian.mean, 1e-10));
}

INSTANTIATE_TEST_SUITE_P(, CubatureDimension, ::testing::Values(1, 2, 3, 7));

TEST(Cubature, IsThreePointGaussHermiteInOneDimension) {
  Cubature cubature;
  cubature.assign(standard_gaussian(1, CovarianceForm::kDiagonal));
  EXPECT_NEAR(cubature.mean(cubature.points().array().pow(4).matrix())(0), 3.0, 1e-12);
}

}  // namespace
}  // namespace ovf
