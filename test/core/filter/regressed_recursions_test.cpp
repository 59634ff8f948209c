// The recursions by regression, in a whole filter.
#include <gtest/gtest.h>

#include "filter/brute_force_elbo.hpp"
#include "filter/linear_problem.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

constexpr int kDim = 2;

RegressionConfig exact_regression(int points) {
  RegressionConfig config;
  config.regressor.kind = RegressorKind::kHermite;
  config.regressor.hermite.degree = 2;
  config.regressor.hermite.least_squares = true;
  config.standardise = true;
  config.points = points;
  config.tune_steps = 0;
  return config;
}

// The errors of one run, judged at its own phi_{1:t} without any recursion.
struct Errors {
  double elbo = 0.0;
  Eigen::VectorXd score;
};

class SampledRecursions : public testing::Test {
 protected:
  SampledRecursions() {
    spec_.learn_F = spec_.learn_G = Learned::kDiagonal;
    config_.inference = InferenceMethod::kReparameterised;
    config_.marginal = CovarianceForm::kDiagonal;
    config_.kernel = KernelFamily::kAffineDiagonal;
    config_.kernel_noise = CovarianceForm::kDiagonal;
    config_.reparameterised.iterations = 100;
    config_.value = config_.score = RecursionMethod::kRegression;
    config_.value_regression = config_.score_regression = exact_regression(20000);
    config_.score_samples = 40000;
    config_.learning.rule = LearningRule::kGradient;
    config_.learning.burn_in = 1000;  // scores, but no steps of theta
  }

  Errors run() const {
    OnlineVariationalFilter filter(make_linear_gaussian(spec_), config_);
    std::vector<test::Phi> phi;
    Eigen::VectorXd score = Eigen::VectorXd::Zero(2 * kDim);
    double elbo = 0.0;
    for (Eigen::Index t = 0; t < observations_.cols(); ++t) {
      elbo = filter.step(observations_.col(t)).elbo;
      score += filter.score_increment().gradient;
      phi.push_back(test::phi_of(filter.record()));
    }
    const auto exact_elbo = [&](const Eigen::VectorXd& theta) {
      LinearGaussianSpec moved = spec_;
      moved.F.diagonal() = theta.head(kDim);
      moved.G.diagonal() = theta.tail(kDim);
      return test::brute_force_elbo(moved, observations_, phi);
    };
    const Eigen::VectorXd theta = filter.parameters();
    return {elbo - exact_elbo(theta), score - numerical_gradient(exact_elbo, theta)};
  }

  LinearGaussianSpec spec_ = test::random_problem(kDim, true, 21);
  Eigen::MatrixXd observations_ = test::observe(spec_, 6, 21);
  OnlineVariationalFilterConfig config_;
};

// With quadratic features V and S are represented exactly and only Monte-Carlo error is left: about
// 0.01 nats, and 0.2 in a score (deviation about 15 per sample, 20000 samples, six steps). The
// bounds are five times that.
constexpr double kElboError = 0.05;
constexpr double kScoreError = 1.0;

TEST_F(SampledRecursions, AgreeWithBruteForceForAnyLookback) {
  for (const int lookback : {1, 2, 3, 10}) {
    config_.lookback = lookback;
    const Errors errors = run();
    EXPECT_NEAR(errors.elbo, 0.0, kElboError) << "L = " << lookback;
    EXPECT_LT(errors.score.cwiseAbs().maxCoeff(), kScoreError) << "L = " << lookback;
  }
}

// The AELBOs sum one reward for each step (Eq. 19): there is nothing to look back at, and wider
// inputs serve a regression that they do not have.
TEST_F(SampledRecursions, CountEachRewardOfAnAelboOnce) {
  for (const auto objective : {Objective::kAelbo1, Objective::kAelbo2}) {
    config_.objective = objective;
    const auto final_elbo = [&](int lookback, double inflation) {
      config_.lookback = lookback;
      config_.value_regression.inflation = inflation;
      OnlineVariationalFilter filter(make_linear_gaussian(spec_), config_);
      double elbo = 0.0;
      for (Eigen::Index t = 0; t < observations_.cols(); ++t) {
        elbo = filter.step(observations_.col(t)).elbo;
      }
      return elbo;
    };
    const double once = final_elbo(1, 1.0);
    EXPECT_DOUBLE_EQ(final_elbo(3, 1.0), once);
    EXPECT_DOUBLE_EQ(final_elbo(1, 1.5), once);
  }
}

TEST_F(SampledRecursions, AgreeWithBruteForceForInflatedInputs) {
  config_.value_regression.inflation = config_.score_regression.inflation = 1.5;
  const Errors errors = run();
  EXPECT_NEAR(errors.elbo, 0.0, kElboError);
  EXPECT_LT(errors.score.cwiseAbs().maxCoeff(), kScoreError);
}

// Any regressor may carry T, V and S: each must give a better score than no S at all (AELBO-2).
using SampledRecursionsSlow = SampledRecursions;
TEST_F(SampledRecursionsSlow, WorkWithAnyRegressor) {
  config_.objective = Objective::kAelbo2;
  const double without = run().score.norm();
  config_.objective = Objective::kElbo;
  for (const auto kind : {RegressorKind::kKernelRidge, RegressorKind::kHermite,
                          RegressorKind::kRandomFeatures, RegressorKind::kMlp}) {
    for (auto* regression : {&config_.value_regression, &config_.score_regression}) {
      regression->regressor.kind = kind;
      regression->regressor.hermite.least_squares = false;
      regression->regressor.kernel_ridge.ridge = 1e-3;
      regression->regressor.random_features.ridge = 1e-3;
      regression->regressor.mlp.iterations = 400;
      regression->points = 1000;
    }
    EXPECT_LT(run().score.norm(), 0.5 * without) << "kind " << static_cast<int>(kind);
  }
}

}  // namespace
}  // namespace ovf
