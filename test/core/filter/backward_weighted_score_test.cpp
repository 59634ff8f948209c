// S at weighted draws against the closed form, where that is exact, and against particles that
// carry the scores of their whole paths.
#include "ovf/filter/backward_weighted_score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "filter/amortised_filters.hpp"
#include "filter/failing_observation.hpp"
#include "filter/linear_problem.hpp"
#include "math/random_inputs.hpp"
#include "ovf/evaluation/chaotic_rnn_problem.hpp"
#include "ovf/filter/systematic_resampling.hpp"

namespace ovf {
namespace {

using Config = OnlineVariationalFilterConfig;

// Scores at every step, but no steps of theta.
Config scoring(Config config) {
  config.learning.rule = LearningRule::kAdam;
  config.learning.burn_in = 1'000'000;
  return config;
}

Config weighting(Config config, int draws, std::uint64_t seed = 1) {
  config.score = RecursionMethod::kBackwardWeights;
  config.score_samples = draws;
  config.seed = seed;
  return config;
}

constexpr Eigen::Index kMissing = 7;

// The sum of the increments of all observations, one of which is missing.
Eigen::VectorXd summed_increments(StateSpaceModel model, const Config& config,
                                  const Eigen::MatrixXd& observations) {
  OnlineVariationalFilter filter(std::move(model), config);
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(filter.parameters().size());
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    const StepResult& result = t == kMissing ? filter.skip({}) : filter.step(observations.col(t));
    EXPECT_TRUE(result.ok()) << result.reason;
    sum += filter.score_increment().gradient;
  }
  return sum;
}

// Independent estimates in columns.
struct Estimates {
  Eigen::MatrixXd columns;

  Eigen::VectorXd mean() const { return columns.rowwise().mean(); }
  /// Of the mean.
  Eigen::VectorXd standard_error() const {
    const auto n = static_cast<double>(columns.cols());
    return ((columns.colwise() - mean()).rowwise().squaredNorm() / (n * (n - 1.0))).cwiseSqrt();
  }
};

template <typename Run>
Estimates repeat(int runs, const Run& run) {
  Estimates estimates;
  for (int k = 0; k < runs; ++k) {
    const Eigen::VectorXd estimate = run(static_cast<std::uint64_t>(k + 1));
    estimates.columns.conservativeResize(estimate.size(), k + 1);
    estimates.columns.col(k) = estimate;
  }
  return estimates;
}

LinearGaussianSpec learning_all(int dim) {
  LinearGaussianSpec spec = test::random_problem(dim, true, 3);
  spec.learn_F = spec.learn_G = Learned::kDiagonal;
  spec.learn_U = spec.learn_V = Learned::kFull;
  return spec;
}

// Five standard errors from ten runs: one comparison in a thousand fails by chance, of which there
// are ten, with fixed seeds.
constexpr int kRuns = 10;
constexpr double kErrors = 5.0;

TEST(BackwardWeightedScoreSlow, AgreesWithTheClosedFormOnALinearModel) {
  const LinearGaussianSpec spec = learning_all(2);
  const Eigen::MatrixXd y = test::observe(spec, 20, 3);
  const auto sum = [&](const Config& config) {
    return summed_increments(make_linear_gaussian(spec), config, y);
  };
  Config without = scoring(Config::fast());
  without.objective = Objective::kAelbo2;
  const Eigen::VectorXd exact = sum(scoring(Config::fast()));
  const Estimates estimates = repeat(kRuns, [&](std::uint64_t seed) {
    return sum(weighting(scoring(Config::fast()), 400, seed));
  });
  const Eigen::VectorXd error = (estimates.mean() - exact).cwiseAbs();
  for (Eigen::Index j = 0; j < exact.size(); ++j) {
    EXPECT_LT(error[j], kErrors * estimates.standard_error()[j]) << "parameter " << j;
  }
  // The past, which the AELBOs leave out, is seen above the noise: the error was a tenth of it.
  EXPECT_LT(error.norm(), 0.25 * (sum(without) - exact).norm());

  const Eigen::VectorXd exact_without = sum(without);
  const Estimates estimates_without =
      repeat(kRuns, [&](std::uint64_t seed) { return sum(weighting(without, 100, seed)); });
  for (Eigen::Index j = 0; j < exact.size(); ++j) {
    EXPECT_LT(std::abs(estimates_without.mean()[j] - exact_without[j]),
              kErrors * estimates_without.standard_error()[j])
        << "parameter " << j;
  }
}

// The gradient of the log likelihood by Fisher's identity: particles that carry the sum of the
// scores of their own path. No backward weights, no q.
Eigen::VectorXd score_of_paths(const StateSpaceModel& model, const Eigen::MatrixXd& y,
                               int particles, std::uint64_t seed) {
  RandomStream random(seed, 201);
  Eigen::MatrixXd x(model.state_dim(), particles);
  Eigen::MatrixXd noise(x.rows(), particles);
  random.fill_normal(noise);
  model.prior().factor.multiply(noise, x);
  x.colwise() += model.prior().mean;
  Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(model.parameters().size(), particles);
  Eigen::MatrixXd next;
  Eigen::MatrixXd scores;
  Eigen::VectorXd weights;
  Eigen::VectorXi parents(particles);
  for (Eigen::Index t = 0; t < y.cols(); ++t) {
    const Eigen::VectorXd seen = t == kMissing ? Eigen::VectorXd() : Eigen::VectorXd(y.col(t));
    if (t == 0) {
      model.first_scores({}, seen, x, scores);
    } else {
      model.transition().sample({}, x, random, next);
      model.scores({}, seen, x, next, scores);
      x = next;
    }
    sums += scores;
    weights.setZero(particles);
    if (seen.size() > 0) model.observation().log_density(seen, x, weights);
    weights = (weights.array() - weights.maxCoeff()).exp();
    weights /= weights.sum();
    if (t + 1 == y.cols()) break;
    EXPECT_TRUE(systematic_resampling(weights, random.uniform(), parents));
    x = Eigen::MatrixXd(x(Eigen::all, parents));
    sums = Eigen::MatrixXd(sums(Eigen::all, parents));
  }
  return sums * weights;
}

class BackwardWeightedScoreOnNetworkSlow : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(, BackwardWeightedScoreOnNetworkSlow, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "Tilted" : "Gaussian"; });

TEST_P(BackwardWeightedScoreOnNetworkSlow, AgreesWithPathsOfParticlesOnAChaoticNetwork) {
  ChaoticRnnProblem problem = random_chaotic_rnn_problem(2, 10, 5);
  ChaoticRnnSpec& spec = problem.spec;
  spec.learn_gamma = spec.learn_process_noise = spec.learn_observation_scale = spec.learn_nu = true;
  const Config config = scoring(GetParam() ? Config::accurate() : Config::fast());
  const auto sum = [&](const Config& c) {
    return summed_increments(make_chaotic_rnn(spec), c, problem.observations);
  };
  const Estimates exact = repeat(6, [&](std::uint64_t seed) {
    return score_of_paths(make_chaotic_rnn(spec), problem.observations, 100'000, seed);
  });
  const Estimates estimates =
      repeat(kRuns, [&](std::uint64_t seed) { return sum(weighting(config, 300, seed)); });
  const Eigen::VectorXd closed_form = sum(config);
  for (Eigen::Index j = 0; j < closed_form.size(); ++j) {
    const double error = std::hypot(exact.standard_error()[j], estimates.standard_error()[j]);
    const std::string name = make_chaotic_rnn(spec).parameters().info(static_cast<int>(j)).name;
    RecordProperty(name, std::to_string(exact.mean()[j]) + " by paths, " +
                             std::to_string(estimates.mean()[j]) + " by backward weights, +- " +
                             std::to_string(error) + ", " + std::to_string(closed_form[j]) +
                             " in closed form");
    EXPECT_NEAR(estimates.mean()[j], exact.mean()[j], kErrors * error) << name;
  }
}

// A linear-Gaussian model that loses the density of one observation.
std::unique_ptr<OnlineVariationalFilter> failing_filter(const LinearGaussianSpec& spec) {
  const LinearConditional::Spec f{"F", spec.F, Learned::kFull, "U", spec.U, Learned::kNo};
  const LinearConditional::Spec g{"G", spec.G, Learned::kNo, "V", spec.V, Learned::kFull};
  Config config = weighting(Config::fast(), 30);
  config.learning.rule = LearningRule::kAdam;
  return std::make_unique<OnlineVariationalFilter>(
      StateSpaceModel(spec.prior, std::make_unique<LinearTransition>(f),
                      std::make_unique<test::FailingObservation>(g)),
      config);
}

TEST(BackwardWeightedScore, HasNoTraceOfARejectedStep) {
  const LinearGaussianSpec spec = test::random_problem(3, true, 95);
  const Eigen::MatrixXd observations = test::observe(spec, 10, 95);
  Eigen::VectorXd y = observations.col(0);
  y[0] = test::FailingObservation::kBad;
  test::expect_refused_without_a_trace([&] { return failing_filter(spec); }, observations, y,
                                       StepStatus::kNumericalFailure);
}

TEST(BackwardWeightedScore, WeighsAllDrawsTheSameWhereNoWeightIsFinite) {
  const LinearGaussianSpec spec = test::random_problem(3, true, 95);
  const auto filter = failing_filter(spec);
  Eigen::VectorXd y = test::observe(spec, 1, 95);
  EXPECT_TRUE(filter->step(y).ok());
  y[0] = test::FailingObservation::kBad;
  EXPECT_FALSE(filter->step(y).ok());
  EXPECT_TRUE(filter->score_increment().gradient.allFinite());
  EXPECT_GT(filter->score_increment().gradient.norm(), 0.0);
}

TEST(BackwardWeightedScore, StaysFiniteWhateverIsObserved) {
  ChaoticRnnProblem problem = random_chaotic_rnn_problem(3, 60, 6);
  ChaoticRnnSpec& spec = problem.spec;
  spec.learn_gamma = spec.learn_process_noise = spec.learn_observation_scale = spec.learn_nu = true;
  LinearGaussianSpec linear = learning_all(3);
  const double sizes[] = {1e3, -1e8, 1e30, -1e150, 1e200, 1e308};
  for (const bool tilted : {false, true}) {
    const Config config = weighting(tilted ? Config::accurate() : Config::fast(), 20);
    OnlineVariationalFilter chaotic(make_chaotic_rnn(spec), config);
    OnlineVariationalFilter gaussian(make_linear_gaussian(linear), config);
    for (OnlineVariationalFilter* filter : {&chaotic, &gaussian}) {
      for (int t = 0; t < 60; ++t) {
        Eigen::VectorXd y = problem.observations.col(t);
        if (t % 5 == 4) y[t % 3] = sizes[(t / 5) % 6];
        filter->step(y);
        const Eigen::VectorXd& gradient = filter->score_increment().gradient;
        ASSERT_TRUE(gradient.allFinite()) << "step " << t << ": " << gradient.transpose();
        ASSERT_TRUE(filter->parameters().allFinite()) << "step " << t;
      }
    }
  }
}

TEST(BackwardWeightedScore, RefusesAnArchiveWithOtherDraws) {
  const LinearGaussianSpec spec = learning_all(2);
  const auto filter = [&](int draws) {
    return OnlineVariationalFilter(make_linear_gaussian(spec), weighting(Config::fast(), draws));
  };
  OnlineVariationalFilter writer = filter(20);
  OnlineVariationalFilter reader = filter(21);
  const std::string message = test::message_of([&] { test::read(reader, test::bytes_of(writer)); });
  EXPECT_NE(message.find("draws of S"), std::string::npos) << message;
}

TEST(BackwardWeightedScore, RefusesSettingsThatItCannotServe) {
  const auto refusal = [](const Config& config) {
    return test::message_of([&] { validate(config); });
  };
  const std::string expected =
      "; expected 2 to 10000 with score: backward_weights, whose time grows with their square";
  EXPECT_EQ(refusal(weighting(Config::fast(), 1)), "score_samples is 1" + expected);
  EXPECT_EQ(refusal(weighting(Config::fast(), 10'001)), "score_samples is 10001" + expected);
  EXPECT_NO_THROW(validate(weighting(Config::fast(), 10'000)));
  Config value = Config::fast();
  value.value = RecursionMethod::kBackwardWeights;
  EXPECT_EQ(refusal(value), "value is backward_weights; expected closed_form or regression");
}

}  // namespace
}  // namespace ovf
