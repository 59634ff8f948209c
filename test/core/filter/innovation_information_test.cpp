#include "ovf/filter/innovation_information.hpp"

#include <gtest/gtest.h>

#include "ovf/evaluation/chaotic_rnn_problem.hpp"
#include "ovf/filter/online_variational_filter.hpp"

namespace ovf {
namespace {

constexpr int kSteps = 160;

ChaoticRnnProblem problem() {
  ChaoticRnnProblem p = random_chaotic_rnn_problem(3, kSteps, 1);
  p.spec.learn_observation_scale = p.spec.learn_nu = true;
  return p;
}

TEST(InnovationInformation, OfOneObservationStandsForTheNextThree) {
  const ChaoticRnnProblem p = problem();
  OnlineVariationalFilter filter(make_chaotic_rnn(p.spec), OnlineVariationalFilterConfig::fast());
  Eigen::MatrixXd last;
  int early = 0;
  int late = 0;
  for (int t = 0; t < kSteps; ++t) {
    filter.step(p.observations.col(t));
    const Eigen::MatrixXd& now = filter.score_increment().information;
    if (t > 0 && now != last) ++(t < 100 ? early : late);
    last = now;
  }
  EXPECT_EQ(early, 99);
  EXPECT_NEAR(late, 15, 3);
}

TEST(InnovationInformation, IsComputedAgainWhenANoiseLevelMoves) {
  const ChaoticRnnProblem p = problem();
  OnlineVariationalFilter filter(make_chaotic_rnn(p.spec), OnlineVariationalFilterConfig::fast());
  for (int t = 0; t < kSteps; ++t) {
    const Eigen::MatrixXd last = filter.score_increment().information;
    if (t > 120) filter.set_parameters((t % 2 == 0 ? 1.1 : 1.0 / 1.1) * filter.parameters());
    filter.step(p.observations.col(t));
    if (t > 120) {
      EXPECT_NE(filter.score_increment().information, last) << t;
    }
  }
}

TEST(InnovationInformation, ContinuesFromAnArchive) {
  const ChaoticRnnProblem p = problem();
  const auto config = OnlineVariationalFilterConfig::fast();
  OnlineVariationalFilter filter(make_chaotic_rnn(p.spec), config);
  for (int t = 0; t < 122; ++t) filter.step(p.observations.col(t));
  Archive::Bytes bytes;
  Archive writer = Archive::writer(bytes);
  filter.archive(writer);
  OnlineVariationalFilter other(make_chaotic_rnn(p.spec), config);
  Archive reader = Archive::reader(bytes);
  other.archive(reader);
  for (int t = 122; t < kSteps; ++t) {
    filter.step(p.observations.col(t));
    other.step(p.observations.col(t));
    ASSERT_EQ(filter.parameters(), other.parameters()) << t;
    ASSERT_EQ(filter.score_increment().information, other.score_increment().information) << t;
  }
}

}  // namespace
}  // namespace ovf
