#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

#include "evaluation/chaotic_rnn_folder.hpp"
#include "evaluation/temporary_folder.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"

namespace ovf {
namespace {

ChaoticRnnParametersOptions tiny() {
  ChaoticRnnParametersOptions options;
  options.dim = 2;
  options.steps = 2000;
  options.seed = 2;
  return options;
}

TEST(ChaoticRnnParameters, LearnsTheNetworkAndPredictsBetter) {
  std::ostringstream progress;
  const Report report = chaotic_rnn_parameters(tiny(), progress);
  EXPECT_NO_THROW(check_report(report));
  EXPECT_EQ(report.tables.size(), 4);
  EXPECT_EQ(report.charts.size(), 3);
  for (const auto& [key, value] : report.values) EXPECT_TRUE(std::isfinite(value)) << key;
  // From twice the truth to a quarter around it: 2000 observations, a Gaussian posterior.
  EXPECT_NEAR(report.values.at("dynamics fast noise"), 0.1, 0.025);
  EXPECT_NEAR(report.values.at("dynamics fast scale"), 0.1, 0.025);
  for (const std::string learning : {"dynamics ", "network "}) {
    for (const char* horizon : {" predict_1", " predict_5"}) {
      const double start = report.values.at(learning + "start" + horizon);
      const double learned = report.values.at(learning + "fast" + horizon);
      const double truth = report.values.at(learning + "truth" + horizon);
      // At least four fifths of what the true parameters would gain.
      EXPECT_LT(learned - truth, 0.2 * (start - truth)) << learning << horizon;
    }
  }
  EXPECT_NE(report.configuration.find("network_aelbo_2:"), std::string::npos);
}

TEST(ChaoticRnnParameters, ComparesPeers) {
  auto options = tiny();
  options.steps = 100;
  options.peers = true;
  options.draws = 20;
  std::ostringstream progress;
  const Report report = chaotic_rnn_parameters(options, progress);
  EXPECT_NO_THROW(check_report(report));
  ASSERT_EQ(report.tables.size(), 6);
  for (const auto& [key, value] : report.values) EXPECT_TRUE(std::isfinite(value)) << key;
  for (const std::size_t i : {std::size_t{2}, std::size_t{5}}) {
    ASSERT_EQ(report.tables[i].rows.size(), 5) << report.tables[i].title;
    for (const auto& row : report.tables[i].rows) {
      EXPECT_EQ(row.size(), report.tables[i].header.size()) << row.front();
    }
  }
  EXPECT_NE(report.values.at("network backward weights W_error"),
            report.values.at("network fast W_error"));
  EXPECT_NE(report.configuration.find("dynamics_backward_weights:"), std::string::npos);
}

TEST(ChaoticRnnParameters, GivesTheSameValuesForTheSameSeed) {
  auto options = tiny();
  options.steps = 100;
  std::ostringstream progress;
  const auto values = test::timeless(chaotic_rnn_parameters(options, progress).values);
  EXPECT_EQ(test::timeless(chaotic_rnn_parameters(options, progress).values), values);
  options.seed = 3;
  EXPECT_NE(test::timeless(chaotic_rnn_parameters(options, progress).values), values);
}

TEST(ChaoticRnnParameters, LearnsFromTheFirstFourFifthsOfAFolder) {
  const test::TemporaryFolder folder;
  auto problem = random_chaotic_rnn_problem(2, 100, 7);
  test::write_problem(folder.path(), problem);
  ChaoticRnnParametersOptions options;
  options.data = folder.path().string();
  std::ostringstream progress;
  const Report report = chaotic_rnn_parameters(options, progress);
  EXPECT_NE(report.tables.at(0).title.find("After 80 observations"), std::string::npos);
  EXPECT_GT(report.values.at("network truth predict_20"), 0.0);

  // The last fifth cannot reach what is learned, but what is predicted.
  problem.observations.rightCols(20).array() += 0.2;
  test::write_problem(folder.path(), problem);
  const Report changed = chaotic_rnn_parameters(options, progress);
  EXPECT_EQ(changed.values.at("dynamics fast gamma"), report.values.at("dynamics fast gamma"));
  EXPECT_NE(changed.values.at("dynamics fast predict_1"),
            report.values.at("dynamics fast predict_1"));

  options.steps = 30;
  EXPECT_THROW(chaotic_rnn_parameters(options, progress), std::runtime_error);
}

}  // namespace
}  // namespace ovf
