#include "ovf/filter/ensemble_kalman_filter.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "filter/linear_problem.hpp"

namespace ovf {
namespace {

using test::observe;
using test::random_problem;

// Largest errors over a sequence, in units of the exact posterior: of the mean in standard
// deviations, of the covariance relative to its norm, of the log evidence per step in nats.
struct Errors {
  double mean = 0.0;
  double covariance = 0.0;
  double log_evidence = 0.0;
};

Errors errors_of(const LinearGaussianSpec& spec, const EnsembleKalmanFilterConfig& config) {
  const auto observations = observe(spec, 40, 71);
  KalmanFilter exact(make_linear_gaussian(spec));
  EnsembleKalmanFilter filter(make_linear_gaussian(spec), config);
  Errors errors;
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const StepResult& truth = exact.step(observations.col(t));
    const StepResult& result = filter.step(observations.col(t));
    EXPECT_EQ(result.status, StepStatus::kOk) << result.reason;
    EXPECT_EQ(result.step, t + 1);
    Eigen::VectorXd shift = filter.belief().mean - exact.belief().mean;
    exact.belief().factor.whiten(shift);
    const Eigen::MatrixXd P = exact.belief().covariance();
    errors.mean = std::max(errors.mean, shift.cwiseAbs().maxCoeff());
    errors.covariance =
        std::max(errors.covariance, (filter.belief().covariance() - P).norm() / P.norm());
    errors.log_evidence =
        std::max(errors.log_evidence, std::abs(result.elbo_increment - truth.elbo_increment));
  }
  return errors;
}

class LinearEnsemble : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(DiagonalAndFull, LinearEnsemble, testing::Bool());

TEST_P(LinearEnsemble, ConvergesToTheKalmanFilter) {
  const auto spec = random_problem(3, GetParam(), 71);
  const Errors few = errors_of(spec, {.members = 1000});
  const Errors many = errors_of(spec, {.members = 100'000});
  // Monte Carlo errors are of the order 1 / sqrt(members): 0.003, and the largest of 120 draws.
  EXPECT_LT(many.mean, 0.03);
  EXPECT_LT(many.covariance, 0.03);
  EXPECT_LT(many.log_evidence, 0.03);
  // A hundred times the members, a tenth of the error.
  EXPECT_LT(many.mean, 0.3 * few.mean);
  EXPECT_LT(many.covariance, 0.3 * few.covariance);
  EXPECT_LT(many.log_evidence, 0.3 * few.log_evidence);
}

// Without noise of the perturbations in the mean, the update is Kalman's with the sample
// covariance.
TEST(EnsembleKalmanFilter, MovesItsMeanByTheInnovationOnly) {
  const auto spec = random_problem(3, true, 72);
  const auto observations = observe(spec, 1, 72);
  EnsembleKalmanFilter filter(make_linear_gaussian(spec), {.members = 20});
  const Eigen::VectorXd m = filter.ensemble().rowwise().mean();
  const Eigen::MatrixXd centred = filter.ensemble().colwise() - m;
  const Eigen::MatrixXd P = centred * centred.transpose() / 19.0;
  const Eigen::MatrixXd S = spec.G * P * spec.G.transpose() + spec.V;
  const Eigen::VectorXd e = observations.col(0) - spec.G * m;
  filter.step(observations.col(0));
  const Eigen::VectorXd expected = m + P * spec.G.transpose() * S.llt().solve(e);
  EXPECT_LT((filter.belief().mean - expected).norm(), 1e-12);
  EXPECT_LT((filter.ensemble().rowwise().mean() - expected).norm(), 1e-12);
}

TEST(EnsembleKalmanFilter, WorksWithFewerMembersThanDimensions) {
  const auto spec = random_problem(30, true, 73);
  RandomStream random(73);
  const auto sequence = simulate(make_linear_gaussian(spec), 100, random);
  EnsembleKalmanFilter filter(make_linear_gaussian(spec), {.members = 10, .inflation = 1.05});
  double error = 0.0;
  for (Eigen::Index t = 0; t < 100; ++t) {
    ASSERT_EQ(filter.step(sequence.observations.col(t)).status, StepStatus::kOk);
    ASSERT_TRUE(filter.belief().factor.lower().allFinite());
    error += (filter.belief().mean - sequence.states.col(t)).squaredNorm();
  }
  // Far better than knowing nothing, with a third of the directions that it would need.
  EXPECT_LT(error, 0.4 * sequence.states.squaredNorm());
}

TEST(EnsembleKalmanFilter, InflationWidensThePrediction) {
  const auto spec = random_problem(2, true, 74);
  const auto observations = observe(spec, 2, 74);
  EnsembleKalmanFilter plain(make_linear_gaussian(spec), {.members = 50});
  EnsembleKalmanFilter inflated(make_linear_gaussian(spec), {.members = 50, .inflation = 1.5});
  // The prior is known, the first step is not inflated.
  EXPECT_EQ(plain.step(observations.col(0)).nis, inflated.step(observations.col(0)).nis);
  const Eigen::VectorXd e = plain.step(observations.col(1)).innovation;
  EXPECT_LT((inflated.step(observations.col(1)).innovation - e).norm(), 1e-12);
  EXPECT_LT(inflated.step(observations.col(1)).nis, plain.step(observations.col(1)).nis);
}

TEST(EnsembleKalmanFilter, SameSeedGivesBitIdenticalResults) {
  const auto spec = random_problem(3, true, 75);
  const auto observations = observe(spec, 10, 75);
  EnsembleKalmanFilter a(make_linear_gaussian(spec), {.members = 1500, .seed = 7});
  EnsembleKalmanFilter b(make_linear_gaussian(spec), {.members = 1500, .seed = 7});
  EnsembleKalmanFilter c(make_linear_gaussian(spec), {.members = 1500, .seed = 8});
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const double elbo = a.step(observations.col(t)).elbo;
    EXPECT_EQ(b.step(observations.col(t)).elbo, elbo);
    EXPECT_NE(c.step(observations.col(t)).elbo, elbo);
    EXPECT_EQ(a.ensemble(), b.ensemble());
  }
}

TEST(EnsembleKalmanFilter, MovesTheBeliefWithoutAnObservation) {
  const auto spec = random_problem(2, true, 70);
  const auto observations = observe(spec, 12, 70);
  KalmanFilter exact(make_linear_gaussian(spec));
  EnsembleKalmanFilter filter(make_linear_gaussian(spec), {.members = 100'000});
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
    // Monte Carlo errors, as above.
    ASSERT_LT(shift.norm(), 0.03) << "step " << t;
    ASSERT_LT((filter.belief().covariance() - P).norm(), 0.03 * P.norm()) << "step " << t;
  }
}

// Refused observations leave no trace, not even in the random numbers.
TEST(EnsembleKalmanFilter, KeepsTheBeliefOnBadInput) {
  const auto spec = random_problem(3, true, 76);
  const auto observations = observe(spec, 5, 76);
  EnsembleKalmanFilter filter(make_linear_gaussian(spec), {});
  EnsembleKalmanFilter undisturbed(make_linear_gaussian(spec), {});
  const auto expect_refused = [&](const Eigen::VectorXd& y, double dt, StepStatus status,
                                  const std::string& words) {
    const StepResult result = filter.step(y, {.dt = dt, .control = {}});
    EXPECT_EQ(result.status, status);
    EXPECT_NE(result.reason.find(words), std::string::npos) << result.reason;
    EXPECT_EQ(filter.belief().mean, undisturbed.belief().mean);
    EXPECT_EQ(filter.belief().factor.lower(), undisturbed.belief().factor.lower());
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    expect_refused(Eigen::Vector3d(0.0, nan, 0.0), 1.0, StepStatus::kNotFinite, "observation[1]");
    expect_refused(Eigen::VectorXd::Zero(2), 1.0, StepStatus::kWrongSize, "has 2 numbers");
    expect_refused(observations.col(t), nan, StepStatus::kNotFinite, "dt (nan)");
    expect_refused(Eigen::VectorXd::Constant(3, 1e200), 1.0, StepStatus::kNumericalFailure,
                   "no finite density");
    const StepResult expected = undisturbed.step(observations.col(t));
    const StepResult& result = filter.step(observations.col(t));
    ASSERT_EQ(result.status, StepStatus::kOk);
    EXPECT_EQ(result.step, t + 1);
    EXPECT_EQ(result.elbo, expected.elbo);
    EXPECT_EQ(filter.ensemble(), undisturbed.ensemble());
  }
}

TEST(EnsembleKalmanFilter, RejectsBadConfiguration) {
  const auto message_of = [](const EnsembleKalmanFilterConfig& config) -> std::string {
    try {
      const EnsembleKalmanFilter filter(make_linear_gaussian(random_problem(2, true, 77)), config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message_of({.members = 1}), "members is 1; expected at least 2");
  EXPECT_EQ(message_of({.inflation = 0.5}), "inflation is 0.5; expected a factor of 1 or more");
}

}  // namespace
}  // namespace ovf
