#include "ovf/filter/posterior_chain.hpp"

#include <gtest/gtest.h>

#include "filter/brute_force_elbo.hpp"
#include "filter/linear_problem.hpp"
#include "ovf/filter/kalman_filter.hpp"

namespace ovf {
namespace {

using test::observe;
using test::random_problem;

constexpr int kDraws = 4000;

OnlineVariationalFilterConfig setting(CovarianceForm marginal) {
  auto config = OnlineVariationalFilterConfig::fast();
  config.learning.rule = LearningRule::kNone;
  config.marginal = marginal;
  return config;
}

class LinearChain : public testing::Test {
 protected:
  /// The chain after all observations; every `kept`-th of them, the other steps skipped.
  PosteriorChain run(CovarianceForm marginal, int kept = 1) {
    OnlineVariationalFilter filter(make_linear_gaussian(spec_), setting(marginal));
    PosteriorChain chain;
    for (Eigen::Index t = 0; t < observations_.cols(); ++t) {
      const bool observed = t % kept == 0;
      const StepResult& result = observed ? filter.step(observations_.col(t)) : filter.skip({});
      EXPECT_TRUE(result.ok()) << result.reason;
      chain.append(filter.record());
      phi_.push_back(test::phi_of(filter.record()));
    }
    return chain;
  }

  LinearGaussianSpec spec_ = random_problem(3, true, 71);
  Eigen::MatrixXd observations_ = observe(spec_, 12, 71);
  StateSpaceModel model_ = make_linear_gaussian(spec_);
  RandomStream random_{72};
  std::vector<test::Phi> phi_;
};

TEST_F(LinearChain, BoundsTheEvidenceWithoutSpreadForTheExactPosterior) {
  const auto bound = run(CovarianceForm::kFull).bound(model_, kDraws, random_);
  const double evidence = rts_smoother(make_linear_gaussian(spec_), observations_).log_evidence;
  // Every draw says the same, up to rounding.
  EXPECT_NEAR(bound.elbo, evidence, 1e-9);
  EXPECT_LT(bound.standard_error, 1e-9);
  EXPECT_NEAR(bound.importance_weighted, evidence, 1e-9);
  EXPECT_NEAR(bound.effective_sample_size, kDraws, 1e-6);
}

TEST_F(LinearChain, HasTheElboOfAMeanFieldPosterior) {
  const auto chain = run(CovarianceForm::kDiagonal);
  const auto bound = chain.bound(model_, kDraws, random_);
  EXPECT_GT(bound.standard_error, 1e-3);
  EXPECT_NEAR(bound.elbo, test::brute_force_elbo(spec_, observations_, phi_),
              4.0 * bound.standard_error);
  // Jensen's inequality holds for the draws themselves.
  EXPECT_GT(bound.importance_weighted, bound.elbo);
  EXPECT_LT(bound.effective_sample_size, 0.99 * kDraws);
  EXPECT_GE(bound.effective_sample_size, 1.0);
  // Between the ELBO and the evidence, up to the spread of the weights.
  const double evidence = rts_smoother(make_linear_gaussian(spec_), observations_).log_evidence;
  EXPECT_NEAR(bound.importance_weighted, evidence, 0.1);
}

TEST_F(LinearChain, SmoothsLikeTheRtsSmoother) {
  const auto marginals = run(CovarianceForm::kFull).smoothed(model_, kDraws, random_);
  const auto exact = rts_smoother(make_linear_gaussian(spec_), observations_).smoothed;
  ASSERT_EQ(marginals.mean.cols(), observations_.cols());
  for (Eigen::Index t = 0; t < observations_.cols(); ++t) {
    const Gaussian& truth = exact[static_cast<std::size_t>(t)];
    const Eigen::VectorXd deviation = truth.factor.standard_deviations();
    const Eigen::VectorXd shift = (marginals.mean.col(t) - truth.mean).cwiseQuotient(deviation);
    const Eigen::VectorXd ratio = marginals.deviation.col(t).cwiseQuotient(deviation);
    // Means are known to 1 / sqrt(4000) = 0.016, deviations to 0.011: about four errors.
    EXPECT_LT(shift.cwiseAbs().maxCoeff(), 0.07) << "step " << t;
    EXPECT_LT((ratio.array() - 1.0).abs().maxCoeff(), 0.05) << "step " << t;
  }
}

TEST_F(LinearChain, CountsNoLikelihoodOfStepsThatWereSkipped) {
  const auto chain = run(CovarianceForm::kFull, 3);
  KalmanFilter exact(make_linear_gaussian(spec_));
  double evidence = 0.0;
  for (Eigen::Index t = 0; t < observations_.cols(); ++t) {
    evidence = t % 3 == 0 ? exact.step(observations_.col(t)).elbo : exact.skip({}).elbo;
  }
  const auto bound = chain.bound(model_, kDraws, random_);
  EXPECT_NEAR(bound.elbo, evidence, 1e-9);
  EXPECT_LT(bound.standard_error, 1e-9);
}

}  // namespace
}  // namespace ovf
