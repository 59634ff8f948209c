#include "ovf/model/function_mean.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/mean_checks.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

// m = (a sin(x_0) + dt x_1, b x_0 x_1^2 + u), theta = (a, b).
FunctionMean::Spec wavy(bool with_derivatives) {
  FunctionMean::Spec spec;
  spec.input_dim = 2;
  spec.output_dim = 2;
  spec.value = [](const Eigen::VectorXd& x, const Eigen::VectorXd& theta,
                  const StepInput& input) -> Eigen::VectorXd {
    return Eigen::Vector2d(theta[0] * std::sin(x[0]) + input.dt * x[1],
                           theta[1] * x[0] * x[1] * x[1] + input.control[0]);
  };
  spec.parameters.add({.name = "a"}, 0.7);
  spec.parameters.add({.name = "b"}, -0.4);
  if (!with_derivatives) return spec;
  spec.jacobian = [](const Eigen::VectorXd& x, const Eigen::VectorXd& theta,
                     const StepInput& input) -> Eigen::MatrixXd {
    Eigen::Matrix2d out;
    out << theta[0] * std::cos(x[0]), input.dt, theta[1] * x[1] * x[1],
        2.0 * theta[1] * x[0] * x[1];
    return out;
  };
  spec.parameter_jacobian = [](const Eigen::VectorXd& x, const Eigen::VectorXd&,
                               const StepInput&) -> Eigen::MatrixXd {
    Eigen::Matrix2d out;
    out << std::sin(x[0]), 0.0, 0.0, x[0] * x[1] * x[1];
    return out;
  };
  return spec;
}

const StepInput kInput{0.3, Eigen::VectorXd::Constant(1, 2.5)};

TEST(FunctionMean, PassesStateParametersControlAndTime) {
  FunctionMean mean(wavy(false));
  mean.set_parameters(Eigen::Vector2d(2.0, 3.0));
  Eigen::MatrixXd x(2, 2), values;
  x << 0.5, -1.0, 2.0, 4.0;
  mean.values(kInput, x, values);
  EXPECT_NEAR(values(0, 0), 2.0 * std::sin(0.5) + 0.3 * 2.0, 1e-15);
  EXPECT_NEAR(values(1, 1), 3.0 * -1.0 * 16.0 + 2.5, 1e-13);
}

TEST(FunctionMean, HasTheNumericalGradientsGivenOrNot) {
  for (const bool given : {false, true}) {
    FunctionMean mean(wavy(given));
    RandomInputs inputs(31);
    test::expect_numerical_gradients(mean, kInput, inputs.matrix(2, 4), inputs);
  }
}

TEST(FunctionMean, WorksWithoutParameters) {
  FunctionMean::Spec spec;
  spec.input_dim = 1;
  spec.output_dim = 1;
  spec.value = [](const Eigen::VectorXd& x, const Eigen::VectorXd& theta,
                  const StepInput&) -> Eigen::VectorXd {
    EXPECT_EQ(theta.size(), 0);
    return x.array().square();
  };
  FunctionMean mean(spec);
  RandomInputs inputs(32);
  test::expect_numerical_gradients(mean, {}, inputs.matrix(1, 3), inputs);
}

TEST(FunctionMean, NamesWhatIsWrong) {
  FunctionMean::Spec spec = wavy(false);
  const auto message = [&] { return test::message_of([&] { FunctionMean{spec}; }); };
  spec.value = {};
  EXPECT_TRUE(test::contains(message(), "no value function")) << message();
  spec = wavy(false);
  spec.output_dim = 0;
  EXPECT_TRUE(test::contains(message(), "2 in, 0 out")) << message();

  spec = wavy(true);
  spec.output_dim = 3;
  const FunctionMean mean(spec);
  Eigen::MatrixXd out;
  const std::string value =
      test::message_of([&] { mean.values(kInput, Eigen::MatrixXd::Zero(2, 1), out); });
  EXPECT_TRUE(test::contains(value, "its value is 2x1; expected 3x1")) << value;
  const std::string jacobian =
      test::message_of([&] { mean.jacobian(kInput, Eigen::VectorXd::Zero(2), out); });
  EXPECT_TRUE(test::contains(jacobian, "its Jacobian is 2x2; expected 3x2")) << jacobian;
}

}  // namespace
}  // namespace ovf
