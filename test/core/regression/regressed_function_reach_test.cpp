#include <gtest/gtest.h>

#include "math/random_inputs.hpp"
#include "ovf/regression/regressed_function.hpp"
#include "regression/regression_samples.hpp"

namespace ovf {
namespace {

using test::normal_matrix;

constexpr int kDim = 2;

// Whether inputs are standardised must not matter: the reach is always in deviations of q_t.
class Reach : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    RegressionConfig config;
    config.standardise = GetParam();
    config.regressor.kernel_ridge.ridge = 1e-3;
    // Flat targets, so that nothing else makes the function fall to zero.
    config.regressor.kernel_ridge.centre_targets = true;
    function_ = std::make_unique<RegressedFunction>(config);
    Eigen::MatrixXd z = normal_matrix(kDim, 50, 141);
    reach_ = z.colwise().norm().maxCoeff();
    const Eigen::MatrixXd x = at(z);
    const Eigen::MatrixXd targets = (x.array() * 0.1).sin() + 5.0;
    function_->fit(marginal_, x, targets);
  }
  /// States at these whitened coordinates.
  Eigen::MatrixXd at(const Eigen::MatrixXd& z) const {
    return (marginal_.factor.lower() * z).colwise() + marginal_.mean;
  }
  /// Directions of a circle, at this multiple of the reach.
  Eigen::MatrixXd circle(double multiple) const {
    Eigen::MatrixXd z = normal_matrix(kDim, 20, 142);
    z.colwise().normalize();
    return at(multiple * reach_ * z);
  }
  Eigen::MatrixXd anywhere(const Eigen::MatrixXd& x) const {
    Eigen::MatrixXd out;
    function_->evaluate(x, out);
    return out;
  }
  Eigen::MatrixXd within_reach(const Eigen::MatrixXd& x) const {
    Eigen::MatrixXd out;
    function_->evaluate_within_reach(x, out);
    return out;
  }

  Gaussian marginal_ = [] {
    test::RandomInputs inputs(143);
    Gaussian q = inputs.gaussian(kDim, CovarianceForm::kFull);
    q.factor.lower() *= 20.0;
    return q;
  }();
  std::unique_ptr<RegressedFunction> function_;
  double reach_ = 0.0;
};

TEST_P(Reach, ChangesNothingWithinTheFittedPoints) {
  for (const double multiple : {0.0, 0.5, 0.999}) {
    EXPECT_EQ(within_reach(circle(multiple)), anywhere(circle(multiple))) << multiple;
  }
}

TEST_P(Reach, FallsLinearlyToZeroAtTwiceTheReach) {
  for (const double multiple : {1.001, 1.25, 1.5, 1.9, 2.0, 2.1, 100.0}) {
    const Eigen::MatrixXd x = circle(multiple);
    const double share = std::max(0.0, 2.0 - multiple);
    EXPECT_GT(anywhere(x).cwiseAbs().minCoeff(), 1.0);
    EXPECT_TRUE(test::all_close(within_reach(x), share * anywhere(x), 1e-12)) << multiple;
  }
}

TEST_P(Reach, IsZeroWhereTheDistanceOverflows) {
  EXPECT_EQ(within_reach(Eigen::MatrixXd::Constant(kDim, 1, 1e300)),
            Eigen::MatrixXd::Zero(kDim, 1));
}

INSTANTIATE_TEST_SUITE_P(, Reach, ::testing::Bool(), [](const auto& tested) {
  return tested.param ? "StandardisedInputs" : "PlainInputs";
});

}  // namespace
}  // namespace ovf
