#include "ovf/posterior/amortised_kernel.hpp"

#include <gtest/gtest.h>

#include <limits>
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
using test::wavy_gradient;

constexpr int kDim = 3;
constexpr int kContext = 4;
// Central differences; no sample is within a difference of a kink of the network.
constexpr double kDifferences = 1e-7;

class AmortisedKernelForms : public ::testing::TestWithParam<test::NetworkKernelForm> {
 protected:
  void SetUp() override {
    conditional_ = inputs_.conditional(kDim, kDim, noise_form_);
    kernel_.assign(conditional_);
    kernel_.set_context(inputs_.vector(kContext));
    kernel_.set_scales(inputs_.gaussian(kDim, CovarianceForm::kFull),
                       inputs_.gaussian(kDim, CovarianceForm::kFull));
    x_ = inputs_.matrix(kDim, 6);
    noise_ = inputs_.matrix(kDim, 6);
  }
  AmortisedKernel fresh(std::uint64_t seed) const {
    return {kDim, kContext, {7, 5}, std::get<0>(GetParam()), noise_form_, seed};
  }
  /// Moves the last layer away from zero.
  void bend() {
    kernel_.write_parameters(parameters(kernel_) + 0.4 * inputs_.vector(kernel_.parameter_count()));
  }

  CovarianceForm noise_form_ = std::get<1>(GetParam());
  RandomInputs inputs_{112};
  AmortisedKernel kernel_ = fresh(5);
  AffineGaussian conditional_;
  Eigen::MatrixXd x_, noise_;
};

TEST_P(AmortisedKernelForms, StartsAtItsClosedForm) {
  const Eigen::MatrixXd affine = (conditional_.matrix * x_).colwise() + conditional_.offset;
  EXPECT_TRUE(all_close(mean(kernel_, x_), affine, 1e-14));
  EXPECT_EQ(kernel_.noise().lower(), conditional_.noise.lower());
  EXPECT_EQ(kernel_.affine(), nullptr);
}

TEST_P(AmortisedKernelForms, StartsItsNetworkFromTheSeed) {
  EXPECT_EQ(parameters(fresh(5)), parameters(fresh(5)));
  EXPECT_NE(parameters(fresh(5)), parameters(fresh(6)));
}

// The parameters are those of the network and nothing else: any step's kernel may have them.
TEST_P(AmortisedKernelForms, ReturnsToTheSameParameters) {
  const int outputs = kDim + (noise_form_ == CovarianceForm::kDiagonal ? kDim : 6);
  ASSERT_EQ(kernel_.parameter_count(), 7 * (kContext + kDim + 1) + 5 * 8 + outputs * 6);
  const Eigen::VectorXd phi = inputs_.vector(kernel_.parameter_count());
  kernel_.write_parameters(phi);
  EXPECT_EQ(parameters(kernel_), phi);
  kernel_.assign(inputs_.conditional(kDim, kDim, noise_form_));
  EXPECT_EQ(parameters(kernel_), phi);
}

TEST_P(AmortisedKernelForms, IsNotAffineAwayFromTheStart) {
  bend();
  test::expect_not_affine(kernel_, x_.col(0), x_.col(1));
}

// L M, of the closed form's noise and of a factor that the network makes of the context.
TEST_P(AmortisedKernelForms, HasNoiseRelativeToTheClosedForm) {
  bend();
  const auto relative = [&] {
    Eigen::MatrixXd factor = kernel_.noise().lower();
    conditional_.noise.whiten(factor);
    return factor;
  };
  const Eigen::MatrixXd before = relative();
  EXPECT_GT((before - Eigen::MatrixXd::Identity(kDim, kDim)).norm(), 0.1);
  EXPECT_GT(kernel_.noise().lower().diagonal().minCoeff(), 0.0);
  EXPECT_EQ(kernel_.noise().lower()(0, kDim - 1), 0.0);
  conditional_ = inputs_.conditional(kDim, kDim, noise_form_);
  kernel_.assign(conditional_);
  EXPECT_TRUE(all_close(relative(), before, 1e-12));
  kernel_.set_context(inputs_.vector(kContext));
  EXPECT_GT((relative() - before).norm(), 0.01);
}

TEST_P(AmortisedKernelForms, HasTheNumericalGradientThroughItsSamples) {
  bend();
  test::expect_numerical_gradient_through_samples(kernel_, x_, noise_, kDifferences);
}

TEST_P(AmortisedKernelForms, PullsBackTheNumericalGradientWithRespectToTheState) {
  bend();
  test::expect_numerical_gradient_by_state(kernel_, x_, noise_, kDifferences);
}

TEST_P(AmortisedKernelForms, AddsTheNumericalGradientOfItsEntropy) {
  bend();
  test::expect_numerical_entropy_gradient(kernel_, inputs_.vector(kernel_.parameter_count()),
                                          kDifferences);
}

// With the same weights and another state in between: what is kept of the last batch is not in the
// way.
TEST_P(AmortisedKernelForms, GivesTheSameGradientsInAnyOrder) {
  bend();
  const auto gradient_of = [&](const AmortisedKernel& kernel) {
    Eigen::VectorXd gradient(kernel.parameter_count());
    kernel.parameter_gradient(x_, wavy_gradient(x_), noise_, gradient);
    return gradient;
  };
  const Eigen::VectorXd expected = gradient_of(kernel_);
  AmortisedKernel other = kernel_;
  Eigen::VectorXd entropy = Eigen::VectorXd::Zero(kernel_.parameter_count());
  Eigen::MatrixXd pulled;
  other.add_entropy_gradient(entropy);
  mean(other, 2.0 * x_);
  other.pull_back(noise_, x_, pulled);
  other.add_entropy_gradient(entropy);
  EXPECT_EQ(gradient_of(other), expected);
}

TEST_P(AmortisedKernelForms, ClonesIndependently) {
  bend();
  test::expect_independent_clones(kernel_, x_, noise_, inputs_.vector(kernel_.parameter_count()));
}

// What the network gave for the same x is kept, but never for long.
TEST_P(AmortisedKernelForms, FollowsEveryChangeForTheSameState) {
  bend();
  const auto expect_change = [&](const std::string& name, const auto& change) {
    const Eigen::MatrixXd before = draw(kernel_, x_, noise_);
    EXPECT_EQ(draw(kernel_, x_, noise_), before) << name;
    change();
    const AmortisedKernel unused = kernel_;
    const Eigen::MatrixXd after = draw(kernel_, x_, noise_);
    EXPECT_GT((after - before).norm(), 1e-3) << name;
    // Column by column nothing can be kept.
    for (int i = 0; i < x_.cols(); ++i) {
      EXPECT_TRUE(all_close(draw(unused, x_.col(i), noise_.col(i)), after.col(i), 1e-12)) << name;
    }
  };
  expect_change("parameters", [&] {
    kernel_.write_parameters(parameters(kernel_) + 0.1 * inputs_.vector(kernel_.parameter_count()));
  });
  expect_change("scales", [&] {
    kernel_.set_scales(inputs_.gaussian(kDim, CovarianceForm::kFull),
                       inputs_.gaussian(kDim, CovarianceForm::kFull));
  });
  expect_change("context", [&] { kernel_.set_context(inputs_.vector(kContext)); });
  expect_change("closed form",
                [&] { kernel_.assign(inputs_.conditional(kDim, kDim, noise_form_)); });
  expect_change("state", [&] { x_ += inputs_.matrix(kDim, 6); });
}

Archive::Bytes bytes_of(BackwardKernel& kernel) {
  Archive::Bytes bytes;
  Archive archive = Archive::writer(bytes);
  kernel.archive(archive);
  return bytes;
}

void read(BackwardKernel& kernel, const Archive::Bytes& bytes) {
  Archive archive = Archive::reader(bytes);
  kernel.archive(archive);
  archive.finish();
}

TEST_P(AmortisedKernelForms, ComesBackFromItsBytes) {
  bend();
  const Archive::Bytes bytes = bytes_of(kernel_);
  AmortisedKernel copy = fresh(6);
  mean(copy, x_);
  read(copy, bytes);
  EXPECT_EQ(bytes_of(copy), bytes);
  EXPECT_EQ(draw(copy, x_, noise_), draw(kernel_, x_, noise_));
}

TEST_P(AmortisedKernelForms, RefusesBytesThatItCannotUse) {
  const auto refusal = [&](AmortisedKernel writer) {
    const Archive::Bytes bytes = bytes_of(writer);
    AmortisedKernel reader = fresh(5);
    return test::message_of([&] { read(reader, bytes); });
  };
  const auto activation = std::get<0>(GetParam());
  EXPECT_PRED2(test::contains, refusal({kDim, kContext, {7, 6}, activation, noise_form_, 5}),
               "kernel network weights: expected ");
  EXPECT_PRED2(test::contains, refusal({kDim, kContext + 1, {7, 5}, activation, noise_form_, 5}),
               "kernel network weights: expected ");
  const auto other =
      noise_form_ == CovarianceForm::kFull ? CovarianceForm::kDiagonal : CovarianceForm::kFull;
  EXPECT_PRED2(test::contains, refusal({kDim, kContext, {7, 5}, activation, other, 5}),
               "kernel noise: expected a covariance of the same form");
  AmortisedKernel lost = kernel_;
  lost.set_context(Eigen::VectorXd::Constant(kContext, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_PRED2(test::contains, refusal(lost), "kernel context: expected finite numbers");
}

TEST_P(AmortisedKernelForms, HasFiniteNoiseWhateverTheNetworkSays) {
  kernel_.write_parameters(Eigen::VectorXd::Constant(kernel_.parameter_count(), 1e3));
  EXPECT_TRUE(kernel_.noise().lower().allFinite());
  EXPECT_GT(kernel_.noise().lower().diagonal().minCoeff(), 0.0);
}

INSTANTIATE_TEST_SUITE_P(, AmortisedKernelForms, test::network_kernel_forms(),
                         test::network_kernel_form_name);

}  // namespace
}  // namespace ovf
