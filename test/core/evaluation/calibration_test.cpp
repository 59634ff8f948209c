#include "ovf/evaluation/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

#include "ovf/evaluation/calibration_study.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/model/linear_gaussian.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

constexpr int kRuns = 200;

LinearGaussianSpec two_states() {
  LinearGaussianSpec spec;
  spec.prior = standard_gaussian(2, CovarianceForm::kFull);
  spec.F = Eigen::Matrix2d{{0.9, 0.2}, {-0.1, 0.7}};
  spec.G = Eigen::MatrixXd{{1.0, 0.5}};
  spec.U = 0.1 * Eigen::Matrix2d::Identity();
  spec.V = Eigen::MatrixXd::Constant(1, 1, 0.2);
  return spec;
}

// States of a Kalman filter with the true parameters, whose deviations are multiplied by a factor.
std::vector<CalibrationRun> kalman_runs(double factor) {
  std::vector<CalibrationRun> runs;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    RandomStream random(seed);
    const auto sequence = simulate(make_linear_gaussian(two_states()), 20, random);
    KalmanFilter filter(make_linear_gaussian(two_states()));
    CalibrationRun run{.seed = seed};
    for (int t = 0; t < 20; ++t) {
      filter.step(sequence.observations.col(t), StepInput{});
      if (t % 10 != 9) continue;
      const Eigen::VectorXd deviations = filter.belief().factor.standard_deviations();
      for (int i = 0; i < 2; ++i) {
        run.samples.push_back({.quantity = i == 0 ? "first" : "second",
                               .truth = sequence.states(i, t),
                               .value = filter.belief().mean[i],
                               .deviation = factor * deviations[i]});
      }
    }
    runs.push_back(run);
  }
  return runs;
}

TEST(Calibration, FindsExactPosteriorsCalibrated) {
  const auto all = calibration_by_quantity(kalman_runs(1.0));
  ASSERT_EQ(all.size(), 2U);
  for (const QuantityCalibration& found : all) {
    EXPECT_EQ(found.runs, kRuns);
    EXPECT_EQ(found.samples, 2 * kRuns);
    EXPECT_EQ(found.verdict, CalibrationVerdict::kOk) << found.quantity;
    // Four standard deviations of 400 draws that are nearly independent.
    EXPECT_NEAR(found.coverage50, 0.5, 0.1);
    EXPECT_NEAR(found.coverage90, 0.9, 0.06);
    EXPECT_NEAR(found.coverage95, 0.95, 0.045);
    EXPECT_NEAR(found.rms_z, 1.0, 0.15);
    EXPECT_NEAR(found.mean_z, 0.0, 0.2);
    long sum = 0;
    for (const long count : found.ranks) {
      EXPECT_NEAR(static_cast<double>(count), 40.0, 25.0);
      sum += count;
    }
    EXPECT_EQ(sum, found.samples);
  }
}

TEST(Calibration, FlagsPosteriorsThatAreTooNarrowOrTooWide) {
  for (const QuantityCalibration& found : calibration_by_quantity(kalman_runs(0.5))) {
    EXPECT_EQ(found.verdict, CalibrationVerdict::kOverconfident) << found.quantity;
    EXPECT_NEAR(found.rms_z, 2.0, 0.3);
    // The truth is in the tails.
    EXPECT_GT(found.ranks.front() + found.ranks.back(), found.samples / 3);
  }
  for (const QuantityCalibration& found : calibration_by_quantity(kalman_runs(2.0))) {
    EXPECT_EQ(found.verdict, CalibrationVerdict::kUnderconfident) << found.quantity;
  }
}

TEST(Calibration, PoolsQuantitiesAndCountsWhatIsNotIdentifiedApart) {
  auto runs = kalman_runs(1.0);
  for (CalibrationRun& run : runs) {
    run.samples.push_back({.quantity = "noise",
                           .truth = 1.0,
                           .value = 5.0,
                           .deviation = 0.1,
                           .positive = true,
                           .parameter = true,
                           .identified = run.seed % 2 == 0});
  }
  EXPECT_EQ(calibration_of_all(runs, false, "all states").samples, 4 * kRuns);
  const auto noise = calibration_of_all(runs, true, "all parameters");
  EXPECT_EQ(noise.quantity, "all parameters");
  EXPECT_EQ(noise.runs, kRuns / 2);
  EXPECT_EQ(noise.not_identified, kRuns / 2);
  EXPECT_EQ(noise.coverage95, 0.0);
  EXPECT_EQ(noise.verdict, CalibrationVerdict::kOverconfident);
  runs.resize(3);
  EXPECT_EQ(calibration_by_quantity(runs).front().verdict, CalibrationVerdict::kTooFewRuns);
  runs.clear();
  EXPECT_TRUE(calibration_by_quantity(runs).empty());
  EXPECT_TRUE(std::isnan(calibration_of_all(runs, true, "none").coverage90));
}

TEST(Calibration, MeasuresPositiveQuantitiesInTheLogarithm) {
  CalibrationSample sample{.truth = 2.0 * std::exp(0.3), .value = 2.0, .deviation = 0.2};
  EXPECT_NEAR(z_score(sample), (sample.truth - 2.0) / 0.2, 1e-12);
  sample.positive = true;
  EXPECT_NEAR(z_score(sample), 3.0, 1e-12);
  // The end of the interval value * exp(z deviation / value).
  EXPECT_NEAR(2.0 * std::exp(z_score(sample) * 0.2 / 2.0), sample.truth, 1e-12);
  sample.deviation = 0.0;
  EXPECT_GE(z_score(sample), 1e6);
  sample.truth = sample.value;
  EXPECT_EQ(z_score(sample), 0.0);
}

CalibrationOptions tiny() {
  CalibrationOptions options;
  options.seeds = 6;
  options.steps = 60;
  options.seconds = 6.0;
  options.times = 3;
  return options;
}

EstimatorConfig robot() {
  return load_estimator_config(test::config_folder() / "planar_all_sensors.yaml");
}

TEST(CalibrationStudy, HasEveryStateAndEveryLearnedParameter) {
  std::ostringstream progress;
  const Report report = calibration_study(tiny(), robot(), progress);
  EXPECT_NO_THROW(check_report(report));
  ASSERT_EQ(report.tables.size(), 4U);
  EXPECT_EQ(report.charts.size(), 12U);
  for (const auto& [key, value] : report.values) EXPECT_TRUE(std::isfinite(value)) << key;
  // Each run has its states, three times; all of F; and of a robot everything that it learns.
  EXPECT_EQ(report.values.at("linear all states runs"), 6.0);
  EXPECT_EQ(report.values.at("full_linear x[3] runs"), 6.0);
  for (const std::string key :
       {"linear F[0,0]", "linear U[0,0]", "full_linear F[3,3]", "full_linear V[3,3]",
        "network noise", "network scale", "network nu", "robot x", "robot yaw_rate",
        "robot motion.scale", "robot motion.noise.angle", "robot uwb.nu", "robot uwb.bias[6]",
        "robot camera.yaw", "robot gnss.noise[1]", "robot imu.bias"}) {
    EXPECT_EQ(report.values.at(key + " runs") + report.values.at(key + " not_identified"), 6.0)
        << key;
  }
  EXPECT_EQ(report.values.at("robot failed"), 0.0);
}

TEST(CalibrationStudy, GivesTheSameValuesOnAnyNumberOfThreads) {
  CalibrationOptions options = tiny();
  options.only = {"network", "robot"};
  options.threads = 1;
  std::ostringstream progress;
  const auto values = calibration_study(options, robot(), progress).values;
  EXPECT_FALSE(values.contains("linear failed"));
  options.threads = 3;
  EXPECT_EQ(calibration_study(options, robot(), progress).values, values);
  options.seed = 100;
  EXPECT_NE(calibration_study(options, robot(), progress).values, values);
}

TEST(CalibrationStudy, RefusesWhatItDoesNotKnow) {
  CalibrationOptions options = tiny();
  std::ostringstream progress;
  options.only = {"plane"};
  EXPECT_THROW(calibration_study(options, robot(), progress), std::invalid_argument);
  options.only = {"robot"};
  EstimatorConfig other = robot();
  other.sensors.front().latency.deviation = 0.1;
  EXPECT_THROW(calibration_study(options, other, progress), std::invalid_argument);
}

}  // namespace
}  // namespace ovf
