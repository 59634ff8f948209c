#include "ovf/model/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ParameterVector one_of_each() {
  ParameterVector parameters;
  parameters.add({.name = "free"}, -1.7);
  parameters.add({.name = "positive", .transform = Transform::kPositive}, 0.02);
  parameters.add({.name = "bounded", .transform = Transform::kBounded, .lower = -2.0, .upper = 3.0},
                 1.1);
  parameters.add({.name = "clamped", .lower = -1.0, .upper = 1.0}, 0.4);
  return parameters;
}

Eigen::VectorXd natural(const ParameterVector& parameters, Eigen::VectorXd numbers) {
  Eigen::VectorXd values(numbers.size());
  parameters.to_natural(numbers, values);
  return values;
}

ParameterVector single(Transform transform, double lower, double upper, double value) {
  ParameterVector parameters;
  parameters.add({"theta", transform, lower, upper}, value);
  return parameters;
}

TEST(ParameterVector, FindsParametersByName) {
  const ParameterVector parameters = one_of_each();
  EXPECT_EQ(parameters.size(), 4);
  EXPECT_EQ(parameters.index_of("bounded"), 2);
  EXPECT_EQ(parameters.info(2).upper, 3.0);
  EXPECT_EQ(parameters.values()[parameters.index_of("positive")], 0.02);
}

TEST(ParameterVector, NamesTheUnknownParameter) {
  const std::string message =
      message_of<std::out_of_range>([] { one_of_each().index_of("gravity"); });
  EXPECT_TRUE(contains(message, "gravity")) << message;
}

TEST(ParameterVector, RejectsARepeatedName) {
  ParameterVector parameters = one_of_each();
  const std::string message = message_of([&] { parameters.add({.name = "free"}, 0.0); });
  EXPECT_TRUE(contains(message, "free")) << message;
  EXPECT_THROW(parameters.append(one_of_each()), std::invalid_argument);
  EXPECT_EQ(parameters.size(), 4);
}

TEST(ParameterVector, AppendsAnotherVectorInOrder) {
  ParameterVector parameters = single(Transform::kPositive, 0.5, 9.0, 2.0);
  parameters.append(one_of_each());
  ASSERT_EQ(parameters.size(), 5);
  EXPECT_EQ(parameters.index_of("theta"), 0);
  EXPECT_EQ(parameters.info(3).transform, Transform::kBounded);
  EXPECT_EQ(parameters.values().tail(4), one_of_each().values());
}

TEST(ParameterVector, ReturnsToTheSameValuesThroughTheTransforms) {
  const ParameterVector parameters = one_of_each();
  const Eigen::VectorXd numbers = parameters.unconstrained();
  EXPECT_TRUE(all_close(natural(parameters, numbers), parameters.values(), 1e-14));
  const double logit = std::log((1.1 + 2.0) / (3.0 - 1.1));
  EXPECT_TRUE(all_close(numbers, Eigen::Vector4d(-1.7, std::log(0.02), logit, 0.4), 1e-14));
}

TEST(ParameterVector, ReturnsToTheSameNumbersThroughTheTransforms) {
  ParameterVector parameters = one_of_each();
  const Eigen::Vector4d numbers(3.0, -2.5, -4.0, 0.9);
  parameters.set_values(natural(parameters, numbers));
  EXPECT_TRUE(all_close(parameters.unconstrained(), numbers, 1e-12));
}

TEST(ParameterVector, HasTheNumericalSlopes) {
  const ParameterVector parameters = one_of_each();
  Eigen::VectorXd slope(4);
  parameters.natural_slope(parameters.values(), slope);
  const Eigen::MatrixXd jacobian = numerical_jacobian(
      [&](const Eigen::VectorXd& numbers) { return natural(parameters, numbers); },
      parameters.unconstrained());
  EXPECT_TRUE(all_close(slope.asDiagonal().toDenseMatrix(), jacobian, 1e-9));
}

TEST(ParameterVector, ClampsIdentityNumbersToTheirBounds) {
  const ParameterVector parameters = one_of_each();
  Eigen::VectorXd numbers = parameters.unconstrained(), values(4);
  numbers[3] = 7.0;
  parameters.to_natural(numbers, values);
  EXPECT_EQ(values[3], 1.0);
  EXPECT_EQ(numbers[3], 1.0);
  numbers[3] = -7.0;
  parameters.to_natural(numbers, values);
  EXPECT_EQ(values[3], -1.0);
}

// Learning moves the numbers anywhere, and what comes out must be accepted by set_values.
TEST(ParameterVector, AcceptsTheNaturalValuesOfAnyNumbers) {
  for (const double number : {-1e300, -1e3, -45.0, -3.0, 0.0, 3.0, 45.0, 1e3, 1e300}) {
    ParameterVector parameters = one_of_each();
    const Eigen::VectorXd values = natural(parameters, Eigen::VectorXd::Constant(4, number));
    EXPECT_NO_THROW(parameters.set_values(values)) << values.transpose();
    EXPECT_GT(values[1], 0.0);
  }
}

TEST(ParameterVector, AcceptsTheNaturalValueAtTheUpperBoundOfAPositiveParameter) {
  for (const double upper : {0.3, 1.0, 3.0, 7.0, 10.0, 20.0, 100.0}) {
    ParameterVector parameters = single(Transform::kPositive, 0.01, upper, 0.1);
    const Eigen::VectorXd value = natural(parameters, Eigen::VectorXd::Constant(1, 1e3));
    EXPECT_NO_THROW(parameters.set_values(value));
    EXPECT_NEAR(value[0], upper, 1e-12 * upper);
  }
}

TEST(ParameterVector, AcceptsTheNaturalValueAtTheLowerBoundOfAPositiveParameter) {
  for (const double lower : {0.001, 0.01, 0.1, 0.3, 0.7, 3.0}) {
    ParameterVector parameters = single(Transform::kPositive, lower, 50.0, 5.0);
    const Eigen::VectorXd value = natural(parameters, Eigen::VectorXd::Constant(1, -1e3));
    EXPECT_NO_THROW(parameters.set_values(value));
    EXPECT_NEAR(value[0], lower, 1e-12);
  }
}

TEST(ParameterVector, AcceptsTheNaturalValueAtTheEndsOfABoundedParameter) {
  for (const double upper : {-0.9, -0.4, 0.1, 0.6, 1.2, 2.4}) {
    ParameterVector parameters = single(Transform::kBounded, -2.0, upper, -1.0);
    for (const double number : {-1e3, 1e3}) {
      EXPECT_NO_THROW(
          parameters.set_values(natural(parameters, Eigen::VectorXd::Constant(1, number))))
          << "upper bound " << upper;
    }
  }
}

TEST(ParameterVector, KeepsASlopeAtTheEndsOfABoundedParameter) {
  // Without a slope the chain rule makes every gradient zero: learning could never leave the bound.
  for (const double value : {-2.0, 3.0}) {
    const ParameterVector parameters = single(Transform::kBounded, -2.0, 3.0, value);
    const Eigen::VectorXd values = natural(parameters, parameters.unconstrained());
    Eigen::VectorXd slope(1);
    parameters.natural_slope(values, slope);
    EXPECT_GT(slope[0], 0.0) << "at " << value;
  }
}

TEST(ParameterVector, NamesTheParameterAndTheValueOutsideItsBounds) {
  ParameterVector parameters = one_of_each();
  const std::string message =
      message_of([&] { parameters.set_values(Eigen::Vector4d(0.0, 1.0, 4.5, 0.0)); });
  EXPECT_TRUE(contains(message, "bounded") && contains(message, "4.5")) << message;
  EXPECT_EQ(parameters.values(), one_of_each().values());
}

TEST(ParameterVector, RejectsValuesThatAreNotFiniteOrNotPositive) {
  EXPECT_THROW(single(Transform::kIdentity, -kInfinity, kInfinity, kNan), std::invalid_argument);
  EXPECT_THROW(single(Transform::kIdentity, -kInfinity, kInfinity, kInfinity),
               std::invalid_argument);
  EXPECT_THROW(single(Transform::kPositive, -kInfinity, kInfinity, 0.0), std::invalid_argument);
  EXPECT_THROW(single(Transform::kPositive, -kInfinity, kInfinity, -1.0), std::invalid_argument);
  EXPECT_THROW(single(Transform::kPositive, 0.5, 1.0, 0.4), std::invalid_argument);
  EXPECT_THROW(single(Transform::kIdentity, -1.0, 1.0, 1.1), std::invalid_argument);
}

TEST(ParameterVector, RejectsBoundedParametersWithoutTwoFiniteOrderedBounds) {
  for (const auto& [lower, upper] : {std::pair{0.0, kInfinity}, std::pair{-kInfinity, 1.0},
                                     std::pair{1.0, 0.0}, std::pair{0.5, 0.5}}) {
    const std::string message = message_of([&] { single(Transform::kBounded, lower, upper, 0.5); });
    EXPECT_TRUE(contains(message, "theta has bounds")) << message;
  }
}

TEST(ParameterVector, RejectsTheWrongNumberOfValues) {
  ParameterVector parameters = one_of_each();
  const std::string message = message_of([&] { parameters.set_values(Eigen::VectorXd::Zero(3)); });
  EXPECT_TRUE(contains(message, "3") && contains(message, "expected 4")) << message;
}

}  // namespace
}  // namespace ovf
