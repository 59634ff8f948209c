#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "evaluation/chaotic_rnn_folder.hpp"
#include "evaluation/temporary_folder.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"

namespace ovf {
namespace {

ChaoticRnnComparisonOptions tiny() {
  ChaoticRnnComparisonOptions options;
  options.dims = {3};
  options.steps = 12;
  options.runs = 1;
  options.particles = 500;
  options.draws = 200;
  options.seed = 4;
  return options;
}

const std::vector<std::string> kVariational = {"AELBO-1",        "AELBO-2",     "ours (paper)",
                                               "fast without T", "ours (fast)", "ours (accurate)"};

TEST(ChaoticRnnComparison, MeasuresEveryMethodInEveryDimension) {
  auto options = tiny();
  options.dims = {2, 3};
  options.runs = 2;
  std::ostringstream progress;
  const Report report = chaotic_rnn_comparison(options, progress);
  EXPECT_NO_THROW(check_report(report));
  for (const auto& [key, value] : report.values) EXPECT_TRUE(std::isfinite(value)) << key;
  ASSERT_EQ(report.tables.size(), 2);
  for (const std::string d : {"d2 ", "d3 "}) {
    for (const std::string method : {"EnKF", "bootstrap PF", "EKF", "UKF"}) {
      EXPECT_GT(report.values.at(d + method + " filter_rmse"), 0.0);
      EXPECT_GT(report.values.at(d + method + " seconds_per_step"), 0.0);
    }
    for (const auto& method : kVariational) {
      for (const char* quantity : {" filter_rmse", " elbo", " iw_bound", " online"}) {
        EXPECT_EQ(report.values.count(d + method + quantity), 1) << method << quantity;
      }
      // log mean >= mean log, on the same draws.
      EXPECT_GE(report.values.at(d + method + " iw_bound"), report.values.at(d + method + " elbo"));
    }
    EXPECT_EQ(report.values.at(d + "AELBO-2 elbo_over_aelbo2"), 0.0);
    // No kernel: nothing to smooth with.
    EXPECT_EQ(report.values.count(d + "AELBO-1 smoothing_rmse"), 0);
    EXPECT_EQ(report.values.count(d + "EnKF smoothing_rmse"), 0);
    EXPECT_EQ(report.values.count(d + "EnKF elbo"), 0);
  }
  // Two data sets differ, and so do the runs.
  EXPECT_GT(report.values.at("d3 ours (fast) elbo_sd"), 0.0);
  for (const auto& chart : report.charts) {
    if (chart.id == "samples") {
      EXPECT_EQ(chart.series.size(), 2);  // one for each dimension
      continue;
    }
    for (const auto& series : chart.series) EXPECT_EQ(series.x, (std::vector<double>{2.0, 3.0}));
  }
  EXPECT_NE(report.configuration.find("paper_d3:"), std::string::npos);
  EXPECT_NE(progress.str().find("d = 3, ours (accurate)"), std::string::npos);
}

TEST(ChaoticRnnComparison, GivesTheSameValuesForTheSameSeedAndForTheSameDataFromAFolder) {
  const auto options = tiny();
  std::ostringstream progress;
  const auto drawn = test::timeless(chaotic_rnn_comparison(options, progress).values);
  EXPECT_EQ(test::timeless(chaotic_rnn_comparison(options, progress).values), drawn);

  const test::TemporaryFolder folder;
  test::write_problem(folder.path(), random_chaotic_rnn_problem(3, options.steps, options.seed));
  auto given = options;
  given.data = folder.path().string();
  given.dims = {50};  // the folder says what the dimension is
  EXPECT_EQ(test::timeless(chaotic_rnn_comparison(given, progress).values), drawn);

  auto other = options;
  other.seed = 5;
  EXPECT_NE(test::timeless(chaotic_rnn_comparison(other, progress).values), drawn);
}

TEST(ChaoticRnnComparison, VariesOnlyTheAlgorithmOnGivenData) {
  const test::TemporaryFolder folder;
  test::write_problem(folder.path(), random_chaotic_rnn_problem(2, 12, 8));
  auto options = tiny();
  options.data = folder.path().string();
  options.runs = 2;
  std::ostringstream progress;
  const auto values = chaotic_rnn_comparison(options, progress).values;
  // The Kalman filters and fast draw no random number; the particle filter does.
  EXPECT_EQ(values.at("d2 EKF filter_rmse_sd"), 0.0);
  EXPECT_EQ(values.at("d2 ours (fast) online_sd"), 0.0);
  EXPECT_GT(values.at("d2 bootstrap PF filter_rmse_sd"), 0.0);
}

TEST(ChaoticRnnComparison, TakesThePublishedSettings) {
  auto options = tiny();
  options.dims = {2};
  options.steps = 10;
  options.published = true;
  std::ostringstream progress;
  const Report report = chaotic_rnn_comparison(options, progress);
  EXPECT_NO_THROW(check_report(report));
  EXPECT_EQ(report.values.count("d2 ours (published) elbo"), 1);
  EXPECT_EQ(report.values.count("d2 ours (paper) elbo"), 0);
  EXPECT_NE(report.configuration.find("published_d2:"), std::string::npos);
}

TEST(ChaoticRnnComparison, RefusesNoRunsAndMissingData) {
  std::ostringstream progress;
  auto options = tiny();
  options.runs = 0;
  EXPECT_THROW(chaotic_rnn_comparison(options, progress), std::invalid_argument);
  options = tiny();
  options.data = "/nonexistent";
  EXPECT_THROW(chaotic_rnn_comparison(options, progress), std::runtime_error);
}

// Each setting contains the one before it: without T, with it, without the Gaussian restriction.
// The gaps are nats, the standard error of each ELBO is below 0.1.
TEST(ChaoticRnnComparisonSlow, OrdersTheSettingsByTheirElbo) {
  auto options = tiny();
  options.steps = 80;
  options.particles = 20000;
  options.draws = 2500;
  std::ostringstream progress;
  const auto values = chaotic_rnn_comparison(options, progress).values;
  const auto elbo = [&](const std::string& method) { return values.at("d3 " + method + " elbo"); };
  EXPECT_GT(elbo("ours (fast)"), elbo("fast without T") + 0.3);
  EXPECT_GT(elbo("ours (accurate)"), elbo("ours (fast)") + 0.3);
  EXPECT_GT(elbo("AELBO-2"), elbo("AELBO-1") + 10.0);
  // The particle filter's log evidence is above every ELBO but for its own noise.
  for (const auto& method : kVariational) {
    EXPECT_LT(elbo(method), values.at("d3 bootstrap PF online") + 0.5) << method;
  }
}

}  // namespace
}  // namespace ovf
