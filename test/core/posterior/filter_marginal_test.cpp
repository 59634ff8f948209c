#include "ovf/posterior/filter_marginal.hpp"

#include <gtest/gtest.h>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"
#include "posterior/wavy_function.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;
using test::wavy_gradient;
using test::wavy_mean;

constexpr int kDim = 3;
// Central differences with step 1e-5 of functions of order one.
constexpr double kDifferences = 1e-8;

class FilterMarginalForm : public ::testing::TestWithParam<CovarianceForm> {
 protected:
  Eigen::VectorXd parameters() const {
    Eigen::VectorXd phi(marginal_.parameter_count());
    marginal_.read_parameters(phi);
    return phi;
  }
  FilterMarginal moved_to(const Eigen::VectorXd& phi) const {
    FilterMarginal moved = marginal_;
    moved.write_parameters(phi);
    return moved;
  }
  static Eigen::MatrixXd draw(const FilterMarginal& marginal, const Eigen::MatrixXd& noise) {
    Eigen::MatrixXd x;
    marginal.sample(noise, x);
    return x;
  }

  RandomInputs inputs_{91};
  FilterMarginal marginal_{inputs_.gaussian(kDim, GetParam())};
  Eigen::MatrixXd noise_ = inputs_.matrix(kDim, 6);
};

TEST_P(FilterMarginalForm, HasTheMeanAndTheFactorAsParameters) {
  EXPECT_EQ(marginal_.dim(), kDim);
  EXPECT_EQ(marginal_.parameter_count(), GetParam() == CovarianceForm::kDiagonal ? 6 : 9);
  const FilterMarginal copy = moved_to(parameters());
  EXPECT_EQ(copy.gaussian().mean, marginal_.gaussian().mean);
  EXPECT_TRUE(all_close(copy.gaussian().covariance(), marginal_.gaussian().covariance(), 1e-13));
  EXPECT_EQ(parameters().head(kDim), marginal_.gaussian().mean);
}

TEST_P(FilterMarginalForm, SamplesMeanPlusFactorTimesNoise) {
  const Eigen::MatrixXd expected =
      (marginal_.gaussian().factor.lower() * noise_).colwise() + marginal_.gaussian().mean;
  EXPECT_TRUE(all_close(draw(marginal_, noise_), expected, 1e-14));
}

TEST_P(FilterMarginalForm, HasTheNumericalGradientThroughItsSamples) {
  Eigen::VectorXd gradient(marginal_.parameter_count());
  marginal_.parameter_gradient(wavy_gradient(draw(marginal_, noise_)), noise_, gradient);
  const auto objective = [&](const Eigen::VectorXd& phi) {
    return wavy_mean(draw(moved_to(phi), noise_));
  };
  EXPECT_TRUE(all_close(gradient, numerical_gradient(objective, parameters()), kDifferences));
}

TEST_P(FilterMarginalForm, AddsTheNumericalGradientOfItsEntropy) {
  // The entropy is log det L up to a constant.
  const auto entropy = [&](const Eigen::VectorXd& phi) {
    return moved_to(phi).gaussian().factor.log_determinant();
  };
  const Eigen::VectorXd start = inputs_.vector(marginal_.parameter_count());
  Eigen::VectorXd gradient = start;
  marginal_.add_entropy_gradient(gradient);
  EXPECT_TRUE(all_close(gradient - start, numerical_gradient(entropy, parameters()), kDifferences));
}

INSTANTIATE_TEST_SUITE_P(, FilterMarginalForm,
                         ::testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                         [](const auto& tested) { return test::form_name(tested.param); });

}  // namespace
}  // namespace ovf
