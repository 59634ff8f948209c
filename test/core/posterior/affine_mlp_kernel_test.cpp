#include "ovf/posterior/affine_mlp_kernel.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "math/random_inputs.hpp"
#include "posterior/kernel_checks.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::draw;
using test::mean;
using test::parameters;
using test::RandomInputs;

constexpr int kDim = 3;
// Central differences; no sample is within a difference of a kink of the network.
constexpr double kDifferences = 1e-8;

class AffineMlpKernelForms : public ::testing::TestWithParam<test::NetworkKernelForm> {
 protected:
  void SetUp() override {
    conditional_ = inputs_.conditional(kDim, kDim, noise_form_);
    kernel_.assign(conditional_);
    x_ = inputs_.matrix(kDim, 6);
    noise_ = inputs_.matrix(kDim, 6);
  }
  AffineMlpKernel fresh(std::uint64_t seed) const {
    return {kDim, {7, 5}, std::get<0>(GetParam()), noise_form_, seed};
  }
  /// Moves the last layer away from zero, and the scales away from one.
  void bend() {
    kernel_.set_scales(inputs_.gaussian(kDim, CovarianceForm::kFull),
                       inputs_.gaussian(kDim, CovarianceForm::kFull));
    kernel_.write_parameters(parameters(kernel_) + 0.5 * inputs_.vector(kernel_.parameter_count()));
  }
  Eigen::MatrixXd affine_mean() const {
    return (conditional_.matrix * x_).colwise() + conditional_.offset;
  }

  CovarianceForm noise_form_ = std::get<1>(GetParam());
  RandomInputs inputs_{102};
  AffineMlpKernel kernel_ = fresh(5);
  AffineGaussian conditional_;
  Eigen::MatrixXd x_, noise_;
};

TEST_P(AffineMlpKernelForms, StartsAtItsAffinePart) {
  EXPECT_TRUE(all_close(mean(kernel_, x_), affine_mean(), 1e-14));
  EXPECT_EQ(kernel_.noise().lower(), conditional_.noise.lower());
  EXPECT_EQ(kernel_.affine(), nullptr);
}

TEST_P(AffineMlpKernelForms, StartsItsNetworkFromTheSeed) {
  EXPECT_EQ(parameters(fresh(5)), parameters(fresh(5)));
  EXPECT_NE(parameters(fresh(5)), parameters(fresh(6)));
}

TEST_P(AffineMlpKernelForms, IsNotAffineAwayFromTheStart) {
  bend();
  test::expect_not_affine(kernel_, x_.col(0), x_.col(1));
}

TEST_P(AffineMlpKernelForms, ReturnsToTheSameParameters) {
  const int noise_count = noise_form_ == CovarianceForm::kDiagonal ? kDim : 6;
  ASSERT_EQ(kernel_.parameter_count(), 7 * 4 + 5 * 8 + 3 * 6 + noise_count);
  const Eigen::VectorXd phi = inputs_.vector(kernel_.parameter_count());
  kernel_.write_parameters(phi);
  EXPECT_TRUE(all_close(parameters(kernel_), phi, 1e-14));
}

TEST_P(AffineMlpKernelForms, HasTheNumericalGradientThroughItsSamples) {
  bend();
  test::expect_numerical_gradient_through_samples(kernel_, x_, noise_, kDifferences);
}

TEST_P(AffineMlpKernelForms, PullsBackTheNumericalGradientWithRespectToTheState) {
  bend();
  test::expect_numerical_gradient_by_state(kernel_, x_, noise_, kDifferences);
}

TEST_P(AffineMlpKernelForms, AddsTheNumericalGradientOfItsEntropy) {
  bend();
  test::expect_numerical_entropy_gradient(kernel_, inputs_.vector(kernel_.parameter_count()),
                                          kDifferences);
}

TEST_P(AffineMlpKernelForms, ContinuesTheNetworkOfAnotherButNotItsAffinePart) {
  bend();
  AffineMlpKernel next = fresh(6);
  const AffineGaussian other = inputs_.conditional(kDim, kDim, noise_form_);
  next.assign(other);
  const Eigen::MatrixXd affine = mean(next, x_);
  next.continue_from(kernel_);
  EXPECT_EQ(next.noise().lower(), other.noise.lower());
  // Without scales of its own: s and s' are one and c is zero.
  AffineMlpKernel unscaled = kernel_;
  unscaled.set_scales(standard_gaussian(kDim, CovarianceForm::kFull),
                      standard_gaussian(kDim, CovarianceForm::kFull));
  EXPECT_TRUE(all_close(mean(next, x_) - affine, mean(unscaled, x_) - affine_mean(), 1e-12));
  EXPECT_GT((mean(next, x_) - affine).norm(), 0.1);
}

TEST_P(AffineMlpKernelForms, ClonesIndependently) {
  bend();
  test::expect_independent_clones(kernel_, x_, noise_, inputs_.vector(kernel_.parameter_count()));
}

// What the network gave for the same x is kept, but never for long.
TEST_P(AffineMlpKernelForms, FollowsEveryChangeForTheSameState) {
  bend();
  const auto expect_change = [&](const std::string& name, const auto& change) {
    const Eigen::MatrixXd before = mean(kernel_, x_);
    EXPECT_EQ(mean(kernel_, x_), before) << name;
    change();
    const AffineMlpKernel unused = kernel_;
    const Eigen::MatrixXd after = mean(kernel_, x_);
    EXPECT_GT((after - before).norm(), 1e-3) << name;
    // Column by column nothing can be kept.
    for (int i = 0; i < x_.cols(); ++i) {
      EXPECT_TRUE(all_close(mean(unused, x_.col(i)), after.col(i), 1e-12)) << name;
    }
  };
  expect_change("parameters", [&] {
    kernel_.write_parameters(parameters(kernel_) + 0.1 * inputs_.vector(kernel_.parameter_count()));
  });
  expect_change("scales", [&] {
    kernel_.set_scales(inputs_.gaussian(kDim, CovarianceForm::kFull),
                       inputs_.gaussian(kDim, CovarianceForm::kFull));
  });
  AffineMlpKernel other = fresh(8);
  other.write_parameters(inputs_.vector(other.parameter_count()));
  expect_change("network", [&] { kernel_.continue_from(other); });
  expect_change("affine part",
                [&] { kernel_.assign(inputs_.conditional(kDim, kDim, noise_form_)); });
  expect_change("state", [&] { x_ += inputs_.matrix(kDim, 6); });
}

INSTANTIATE_TEST_SUITE_P(, AffineMlpKernelForms, test::network_kernel_forms(),
                         test::network_kernel_form_name);

}  // namespace
}  // namespace ovf
