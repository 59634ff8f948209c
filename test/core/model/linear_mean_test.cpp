#include "ovf/model/linear_mean.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "model/mean_checks.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

LinearMean::Spec spec_of(int rows, int cols, Learned learn_A, bool learn_b) {
  RandomInputs inputs(21);
  return {inputs.matrix(rows, cols), inputs.vector(rows), learn_A, learn_b};
}

TEST(LinearMean, HasTheNumericalGradients) {
  for (const Learned learn_A : {Learned::kNo, Learned::kDiagonal, Learned::kFull}) {
    for (const bool learn_b : {false, true}) {
      LinearMean mean(spec_of(2, 3, learn_A, learn_b));
      RandomInputs inputs(22);
      test::expect_numerical_gradients(mean, {}, inputs.matrix(3, 4), inputs);
    }
  }
}

TEST(LinearMean, HasTheExactExpectation) {
  const LinearMean::Spec spec = spec_of(2, 3, Learned::kNo, false);
  RandomInputs inputs(23);
  const Gaussian x = inputs.gaussian(3, CovarianceForm::kFull);
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  LinearMean(spec).expectation({}, x, value, slope);
  EXPECT_TRUE(all_close(value, spec.A * x.mean + spec.b, 1e-14));
  EXPECT_EQ(slope, spec.A);
}

TEST(LinearMean, HasTheParameterExpectationThatItsExpectationImplies) {
  RandomInputs inputs(24);
  const Gaussian x = inputs.gaussian(3, CovarianceForm::kFull);
  for (const Learned learn_A : {Learned::kNo, Learned::kDiagonal, Learned::kFull}) {
    LinearMean mean(spec_of(2, 3, learn_A, true));
    test::expect_consistent_parameter_expectation(mean, {}, x);
  }
}

TEST(LinearMean, NamesItsParameters) {
  const LinearMean mean(spec_of(2, 3, Learned::kDiagonal, true));
  ASSERT_EQ(mean.parameters().size(), 4);
  EXPECT_EQ(mean.parameters().index_of("A[1,1]"), 1);
  EXPECT_EQ(mean.parameters().index_of("b[0]"), 2);
}

TEST(LinearMean, KnowsAFixedIdentity) {
  EXPECT_TRUE(LinearMean::identity(3).has_unit_slope());
  EXPECT_TRUE(LinearMean::identity(3).is_linear());
  const LinearMean learned(
      {.A = Eigen::MatrixXd::Identity(2, 2), .b = {}, .learn_A = Learned::kFull});
  EXPECT_FALSE(learned.has_unit_slope());
  EXPECT_FALSE(LinearMean(spec_of(2, 2, Learned::kNo, false)).has_unit_slope());
  LinearMean shifted({.A = Eigen::MatrixXd::Identity(2, 2), .b = Eigen::Vector2d(1, 2)});
  RandomInputs inputs(25);
  test::expect_numerical_gradients(shifted, {}, inputs.matrix(2, 3), inputs);
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  shifted.expectation({}, standard_gaussian(2, CovarianceForm::kFull), value, slope);
  EXPECT_EQ(value, Eigen::Vector2d(1, 2));
}

TEST(LinearMean, NamesWhatIsWrong) {
  LinearMean::Spec spec = spec_of(2, 3, Learned::kNo, false);
  const auto message = [&] { return test::message_of([&] { LinearMean{spec}; }); };
  spec.b = Eigen::Vector3d::Zero();
  EXPECT_TRUE(test::contains(message(), "b has 3 entries; expected 2")) << message();
  spec.b = {};
  spec.A(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(test::contains(message(), "matrix A")) << message();
  spec.A.resize(0, 0);
  EXPECT_TRUE(test::contains(message(), "matrix A")) << message();
}

}  // namespace
}  // namespace ovf
