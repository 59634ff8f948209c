// On linear-Gaussian models the fast setting must be exact: the Kalman filter is the referee.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>

#include "filter/linear_problem.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/filter/recursive_maximum_likelihood.hpp"

namespace ovf {
namespace {

using test::observe;
using test::random_problem;

OnlineVariationalFilterConfig fast_without_learning() {
  auto config = OnlineVariationalFilterConfig::fast();
  config.learning.rule = LearningRule::kNone;
  return config;
}

class FastSetting : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(DiagonalAndFull, FastSetting, testing::Bool());

TEST_P(FastSetting, AgreesWithExactJointPosteriorAtEveryStep) {
  const auto spec = random_problem(10, GetParam(), 1);
  const auto observations = observe(spec, 200, 1);
  const auto exact = rts_smoother(make_linear_gaussian(spec), observations);
  OnlineVariationalFilter filter(make_linear_gaussian(spec), fast_without_learning());
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    ASSERT_EQ(filter.step(observations.col(t)).status, StepStatus::kOk);
    const auto k = static_cast<std::size_t>(t);
    ASSERT_LT(kl_divergence(filter.belief(), exact.filtered[k]), 1e-9) << "step " << t;
    if (t == 0) continue;
    const double kl = kl_divergence(joint(*filter.record().kernel->affine(), filter.belief()),
                                    joint(exact.kernels[k - 1], exact.filtered[k]));
    ASSERT_LT(kl, 1e-9) << "step " << t;
  }
}

TEST_P(FastSetting, RelboIsTheLogEvidence) {
  const auto spec = random_problem(10, GetParam(), 2);
  const auto observations = observe(spec, 1000, 2);
  OnlineVariationalFilter filter(make_linear_gaussian(spec), fast_without_learning());
  KalmanFilter kalman(make_linear_gaussian(spec));
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const auto& result = filter.step(observations.col(t));
    const auto& exact = kalman.step(observations.col(t));
    ASSERT_NEAR(result.elbo_increment, exact.elbo_increment, 1e-8);
    ASSERT_NEAR(result.nis, exact.nis, 1e-8);
    ASSERT_LT((result.innovation - exact.innovation).norm(), 1e-9);
  }
  EXPECT_NEAR(filter.step(observations.col(0)).elbo, kalman.step(observations.col(0)).elbo, 1e-6);
}

// With V carried along, a mean-field q_t is the best one for the exact posterior: its errors do not
// build up. Mean-field optimum of a Gaussian: exact mean, variances 1 / precision_ii.
TEST(MeanFieldMarginal, IsTheProjectionOfTheExactPosterior) {
  const auto spec = random_problem(6, true, 3);
  const auto observations = observe(spec, 50, 3);
  const auto exact = rts_smoother(make_linear_gaussian(spec), observations);
  auto config = fast_without_learning();
  config.marginal = CovarianceForm::kDiagonal;
  OnlineVariationalFilter filter(make_linear_gaussian(spec), config);
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const auto& result = filter.step(observations.col(t));
    const Gaussian& truth = exact.filtered[static_cast<std::size_t>(t)];
    ASSERT_LT((filter.belief().mean - truth.mean).norm(), 1e-8) << "step " << t;
    const Eigen::VectorXd variances = truth.covariance().inverse().diagonal().cwiseInverse();
    ASSERT_LT((filter.belief().factor.standard_deviations().cwiseAbs2() - variances).norm(), 1e-9);
    // The RELBO is then the evidence less one filtering KL, however long the sequence.
    if (t + 1 == observations.cols()) {
      EXPECT_NEAR(result.elbo, exact.log_evidence - kl_divergence(filter.belief(), truth), 1e-7);
    }
  }
}

LinearGaussianSpec learn(LinearGaussianSpec spec, bool full) {
  spec.learn_F = spec.learn_G = spec.learn_U = spec.learn_V =
      full ? Learned::kFull : Learned::kDiagonal;
  spec.F.diagonal().array() += 0.05;  // not the truth: the score must not vanish
  spec.U *= 1.5;
  return spec;
}

// S (Prop. 2) against the derivative of the Kalman filter's log likelihood, while theta moves.
TEST_P(FastSetting, ScoreIncrementIsTheExactScore) {
  const auto truth = random_problem(4, GetParam(), 4);
  const auto observations = observe(truth, 60, 4);
  auto config = OnlineVariationalFilterConfig::fast();
  config.learning.burn_in = 0;
  OnlineVariationalFilter filter(make_linear_gaussian(learn(truth, GetParam())), config);
  RecursiveMaximumLikelihood exact(make_linear_gaussian(learn(truth, GetParam())), config.learning);
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    filter.step(observations.col(t));
    exact.step(observations.col(t));
    const Eigen::VectorXd& score = exact.increment().gradient;
    const Eigen::MatrixXd& information = exact.increment().information;
    ASSERT_LT((filter.score_increment().gradient - score).norm(), 1e-7 * (1.0 + score.norm()));
    ASSERT_LT((filter.score_increment().information - information).norm(),
              1e-7 * information.norm());
    ASSERT_LT((filter.parameters() - exact.parameters()).norm(), 1e-8) << "step " << t;
  }
}

TEST(RtsSmoother, AgreesWithConditioningTheJointGaussian) {
  const int d = 2;
  const int steps = 4;
  const auto spec = random_problem(d, true, 5);
  const auto observations = observe(spec, steps, 5);
  const auto smoothed = rts_smoother(make_linear_gaussian(spec), observations);
  // p(x_{1:T} | y) has precision H and mean H^-1 h.
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(d * steps, d * steps);
  Eigen::VectorXd h = Eigen::VectorXd::Zero(d * steps);
  const Eigen::MatrixXd Ui = spec.U.inverse();
  const Eigen::MatrixXd Vi = spec.V.inverse();
  H.topLeftCorner(d, d) += Eigen::MatrixXd::Identity(d, d);
  for (int t = 0; t < steps; ++t) {
    H.block(t * d, t * d, d, d) += spec.G.transpose() * Vi * spec.G;
    h.segment(t * d, d) += spec.G.transpose() * Vi * observations.col(t);
    if (t == 0) continue;
    H.block(t * d, t * d, d, d) += Ui;
    H.block(t * d - d, t * d - d, d, d) += spec.F.transpose() * Ui * spec.F;
    H.block(t * d, t * d - d, d, d) -= Ui * spec.F;
    H.block(t * d - d, t * d, d, d) -= spec.F.transpose() * Ui;
  }
  const Eigen::MatrixXd covariance = H.inverse();
  const Eigen::VectorXd mean = covariance * h;
  for (int t = 0; t < steps; ++t) {
    const Gaussian& marginal = smoothed.smoothed[static_cast<std::size_t>(t)];
    EXPECT_LT((marginal.mean - mean.segment(t * d, d)).norm(), 1e-10);
    EXPECT_LT((marginal.covariance() - covariance.block(t * d, t * d, d, d)).norm(), 1e-10);
  }
}

TEST(TangentKalmanFilter, GradientIsTheDerivativeOfTheLogEvidence) {
  const auto spec = learn(random_problem(3, true, 6), true);
  const auto observations = observe(spec, 8, 6);
  auto model = make_linear_gaussian(spec);
  const Eigen::VectorXd theta = model.parameters().values();
  TangentKalmanFilter tangent(model);
  Eigen::VectorXd gradient = Eigen::VectorXd::Zero(theta.size());
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    ASSERT_TRUE(tangent.step(model, observations.col(t)));
    gradient += tangent.increment().gradient;
  }
  const auto log_evidence = [&](const Eigen::VectorXd& values) {
    auto moved = make_linear_gaussian(spec);
    moved.set_parameters(values);
    return rts_smoother(std::move(moved), observations).log_evidence;
  };
  const double step = 1e-5;
  for (Eigen::Index j = 0; j < theta.size(); ++j) {
    Eigen::VectorXd moved = theta;
    moved[j] = theta[j] + step;
    const double above = log_evidence(moved);
    moved[j] = theta[j] - step;
    EXPECT_NEAR(gradient[j], (above - log_evidence(moved)) / (2.0 * step),
                1e-4 * (1.0 + std::abs(gradient[j])));
  }
}

}  // namespace
}  // namespace ovf
