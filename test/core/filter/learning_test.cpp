// theta learned from the stream, judged by the batch maximum-likelihood estimate.
#include <gtest/gtest.h>

#include "filter/linear_problem.hpp"
#include "ovf/filter/recursive_maximum_likelihood.hpp"

namespace ovf {
namespace {

using test::observe;
using test::random_problem;

Eigen::VectorXd learn(const LinearGaussianSpec& start, const Eigen::MatrixXd& observations,
                      const OnlineVariationalFilterConfig& config) {
  OnlineVariationalFilter filter(make_linear_gaussian(start), config);
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    EXPECT_EQ(filter.step(observations.col(t)).status, StepStatus::kOk);
  }
  return filter.parameters();
}

TEST(SecondOrderLearningSlow, EndsCloseToTheBatchEstimate) {
  auto spec = random_problem(4, false, 51);
  spec.U = Eigen::MatrixXd::Identity(4, 4) * 0.01;
  const auto observations = observe(spec, 10000, 51);
  spec.learn_F = spec.learn_G = Learned::kDiagonal;
  auto start = spec;
  start.F.diagonal().setConstant(0.75);
  start.G.diagonal().setConstant(0.75);

  auto batch_model = make_linear_gaussian(start);
  const auto batch = maximise_likelihood(batch_model, observations);
  const Eigen::VectorXd& best = batch_model.parameters().values();
  const auto config = OnlineVariationalFilterConfig::fast();
  const Eigen::VectorXd online = learn(start, observations, config);
  // The batch estimate itself is uncertain by its standard deviation; the online one, which saw
  // each observation once, must be within one and a half of that on average.
  const double distance =
      ((online - best).array() / batch.standard_deviations.array()).abs().mean();
  EXPECT_LT(distance, 1.5);

  // And it says how uncertain it is: errors of about one reported deviation.
  OnlineVariationalFilter filter(make_linear_gaussian(start), config);
  for (Eigen::Index t = 0; t < observations.cols(); ++t) filter.step(observations.col(t));
  const Eigen::ArrayXd ratio =
      filter.learner().standard_deviations().array() / batch.standard_deviations.array();
  EXPECT_GT(ratio.minCoeff(), 0.5);
  EXPECT_LT(ratio.maxCoeff(), 2.0);
}

TEST(NoiseLearningSlow, FindsCovariancesStartedFourTimesTooLarge) {
  const int d = 4;
  auto spec = random_problem(d, false, 52);
  spec.U = Eigen::MatrixXd::Identity(d, d) * 0.01;
  spec.V = Eigen::MatrixXd::Identity(d, d) * 0.01;
  const auto observations = observe(spec, 30000, 52);
  auto start = spec;
  start.U *= 4.0;
  start.V *= 4.0;
  for (const auto form : {Learned::kDiagonal, Learned::kFull}) {
    start.learn_U = start.learn_V = form;
    auto model = make_linear_gaussian(start);
    model.set_parameters(learn(start, observations, OnlineVariationalFilterConfig::fast()));
    AffineGaussian f;
    AffineGaussian g;
    model.transition().linearise({}, spec.prior, Linearisation::kTangent, f);
    model.observation().linearise(spec.prior, Linearisation::kTangent, g);
    EXPECT_LT((f.noise.covariance() - spec.U).cwiseAbs().maxCoeff(), 0.1 * 0.01);
    EXPECT_LT((g.noise.covariance() - spec.V).cwiseAbs().maxCoeff(), 0.1 * 0.01);
  }
}

TEST(Learning, FreezeKeepsThetaAndResumeGoesOn) {
  auto spec = random_problem(3, false, 53);
  spec.learn_F = Learned::kDiagonal;
  const auto observations = observe(spec, 100, 53);
  OnlineVariationalFilter filter(make_linear_gaussian(spec), OnlineVariationalFilterConfig::fast());
  for (int t = 0; t < 50; ++t) filter.step(observations.col(t));
  filter.learner().freeze();
  const Eigen::VectorXd frozen = filter.parameters();
  for (int t = 50; t < 80; ++t) EXPECT_FALSE(filter.step(observations.col(t)).learned);
  EXPECT_EQ(filter.parameters(), frozen);
  filter.learner().resume();
  EXPECT_TRUE(filter.step(observations.col(80)).learned);
  EXPECT_NE(filter.parameters(), frozen);
}

}  // namespace
}  // namespace ovf
