#include "ovf/math/rotation.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "math/random_inputs.hpp"
#include "model/mean_checks.hpp"
#include "ovf/model/dual_mean.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

// On both sides of where the series begin, and up to half a turn.
constexpr double kAngles[] = {0.0, 1e-9, 1e-4, 0.0316, 0.03163, 0.0632, 0.06326, 0.5, 2.0, 3.14159};

Eigen::Vector3d some_axis(int seed) {
  return RandomInputs(static_cast<std::uint64_t>(seed)).vector(3).normalized();
}

TEST(Rotation, OfAVectorIsAboutItsAxisByItsLength) {
  for (const double angle : kAngles) {
    const Eigen::Vector3d axis = some_axis(1);
    const Eigen::Matrix3d expected = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    const Vector3<double> vector = angle * axis;
    EXPECT_TRUE(all_close(rotation_quaternion(vector).toRotationMatrix(), expected, 1e-15));
  }
}

TEST(Rotation, VectorOfItIsTheOneItCameFrom) {
  for (const double angle : kAngles) {
    const Vector3<double> vector = angle * some_axis(2);
    EXPECT_TRUE(all_close(rotation_vector(rotation_quaternion(vector)), vector, 1e-14));
  }
}

TEST(Rotation, VectorIsTheShortWayRound) {
  const Vector3<double> vector = (std::numbers::pi + 0.5) * some_axis(3);
  const Vector3<double> shorter = (0.5 - std::numbers::pi) * some_axis(3);
  EXPECT_TRUE(all_close(rotation_vector(rotation_quaternion(vector)), shorter, 1e-14));
  Eigen::Quaterniond negated = rotation_quaternion(shorter);
  negated.coeffs() *= -1.0;
  EXPECT_TRUE(all_close(rotation_vector(negated), shorter, 1e-14));
}

TEST(Rotation, SkewMatrixIsTheCrossProduct) {
  RandomInputs inputs(4);
  const Vector3<double> a = inputs.vector(3), b = inputs.vector(3);
  EXPECT_TRUE(all_close(skew(a) * b, a.cross(b), 1e-15));
}

TEST(Rotation, LeftJacobianIsTheSlopeOfTheRotationOnItsLeft) {
  for (const double angle : kAngles) {
    const Vector3<double> vector = angle * some_axis(5);
    const Eigen::Quaterniond at = rotation_quaternion(vector);
    const auto on_left = [&](const Eigen::VectorXd& moved) -> Eigen::VectorXd {
      const Vector3<double> r = moved;
      return rotation_vector(Eigen::Quaterniond(rotation_quaternion(r) * at.conjugate()));
    };
    const auto on_right = [&](const Eigen::VectorXd& moved) -> Eigen::VectorXd {
      const Vector3<double> r = moved;
      return rotation_vector(Eigen::Quaterniond(at.conjugate() * rotation_quaternion(r)));
    };
    EXPECT_TRUE(all_close(left_jacobian(vector), numerical_jacobian(on_left, vector), 1e-9));
    const Vector3<double> back = -vector;
    EXPECT_TRUE(all_close(left_jacobian(back), numerical_jacobian(on_right, vector), 1e-9));
  }
}

TEST(Rotation, LeftJacobianIsTheMeanRotationOnTheWay) {
  const Vector3<double> vector = 2.5 * some_axis(6);
  // Midpoint rule: error (2.5 / n)^2 / 24.
  constexpr int kParts = 20000;
  Eigen::Matrix3d mean = Eigen::Matrix3d::Zero();
  for (int i = 0; i < kParts; ++i) {
    const Vector3<double> part = (i + 0.5) / kParts * vector;
    mean += rotation_quaternion(part).toRotationMatrix() / kParts;
  }
  EXPECT_TRUE(all_close(left_jacobian(vector), mean, 1e-8));
}

// log(constant * exp(x)), all entries of J(x), and exp(x) itself.
struct EveryFunction {
  Eigen::Quaterniond constant;

  template <typename T>
  void operator()(const StepInput& /*input*/, const T* x, T* out) const {
    const Vector3<T> vector(x[0], x[1], x[2]);
    const Eigen::Quaternion<T> rotation = rotation_quaternion(vector);
    const Vector3<T> moved = rotation_vector(Eigen::Quaternion<T>(constant.cast<T>() * rotation));
    const Matrix3<T> jacobian = left_jacobian(vector);
    for (int i = 0; i < 3; ++i) out[i] = moved[i];
    for (int i = 0; i < 9; ++i) out[3 + i] = jacobian(i % 3, i / 3);
    for (int i = 0; i < 4; ++i) out[12 + i] = rotation.coeffs()[i];
  }
};

TEST(Rotation, HasTheNumericalDerivativesAlsoAtZero) {
  RandomInputs inputs(7);
  for (const double turn : {0.0, 1e-6, 0.4, 2.0}) {
    const Eigen::Quaterniond constant(Eigen::AngleAxisd(turn, some_axis(8)));
    DualMean<EveryFunction> mean(3, 16, EveryFunction{constant});
    Eigen::MatrixXd x(3, std::size(kAngles));
    for (std::size_t i = 0; i < std::size(kAngles); ++i) {
      x.col(static_cast<Eigen::Index>(i)) = 0.3 * kAngles[i] * some_axis(9);
    }
    test::expect_numerical_gradients(mean, {}, x, inputs, 1e-8);
  }
}

}  // namespace
}  // namespace ovf
