#include "ovf/posterior/mlp_kernel.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "math/random_inputs.hpp"
#include "posterior/kernel_checks.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::mean;
using test::parameters;
using test::RandomInputs;

constexpr int kDim = 3;
// Central differences; no sample is within a difference of a kink of the network.
constexpr double kDifferences = 1e-8;

class MlpKernelForms : public ::testing::TestWithParam<test::NetworkKernelForm> {
 protected:
  MlpKernel fresh(std::uint64_t seed) const {
    return {kDim, {7}, std::get<0>(GetParam()), noise_form_, 1.5, seed};
  }
  void move() {
    kernel_.write_parameters(parameters(kernel_) + 0.5 * inputs_.vector(kernel_.parameter_count()));
  }

  CovarianceForm noise_form_ = std::get<1>(GetParam());
  RandomInputs inputs_{103};
  MlpKernel kernel_ = fresh(5);
  Eigen::MatrixXd x_ = inputs_.matrix(kDim, 6);
  Eigen::MatrixXd noise_ = inputs_.matrix(kDim, 6);
};

TEST_P(MlpKernelForms, StartsAtRandomWeightsAndTheGivenDeviation) {
  EXPECT_EQ(parameters(fresh(5)), parameters(fresh(5)));
  EXPECT_NE(parameters(fresh(5)), parameters(fresh(6)));
  EXPECT_TRUE(all_close(kernel_.noise().lower(), 1.5 * Eigen::MatrixXd::Identity(kDim, kDim), 0.0));
  EXPECT_GT(mean(kernel_, x_).norm(), 0.1);
  EXPECT_EQ(kernel_.affine(), nullptr);
}

// Nothing but the network: two layers by hand.
TEST_P(MlpKernelForms, HasTheNetworksOutputAsItsMean) {
  const Eigen::VectorXd phi = parameters(kernel_);
  Eigen::MatrixXd hidden =
      (phi.head(21).reshaped(7, 3) * x_).colwise() + Eigen::VectorXd(phi.segment(21, 7));
  if (std::get<0>(GetParam()) == Activation::kRelu) {
    hidden = hidden.cwiseMax(0.0);
  } else {
    hidden = hidden.array().tanh();
  }
  const Eigen::MatrixXd expected =
      (phi.segment(28, 21).reshaped(3, 7) * hidden).colwise() + Eigen::VectorXd(phi.segment(49, 3));
  EXPECT_TRUE(all_close(mean(kernel_, x_), expected, 1e-14));
}

TEST_P(MlpKernelForms, ReturnsToTheSameParameters) {
  const int noise_count = noise_form_ == CovarianceForm::kDiagonal ? kDim : 6;
  ASSERT_EQ(kernel_.parameter_count(), 7 * 4 + 3 * 8 + noise_count);
  const Eigen::VectorXd phi = inputs_.vector(kernel_.parameter_count());
  mean(kernel_, x_);
  kernel_.write_parameters(phi);
  EXPECT_TRUE(all_close(parameters(kernel_), phi, 1e-14));
  // What the network gave for the same x before is forgotten.
  MlpKernel unused = fresh(6);
  unused.write_parameters(phi);
  EXPECT_EQ(mean(kernel_, x_), mean(unused, x_));
}

TEST_P(MlpKernelForms, HasTheNumericalGradientThroughItsSamples) {
  move();
  test::expect_numerical_gradient_through_samples(kernel_, x_, noise_, kDifferences);
}

TEST_P(MlpKernelForms, PullsBackTheNumericalGradientWithRespectToTheState) {
  move();
  test::expect_numerical_gradient_by_state(kernel_, x_, noise_, kDifferences);
}

TEST_P(MlpKernelForms, AddsTheNumericalGradientOfItsEntropy) {
  move();
  test::expect_numerical_entropy_gradient(kernel_, inputs_.vector(kernel_.parameter_count()),
                                          kDifferences);
}

TEST_P(MlpKernelForms, ClonesIndependently) {
  test::expect_independent_clones(kernel_, x_, noise_, inputs_.vector(kernel_.parameter_count()));
}

INSTANTIATE_TEST_SUITE_P(, MlpKernelForms, test::network_kernel_forms(),
                         test::network_kernel_form_name);

}  // namespace
}  // namespace ovf
