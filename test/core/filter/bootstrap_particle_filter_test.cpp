#include "ovf/filter/bootstrap_particle_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "filter/linear_problem.hpp"

namespace ovf {
namespace {

using test::observe;
using test::random_problem;

class LinearParticles : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(DiagonalAndFull, LinearParticles, testing::Bool());

TEST_P(LinearParticles, ConvergeToTheKalmanFilter) {
  const auto spec = random_problem(2, GetParam(), 81);
  const auto observations = observe(spec, 30, 81);
  const auto exact = rts_smoother(make_linear_gaussian(spec), observations);
  BootstrapParticleFilter filter(make_linear_gaussian(spec), {.particles = 100'000});
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const StepResult& result = filter.step(observations.col(t));
    ASSERT_EQ(result.status, StepStatus::kOk) << result.reason;
    ASSERT_EQ(result.step, t + 1);
    const Gaussian& truth = exact.filtered[static_cast<std::size_t>(t)];
    const Eigen::MatrixXd P = truth.covariance();
    Eigen::VectorXd shift = filter.belief().mean - truth.mean;
    truth.factor.whiten(shift);
    // Monte Carlo errors are of the order 1 / sqrt(effective sample size), at most 0.02 here.
    ASSERT_LT(shift.norm(), 0.05) << "step " << t;
    ASSERT_LT((filter.belief().covariance() - P).norm(), 0.05 * P.norm()) << "step " << t;
    if (t == 0) {
      EXPECT_EQ(filter.smoothed_previous().size(), 0);
      continue;
    }
    // E[x_{t-1} | y^t] through the exact backward kernel.
    const AffineGaussian& kernel = exact.kernels[static_cast<std::size_t>(t) - 1];
    Eigen::VectorXd lag = filter.smoothed_previous() - kernel.matrix * truth.mean - kernel.offset;
    exact.filtered[static_cast<std::size_t>(t) - 1].factor.whiten(lag);
    ASSERT_LT(lag.norm(), 0.05) << "step " << t;
  }
}

TEST_P(LinearParticles, LogEvidenceConverges) {
  const auto spec = random_problem(2, GetParam(), 82);
  const auto observations = observe(spec, 30, 82);
  const double exact = rts_smoother(make_linear_gaussian(spec), observations).log_evidence;
  BootstrapParticleFilter filter(make_linear_gaussian(spec), {.particles = 100'000});
  double elbo = 0.0;
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    elbo = filter.step(observations.col(t)).elbo;
  }
  // Each of 30 steps adds an error of about 1 / sqrt(effective sample size), at most 0.01.
  EXPECT_NEAR(elbo, exact, 0.1);
}

TEST(BootstrapParticleFilter, EvidenceIsUnbiased) {
  const auto spec = random_problem(2, true, 83);
  const auto observations = observe(spec, 5, 83);
  const double exact = rts_smoother(make_linear_gaussian(spec), observations).log_evidence;
  constexpr int kSeeds = 4000;
  Eigen::ArrayXd ratios(kSeeds);
  for (int seed = 0; seed < kSeeds; ++seed) {
    BootstrapParticleFilter filter(make_linear_gaussian(spec),
                                   {.particles = 100, .seed = static_cast<std::uint64_t>(seed)});
    double elbo = 0.0;
    for (Eigen::Index t = 0; t < observations.cols(); ++t) {
      elbo = filter.step(observations.col(t)).elbo;
    }
    ratios[seed] = std::exp(elbo - exact);
  }
  const double error = std::sqrt((ratios - ratios.mean()).square().mean() / kSeeds);
  EXPECT_LT(error, 0.02);
  EXPECT_NEAR(ratios.mean(), 1.0, 4.0 * error);
  // Its logarithm is not: Jensen's inequality.
  EXPECT_LT(ratios.log().mean(), -0.05);
}

TEST(BootstrapParticleFilter, BeliefIsTheMomentsOfTheWeightedParticles) {
  const auto spec = random_problem(3, true, 84);
  const auto observations = observe(spec, 10, 84);
  BootstrapParticleFilter filter(make_linear_gaussian(spec), {.particles = 5000});
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    filter.step(observations.col(t));
    const Eigen::VectorXd& weights = filter.weights();
    ASSERT_NEAR(weights.sum(), 1.0, 1e-12);
    ASSERT_NEAR(filter.effective_sample_size(), 1.0 / weights.squaredNorm(), 1e-6);
    const Eigen::VectorXd mean = filter.particles() * weights;
    const Eigen::MatrixXd centred = filter.particles().colwise() - mean;
    const Eigen::MatrixXd covariance = centred * weights.asDiagonal() * centred.transpose();
    ASSERT_LT((filter.belief().mean - mean).norm(), 1e-12);
    ASSERT_LT((filter.belief().covariance() - covariance).norm(), 1e-12);
  }
}

// Without resampling the weights degenerate.
TEST(BootstrapParticleFilter, ResamplesBelowTheGivenShare) {
  const auto spec = random_problem(2, true, 85);
  const auto observations = observe(spec, 50, 85);
  const auto last_share = [&](double resample_below) {
    BootstrapParticleFilter filter(make_linear_gaussian(spec),
                                   {.particles = 2000, .resample_below = resample_below});
    for (Eigen::Index t = 0; t < observations.cols(); ++t) {
      EXPECT_EQ(filter.step(observations.col(t)).status, StepStatus::kOk);
    }
    return filter.effective_sample_size() / 2000.0;
  };
  EXPECT_LT(last_share(0.0), 0.02);
  EXPECT_GT(last_share(0.5), 0.1);
  EXPECT_GT(last_share(1.0), 0.1);
}

TEST(BootstrapParticleFilter, SurvivesTheCollapseOnOneParticle) {
  const auto spec = random_problem(3, true, 86);
  const auto observations = observe(spec, 20, 86);
  BootstrapParticleFilter filter(make_linear_gaussian(spec), {.particles = 1000});
  filter.step(observations.col(0));
  // Some hundreds of standard deviations: one particle takes all the weight.
  const StepResult& result = filter.step(Eigen::VectorXd::Constant(3, 100.0));
  ASSERT_EQ(result.status, StepStatus::kOk) << result.reason;
  EXPECT_NEAR(filter.effective_sample_size(), 1.0, 0.1);
  EXPECT_GT(filter.belief().factor.lower().diagonal().minCoeff(), 0.0);
  for (Eigen::Index t = 2; t < observations.cols(); ++t) {
    ASSERT_EQ(filter.step(observations.col(t)).status, StepStatus::kOk);
  }
  EXPECT_GT(filter.effective_sample_size(), 20.0);
}

TEST(BootstrapParticleFilter, SameSeedGivesBitIdenticalResults) {
  const auto spec = random_problem(3, true, 87);
  const auto observations = observe(spec, 10, 87);
  BootstrapParticleFilter a(make_linear_gaussian(spec), {.particles = 5000, .seed = 7});
  BootstrapParticleFilter b(make_linear_gaussian(spec), {.particles = 5000, .seed = 7});
  BootstrapParticleFilter c(make_linear_gaussian(spec), {.particles = 5000, .seed = 8});
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const double elbo = a.step(observations.col(t)).elbo;
    EXPECT_EQ(b.step(observations.col(t)).elbo, elbo);
    EXPECT_NE(c.step(observations.col(t)).elbo, elbo);
    EXPECT_EQ(a.particles(), b.particles());
    EXPECT_EQ(a.weights(), b.weights());
  }
}

TEST(BootstrapParticleFilter, MovesTheBeliefWithoutAnObservation) {
  auto spec = random_problem(2, true, 80);
  spec.V *= 100.0;  // a blunt sensor leaves many particles alive
  const auto observations = observe(spec, 12, 80);
  KalmanFilter exact(make_linear_gaussian(spec));
  BootstrapParticleFilter filter(make_linear_gaussian(spec), {.particles = 100'000});
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const bool observed = t % 3 == 1;
    if (observed) {
      exact.step(observations.col(t));
      ASSERT_EQ(filter.step(observations.col(t)).status, StepStatus::kOk);
    } else {
      exact.skip({});
      const StepResult& result = filter.skip({});
      ASSERT_EQ(result.status, StepStatus::kPredicted);
      ASSERT_EQ(result.step, t + 1);
      ASSERT_NEAR(result.elbo_increment, 0.0, 1e-12);
    }
    Eigen::VectorXd shift = filter.belief().mean - exact.belief().mean;
    exact.belief().factor.whiten(shift);
    const Eigen::MatrixXd P = exact.belief().covariance();
    // Monte Carlo errors, as above: five times 1 / sqrt(effective sample size).
    ASSERT_GT(filter.effective_sample_size(), 1e4);
    ASSERT_LT(shift.norm(), 0.05) << "step " << t;
    ASSERT_LT((filter.belief().covariance() - P).norm(), 0.05 * P.norm()) << "step " << t;
  }
}

// Refused observations leave no trace, not even in the random numbers.
TEST(BootstrapParticleFilter, KeepsTheBeliefOnBadInput) {
  const auto spec = random_problem(3, true, 88);
  const auto observations = observe(spec, 5, 88);
  BootstrapParticleFilter filter(make_linear_gaussian(spec), {});
  BootstrapParticleFilter undisturbed(make_linear_gaussian(spec), {});
  const auto expect_refused = [&](const Eigen::VectorXd& y, double dt, StepStatus status,
                                  const std::string& words) {
    const StepResult result = filter.step(y, {.dt = dt, .control = {}});
    EXPECT_EQ(result.status, status);
    EXPECT_NE(result.reason.find(words), std::string::npos) << result.reason;
    EXPECT_EQ(filter.belief().mean, undisturbed.belief().mean);
    EXPECT_EQ(filter.belief().factor.lower(), undisturbed.belief().factor.lower());
    EXPECT_EQ(filter.weights(), undisturbed.weights());
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    expect_refused(Eigen::Vector3d(0.0, nan, 0.0), 1.0, StepStatus::kNotFinite, "observation[1]");
    expect_refused(Eigen::VectorXd::Zero(2), 1.0, StepStatus::kWrongSize, "has 2 numbers");
    expect_refused(observations.col(t), nan, StepStatus::kNotFinite, "dt (nan)");
    // A million standard deviations away, and beyond all numbers.
    for (const double outlier : {3e5, 1e200}) {
      expect_refused(Eigen::VectorXd::Constant(3, outlier), 1.0, StepStatus::kNumericalFailure,
                     "no particle comes near the observation");
    }
    const StepResult expected = undisturbed.step(observations.col(t));
    const StepResult& result = filter.step(observations.col(t));
    ASSERT_EQ(result.status, StepStatus::kOk);
    EXPECT_EQ(result.step, t + 1);
    EXPECT_EQ(result.elbo, expected.elbo);
    EXPECT_EQ(filter.particles(), undisturbed.particles());
  }
}

TEST(BootstrapParticleFilter, RejectsBadConfiguration) {
  const auto message_of = [](const BootstrapParticleFilterConfig& config) -> std::string {
    try {
      const BootstrapParticleFilter filter(make_linear_gaussian(random_problem(2, true, 89)),
                                           config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message_of({.particles = 1}), "particles is 1; expected at least 2");
  EXPECT_EQ(message_of({.resample_below = 1.5}),
            "resample_below is 1.5; expected a share in [0, 1]");
}

}  // namespace
}  // namespace ovf
