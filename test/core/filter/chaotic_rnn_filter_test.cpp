// The settings of the filter against each other and against a particle filter, on the model of
// Section 5.2.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <tuple>

#include "ovf/evaluation/chaotic_rnn_problem.hpp"
#include "ovf/filter/bootstrap_particle_filter.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/filter/posterior_chain.hpp"

namespace ovf {
namespace {

constexpr int kSteps = 60;
constexpr int kDraws = 2000;

struct Track {
  double relbo = 0.0;
  PosteriorChain::Bound bound;
  Eigen::MatrixXd means;
};

Track follow(const ChaoticRnnProblem& problem, const OnlineVariationalFilterConfig& config) {
  OnlineVariationalFilter filter(make_chaotic_rnn(problem.spec), config);
  Track track;
  track.means.resize(problem.dim(), problem.steps());
  PosteriorChain chain;
  for (int t = 0; t < problem.steps(); ++t) {
    const StepResult& result = filter.step(problem.observations.col(t));
    EXPECT_EQ(result.status, StepStatus::kOk) << result.reason;
    track.relbo = result.elbo;
    track.means.col(t) = filter.belief().mean;
    chain.append(filter.record());
  }
  RandomStream random(1, 171);
  track.bound = chain.bound(filter.model(), kDraws, random);
  return track;
}

template <typename Peer>
double follow_peer(const ChaoticRnnProblem& problem, Peer& peer, Eigen::MatrixXd& means) {
  double elbo = 0.0;
  means.resize(problem.dim(), problem.steps());
  for (int t = 0; t < problem.steps(); ++t) {
    elbo = peer.step(problem.observations.col(t)).elbo;
    means.col(t) = peer.belief().mean;
  }
  return elbo;
}

OnlineVariationalFilterConfig without_T() {
  auto config = chaotic_rnn_fast_config();
  config.objective = Objective::kAelbo2;
  return config;
}

// Dimension and seed of a drawn data set.
class ChaoticRnnFilterSlow : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  int dim_ = std::get<0>(GetParam());
  ChaoticRnnProblem problem_ =
      random_chaotic_rnn_problem(dim_, kSteps, static_cast<std::uint64_t>(std::get<1>(GetParam())));
};

// Standard errors of the true ELBOs are below 0.08 nats. Gains seen: 0.6 to 2.1 nats by T, 1.5 to
// 3.1 by the tilted posterior.
TEST_P(ChaoticRnnFilterSlow, GainsByTAndAgainByTheTiltedPosterior) {
  const Track blind = follow(problem_, without_T());
  const Track fast = follow(problem_, chaotic_rnn_fast_config());
  const Track accurate = follow(problem_, chaotic_rnn_accurate_config());
  EXPECT_GT(fast.bound.elbo, blind.bound.elbo + 0.3);
  EXPECT_GT(accurate.bound.elbo, fast.bound.elbo + 1.0);
  EXPECT_GT(accurate.bound.effective_sample_size, 0.4 * kDraws);
  // What a filter says of its ELBO online.
  EXPECT_NEAR(fast.relbo, fast.bound.elbo, 0.5);
  EXPECT_NEAR(accurate.relbo, accurate.bound.elbo, 2.0);
}

TEST_P(ChaoticRnnFilterSlow, StaysBelowTheEvidenceAndNearTheExactMeans) {
  BootstrapParticleFilter particles(make_chaotic_rnn(problem_.spec), {.particles = 200'000});
  KalmanFilter extended(make_chaotic_rnn(problem_.spec));
  Eigen::MatrixXd exact, tangent;
  const double evidence = follow_peer(problem_, particles, exact);
  follow_peer(problem_, extended, tangent);
  // The particle filter itself misses the log evidence: by about 0.1 nats in three dimensions, by
  // 0.3 in six.
  const double tolerance = dim_ == 3 ? 0.3 : 0.8;
  const auto distance = [&](const Eigen::MatrixXd& means) {
    return (means - exact).norm() / std::sqrt(static_cast<double>(exact.size()));
  };
  for (const auto& config :
       {without_T(), chaotic_rnn_fast_config(), chaotic_rnn_accurate_config()}) {
    const Track variational = follow(problem_, config);
    EXPECT_LT(variational.bound.elbo, evidence + tolerance);
    EXPECT_LT(variational.bound.importance_weighted, evidence + tolerance);
    // Outliers carry the extended Kalman filter ten times as far away.
    EXPECT_LT(distance(variational.means), 0.25 * distance(tangent));
  }
}

INSTANTIATE_TEST_SUITE_P(, ChaoticRnnFilterSlow,
                         testing::Combine(testing::Values(3, 6), testing::Values(1, 2, 3)),
                         [](const auto& tested) {
                           return "Dimension" + std::to_string(std::get<0>(tested.param)) + "Seed" +
                                  std::to_string(std::get<1>(tested.param));
                         });

// By how much T raises the true ELBO of the paper's algorithm: the same with T dropped is AELBO-2.
double gain_by_T(const ChaoticRnnProblem& problem, OnlineVariationalFilterConfig config) {
  const double with = follow(problem, config).bound.elbo;
  config.objective = Objective::kAelbo2;
  return with - follow(problem, config).bound.elbo;
}

// Seen on four sequences: 1.8 to 2.3 nats; the standard error is 0.1.
TEST(PaperOnTheChaoticNetwork, BeatsAelbo2) {
  for (const std::uint64_t seed : {1, 2}) {
    EXPECT_GT(gain_by_T(random_chaotic_rnn_problem(5, 100, seed), chaotic_rnn_paper_config(5)), 1.0)
        << "seed " << seed;
  }
}

// Seen on four sequences: 9.1 to 11.5 nats; the standard error is 0.35.
TEST(PublishedOnTheChaoticNetworkSlow, BeatsAelbo2) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    EXPECT_GT(gain_by_T(random_chaotic_rnn_problem(5, 40, seed), chaotic_rnn_published_config()),
              5.0)
        << "seed " << seed;
  }
}

// On the sequence that the authors' own program was run on (not part of this repository) its true
// ELBOs are -66.9 to -74.1 but for one run that broke down, -80.2 to -85.8 with AELBO-2 and -311 to
// -333 with AELBO-1. Ours are spread by 2, 2 and 8 nats.
TEST(RecordedChaoticRnnDataSlow, ReachesTheAuthorsElbos) {
  const char* folder = std::getenv("OVF_DATA_DIR");
  if (folder == nullptr) {
    GTEST_SKIP() << "set OVF_DATA_DIR to a folder with crnn_d5 to run this";
  }
  const auto problem = load_chaotic_rnn_problem(std::filesystem::path(folder) / "crnn_d5", 100);
  auto config = chaotic_rnn_published_config();
  const double ours = follow(problem, config).bound.elbo;
  config.objective = Objective::kAelbo2;
  const double without_T = follow(problem, config).bound.elbo;
  config.objective = Objective::kAelbo1;
  const double independent = follow(problem, config).bound.elbo;
  EXPECT_GT(ours, -75.0);
  EXPECT_GT(without_T, -88.0);
  EXPECT_GT(independent, -345.0);
  EXPECT_GT(ours, without_T + 5.0);
  EXPECT_GT(without_T, independent + 200.0);
}

TEST(ChaoticRnnFilter, GivesBitIdenticalResultsForTheSameSeed) {
  const auto problem = random_chaotic_rnn_problem(4, 20, 4);
  for (auto config : {chaotic_rnn_fast_config(), chaotic_rnn_accurate_config()}) {
    const Track first = follow(problem, config);
    const Track again = follow(problem, config);
    EXPECT_EQ(first.relbo, again.relbo);
    EXPECT_EQ(first.means, again.means);
    EXPECT_EQ(first.bound.elbo, again.bound.elbo);
    // Only the tilted posterior draws.
    config.seed += 1;
    EXPECT_EQ(follow(problem, config).means != first.means, config.tilted);
  }
}

}  // namespace
}  // namespace ovf
