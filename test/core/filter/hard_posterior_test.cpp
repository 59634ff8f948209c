// Posteriors that a Gaussian cannot hold: the bound is a bound, and the filter says when it is
// wrong.
#include <gtest/gtest.h>

#include <string>

#include "ovf/evaluation/hard_problems.hpp"
#include "ovf/filter/bootstrap_particle_filter.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/filter/posterior_chain.hpp"

namespace ovf {
namespace {

struct Outcomes {
  double elbo = 0.0;     // as the filter says
  double bound = 0.0;    // the true one
  int alarms = 0;        // steps that are not in good health
  int first_alarm = -1;  // step
  int ambiguous = 0;
};

HardProblem problem(const std::string& name, std::uint64_t seed) {
  for (HardProblem& p : hard_problems(seed)) {
    if (p.name == name) return std::move(p);
  }
  ADD_FAILURE() << "no problem " << name;
  return {};
}

OnlineVariationalFilterConfig without_learning() {
  auto config = OnlineVariationalFilterConfig::fast();
  config.learning.rule = LearningRule::kNone;
  return config;
}

Outcomes run(const HardProblem& p) {
  OnlineVariationalFilter filter(p.make_model(), without_learning());
  PosteriorChain chain;
  Outcomes out;
  for (int t = 0; t < p.steps(); ++t) {
    const StepResult& result = filter.step(p.sequence.observations.col(t), HardProblem::input(t));
    EXPECT_TRUE(result.ok()) << result.reason;
    chain.append(filter.record());
    if (result.health == Health::kAmbiguous) ++out.ambiguous;
    if (result.health == Health::kGood) continue;
    if (out.alarms++ == 0) out.first_alarm = t;
  }
  out.elbo = filter.last_result().elbo;
  RandomStream random(5);
  out.bound = chain.bound(filter.model(), 4000, random).elbo;
  return out;
}

double log_evidence(const HardProblem& p) {
  BootstrapParticleFilter filter(p.make_model(), {.particles = 20000, .seed = 2});
  for (int t = 0; t < p.steps(); ++t) {
    filter.step(p.sequence.observations.col(t), HardProblem::input(t));
  }
  return filter.step(p.sequence.observations.col(0), HardProblem::input(0)).elbo;
}

TEST(HardPosterior, OfRangesWithAMirrorImageIsOneOfTheTwoAndSaysSo) {
  for (const std::uint64_t seed : {1, 3, 6}) {
    const HardProblem p = problem("ranges, mirror image", seed);
    const Outcomes result = run(p);
    // Half of the posterior is lost: log 2.
    EXPECT_GT(result.bound, log_evidence(p) - 5.0) << seed;
    EXPECT_NEAR(result.elbo, result.bound, 1.0) << seed;
    EXPECT_EQ(result.ambiguous, p.steps()) << seed;
  }
}

TEST(HardPosterior, OfTheGrowthModelIsAPoorFit) {
  const HardProblem p = problem("growth model", 2);
  const Outcomes result = run(p);
  EXPECT_LT(result.first_alarm, 20);
  EXPECT_GT(result.alarms, p.steps() / 2);
}

TEST(HardPosterior, ThatAGaussianHoldsGivesNoAlarm) {
  for (const char* name :
       {"bearings, two sensors", "volatility", "Lorenz-63, dt 0.1", "Lorenz-63, dt 0.05"}) {
    const HardProblem p = problem(name, 4);
    EXPECT_LE(run(p).alarms, p.steps() / 100) << name;
  }
}

TEST(RunningBound, IsThatOfTheWholePosterior) {
  const Outcomes volatility = run(problem("volatility", 1));
  EXPECT_NEAR(volatility.elbo, volatility.bound, 0.5);
  for (const std::uint64_t seed : {1, 2}) {
    const Outcomes chaos = run(problem("Lorenz-63, dt 0.1", seed));
    // Without its correction for the curvature of f it is 20 nats too high.
    EXPECT_NEAR(chaos.elbo, chaos.bound, 1.5) << seed;
  }
}

TEST(RunningBound, ContinuesBitForBitFromAnArchive) {
  for (const char* name : {"Lorenz-63, dt 0.1", "ranges, mirror image", "Lorenz-96"}) {
    const HardProblem p = problem(name, 1);
    OnlineVariationalFilter filter(p.make_model(), without_learning());
    const auto step = [&](OnlineVariationalFilter& any, int t) {
      any.step(p.sequence.observations.col(t), HardProblem::input(t));
    };
    for (int t = 0; t < 17; ++t) step(filter, t);
    Archive::Bytes bytes;
    Archive writer = Archive::writer(bytes);
    filter.archive(writer);
    OnlineVariationalFilter other(p.make_model(), without_learning());
    Archive reader = Archive::reader(bytes);
    other.archive(reader);
    for (int t = 17; t < 40; ++t) {
      step(filter, t);
      step(other, t);
      EXPECT_EQ(filter.last_result().elbo, other.last_result().elbo) << name << t;
      EXPECT_EQ(filter.last_result().health, other.last_result().health) << name << t;
    }
  }
}

}  // namespace
}  // namespace ovf
