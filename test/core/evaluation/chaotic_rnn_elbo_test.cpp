#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "evaluation/chaotic_rnn_folder.hpp"
#include "evaluation/temporary_folder.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"

namespace ovf {
namespace {

ChaoticRnnElboOptions tiny() {
  ChaoticRnnElboOptions options;
  options.dim = 3;
  options.steps = 20;
  options.particles = 20000;
  options.draws = 1000;
  options.seed = 6;
  return options;
}

TEST(ChaoticRnnElbo, SetsOnlineEstimatesBesideTheTruth) {
  std::ostringstream progress;
  const Report report = chaotic_rnn_elbo(tiny(), progress);
  EXPECT_NO_THROW(check_report(report));
  const auto& series = report.charts.at(0).series;
  ASSERT_EQ(series.size(), 1 + 2 * 5);
  EXPECT_EQ(series.at(1).x.size(), 20);
  EXPECT_EQ(series.at(2).x.size(), 10);
  EXPECT_EQ(series.at(2).x.back(), 20.0);
  const double evidence = report.values.at("log_evidence");
  for (const char* method :
       {"AELBO-1", "AELBO-2", "ours (paper)", "ours (fast)", "ours (accurate)"}) {
    // Half a nat: the noise of 1000 draws and of 20,000 particles.
    EXPECT_LT(report.values.at(std::string(method) + " elbo"), evidence + 0.5) << method;
  }
  // The RELBO is the ELBO up to what a quadratic V misses, and the draws; the product of marginals
  // is far below the evidence.
  for (const char* method : {"ours (fast)", "ours (accurate)"}) {
    EXPECT_NEAR(report.values.at(std::string(method) + " online"),
                report.values.at(std::string(method) + " elbo"), 1.0);
  }
  EXPECT_LT(report.values.at("AELBO-1 elbo"), evidence - 5.0);
}

TEST(ChaoticRnnElboSlow, GivesTheSameValuesForTheSameSeedAndForTheSameDataFromAFolder) {
  auto options = tiny();
  options.particles = 500;
  std::ostringstream progress;
  const auto drawn = chaotic_rnn_elbo(options, progress).values;
  EXPECT_EQ(chaotic_rnn_elbo(options, progress).values, drawn);
  const test::TemporaryFolder folder;
  test::write_problem(folder.path(),
                      random_chaotic_rnn_problem(options.dim, options.steps, options.seed));
  options.data = folder.path().string();
  EXPECT_EQ(chaotic_rnn_elbo(options, progress).values, drawn);
}

}  // namespace
}  // namespace ovf
