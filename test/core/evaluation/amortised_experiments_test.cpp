#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "ovf/evaluation/chaotic_rnn_experiments.hpp"
#include "ovf/evaluation/linear_gaussian_experiments.hpp"

namespace ovf {
namespace {

ChaoticRnnAmortisedOptions short_table() {
  ChaoticRnnAmortisedOptions options;
  options.dim = 2;
  options.steps = 60;
  options.runs = 1;
  options.iterations = 5;
  options.particles = 2000;
  options.draws = 200;
  return options;
}

TEST(ChaoticRnnAmortised, HasTrainAndTestTimeOfEveryNetwork) {
  std::ostringstream progress;
  const Report report = chaotic_rnn_amortised(short_table(), progress);
  EXPECT_NO_THROW(check_report(report));
  ASSERT_EQ(report.tables.size(), 2u);
  EXPECT_EQ(report.tables[0].rows.size(), 8u);
  EXPECT_EQ(report.tables[1].rows.size(), 7u);
  for (const char* name : {"networks by AELBO-1", "networks by AELBO-2", "networks by T",
                           "networks by TU", "network and natural gradient"}) {
    const std::string method(name);
    EXPECT_EQ(report.values.count(method + " train_ratio"), 1u) << method;
    EXPECT_EQ(report.values.count(method + " test_ratio"), 1u) << method;
  }
  EXPECT_EQ(report.values.count("fast test_ratio"), 0u);
  // The best Gaussian is near the optimum, and no network is far better than that.
  const double fast = report.values.at("fast train_ratio");
  EXPECT_NEAR(fast, 1.0, 0.1);
  EXPECT_NEAR(report.values.at("network and natural gradient train_ratio"), fast, 0.01);
  EXPECT_GT(report.values.at("networks by T train_ratio"), 0.9 * fast);
}

TEST(ChaoticRnnAmortised, GivesTheSameFiguresTwice) {
  auto options = short_table();
  options.steps = 15;
  std::ostringstream progress;
  const Report one = chaotic_rnn_amortised(options, progress);
  const Report two = chaotic_rnn_amortised(options, progress);
  for (const auto& [key, value] : one.values) {
    if (key.find("seconds") == std::string::npos) {
      EXPECT_EQ(value, two.values.at(key)) << key;
    }
  }
}

TEST(ChaoticRnnAmortised, NeedsARun) {
  auto options = short_table();
  options.runs = 0;
  std::ostringstream progress;
  EXPECT_THROW(chaotic_rnn_amortised(options, progress), std::invalid_argument);
}

TEST(LinearGaussianAmortisedSlow, ZeroShotFallsAndOptimisationHelps) {
  std::ostringstream progress;
  const Report report =
      linear_gaussian_amortised({.dim = 2, .steps = 120, .runs = 1, .seed = 3}, progress);
  EXPECT_NO_THROW(check_report(report));
  EXPECT_EQ(report.charts.size(), 2u);
  for (const std::string setting : {"plain_gradients", "path_derivatives"}) {
    const double first = report.values.at(setting + " first zero_shot");
    EXPECT_LT(report.values.at(setting + " last zero_shot"), 0.7 * first) << setting;
    EXPECT_LT(report.values.at(setting + " first optimised"), first) << setting;
  }
}

TEST(LinearGaussianAmortised, NeedsARunOfSomeLength) {
  std::ostringstream progress;
  EXPECT_THROW(linear_gaussian_amortised({.steps = 59}, progress), std::invalid_argument);
  EXPECT_THROW(linear_gaussian_amortised({.runs = 0}, progress), std::invalid_argument);
}

}  // namespace
}  // namespace ovf
