#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "evaluation/chaotic_rnn_folder.hpp"
#include "evaluation/temporary_folder.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"

namespace ovf {
namespace {

ChaoticRnnOfflineOptions tiny() {
  ChaoticRnnOfflineOptions options;
  options.dim = 2;
  options.steps = 5;
  options.seeds = 1;
  options.long_steps = 0;
  options.iterations = 5000;
  options.draws = 2000;
  options.seed = 9;
  return options;
}

TEST(ChaoticRnnOffline, FindsOnlineAndOfflineFitsClose) {
  auto options = tiny();
  options.long_steps = 8;
  std::ostringstream progress;
  const Report report = chaotic_rnn_offline(options, progress);
  EXPECT_NO_THROW(check_report(report));
  EXPECT_EQ(report.tables.at(0).rows.size(), 2 * 4);
  EXPECT_EQ(report.charts.size(), 2 * 2);
  for (const auto& series : report.charts.back().series) EXPECT_EQ(series.x.size(), 8);
  for (const std::string sequence : {"seed1 ", "long "}) {
    const double online = report.values.at(sequence + "online (paper) elbo");
    // The standard error of each ELBO is about 0.02.
    for (const char* offline : {"offline", "offline, started online"}) {
      EXPECT_GT(report.values.at(sequence + offline + " elbo"), online - 0.1) << offline;
    }
    // Figure 2b: in units of the posterior's deviation the means hardly differ.
    EXPECT_LT(report.values.at(sequence + "online (paper) distance"), 0.25);
    EXPECT_NEAR(report.values.at(sequence + "online (paper) deviation_ratio"), 1.0, 0.1);
  }
}

// Another online run, the same offline fit.
TEST(ChaoticRnnOfflineSlow, FitsOfflineWithoutTheOnlineRun) {
  auto options = tiny();
  options.iterations = 50;
  std::ostringstream progress;
  const auto beside_paper = chaotic_rnn_offline(options, progress).values;
  options.published = true;
  const auto beside_published = chaotic_rnn_offline(options, progress).values;
  EXPECT_EQ(beside_published.at("seed1 offline elbo"), beside_paper.at("seed1 offline elbo"));
  EXPECT_NE(beside_published.at("seed1 offline, started online elbo"),
            beside_paper.at("seed1 offline, started online elbo"));
  EXPECT_EQ(beside_published.count("seed1 online (published) elbo"), 1);
}

TEST(ChaoticRnnOfflineSlow, GivesTheSameValuesForTheSameSeedAndForTheSameDataFromAFolder) {
  auto options = tiny();
  options.iterations = 50;
  std::ostringstream progress;
  const auto drawn = chaotic_rnn_offline(options, progress).values;
  EXPECT_EQ(chaotic_rnn_offline(options, progress).values, drawn);
  const test::TemporaryFolder folder;
  test::write_problem(folder.path(),
                      random_chaotic_rnn_problem(options.dim, options.steps, options.seed));
  options.data = folder.path().string();
  EXPECT_EQ(chaotic_rnn_offline(options, progress).values, drawn);
}

}  // namespace
}  // namespace ovf
