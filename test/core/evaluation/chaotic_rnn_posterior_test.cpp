#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>

#include "evaluation/chaotic_rnn_folder.hpp"
#include "evaluation/temporary_folder.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"

namespace ovf {
namespace {

ChaoticRnnPosteriorOptions tiny() {
  ChaoticRnnPosteriorOptions options;
  options.dim = 2;
  options.steps = 20;
  options.runs = 1;
  options.particles = 50000;
  options.members = 2000;
  options.seed = 3;
  return options;
}

TEST(ChaoticRnnPosterior, FindsTheVariationalMeansNearTheParticleFilters) {
  std::ostringstream progress;
  const Report report = chaotic_rnn_posterior(tiny(), progress);
  EXPECT_NO_THROW(check_report(report));
  EXPECT_EQ(report.tables.at(0).rows.size(), 8);
  EXPECT_EQ(report.charts.at(0).series.size(), 8);
  for (const auto& [key, value] : report.values) EXPECT_TRUE(std::isfinite(value)) << key;
  // A tenth of the noise's deviation, 0.1; a Kalman filter is several times as far away because it
  // trusts outliers.
  for (const char* quantity : {" filter_rmse", " smoothing_rmse"}) {
    const double fast = report.values.at(std::string("ours (fast)") + quantity);
    EXPECT_LT(fast, 0.01);
    EXPECT_LT(report.values.at(std::string("ours (accurate)") + quantity), 0.01);
    EXPECT_GT(report.values.at(std::string("EKF") + quantity), 3.0 * fast);
  }
  EXPECT_EQ(report.values.count("AELBO-1 smoothing_rmse"), 0);
}

TEST(ChaoticRnnPosteriorSlow, GivesTheSameValuesForTheSameSeedAndForTheSameDataFromAFolder) {
  auto options = tiny();
  options.particles = 1000;
  std::ostringstream progress;
  const auto drawn = chaotic_rnn_posterior(options, progress).values;
  EXPECT_EQ(chaotic_rnn_posterior(options, progress).values, drawn);
  const test::TemporaryFolder folder;
  test::write_problem(folder.path(),
                      random_chaotic_rnn_problem(options.dim, options.steps, options.seed));
  options.data = folder.path().string();
  EXPECT_EQ(chaotic_rnn_posterior(options, progress).values, drawn);
}

}  // namespace
}  // namespace ovf
