#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/math/mlp_network.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kSamples = 5;
// Central differences of sums of order 10; no sample is within a difference of a kink.
constexpr double kDifferences = 1e-7;

class MlpBackward : public ::testing::TestWithParam<std::tuple<Activation, std::vector<int>>> {
 protected:
  double weighted_output(const Eigen::VectorXd& parameters, const Eigen::MatrixXd& x) const {
    MlpWorkspace workspace;
    return forward(network_, parameters, x, workspace).cwiseProduct(cotangent_).sum();
  }

  MlpNetwork network_{std::get<1>(GetParam()), std::get<0>(GetParam())};
  RandomInputs inputs_{131};
  Eigen::VectorXd parameters_ = inputs_.vector(static_cast<int>(network_.parameter_count()));
  Eigen::MatrixXd x_ = inputs_.matrix(network_.sizes.front(), kSamples);
  Eigen::MatrixXd cotangent_ = inputs_.matrix(network_.sizes.back(), kSamples);
};

TEST_P(MlpBackward, HasTheNumericalGradientInParametersAndInputs) {
  MlpWorkspace workspace;
  forward(network_, parameters_, x_, workspace);
  Eigen::VectorXd gradient(parameters_.size());
  Eigen::MatrixXd input_gradient;
  backward(network_, parameters_, cotangent_, workspace, gradient, &input_gradient);

  const auto of_parameters = [&](const Eigen::VectorXd& p) { return weighted_output(p, x_); };
  EXPECT_TRUE(all_close(gradient, numerical_gradient(of_parameters, parameters_), kDifferences));
  const auto of_inputs = [&](const Eigen::VectorXd& x) {
    return weighted_output(parameters_, x.reshaped(x_.rows(), x_.cols()));
  };
  const Eigen::VectorXd expected = numerical_gradient(of_inputs, x_.reshaped());
  EXPECT_GT(expected.norm(), 0.1);
  EXPECT_TRUE(all_close(input_gradient.reshaped(), expected, kDifferences));
}

TEST_P(MlpBackward, GivesEitherGradientAlone) {
  MlpWorkspace workspace;
  forward(network_, parameters_, x_, workspace);
  Eigen::VectorXd gradient(parameters_.size()), alone(parameters_.size()), none;
  Eigen::MatrixXd input_gradient, input_alone;
  backward(network_, parameters_, cotangent_, workspace, gradient, &input_gradient);
  backward(network_, parameters_, cotangent_, workspace, alone, nullptr);
  backward(network_, parameters_, cotangent_, workspace, none, &input_alone);
  EXPECT_EQ(alone, gradient);
  EXPECT_EQ(input_alone, input_gradient);
}

INSTANTIATE_TEST_SUITE_P(, MlpBackward,
                         ::testing::Combine(::testing::Values(Activation::kRelu, Activation::kTanh),
                                            ::testing::Values(std::vector<int>{3, 2},
                                                              std::vector<int>{3, 7, 2},
                                                              std::vector<int>{2, 5, 4, 6, 3})),
                         [](const auto& tested) {
                           const bool relu = std::get<0>(tested.param) == Activation::kRelu;
                           return std::string(relu ? "Relu" : "Tanh") +
                                  std::to_string(std::get<1>(tested.param).size() - 1) + "Layers";
                         });

}  // namespace
}  // namespace ovf
