#include "ovf/evaluation/tune_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "estimator/planar_case.hpp"
#include "ovf/math/chi_square.hpp"

namespace ovf {
namespace {

constexpr double kSensorNoise = 0.3;
constexpr double kVelocityNoise = 0.5;
constexpr double kPositionNoise = 0.05;
constexpr double kStep = 0.1;

/// A body that moves and is measured exactly as the estimator assumes.
EstimatorConfig linear_config(double sensor_factor, double velocity_factor) {
  EstimatorConfig config;
  config.motion.kind = MotionKind::kConstantVelocity;
  config.motion.control = ControlKind::kNone;
  config.motion.noise.position = kPositionNoise;
  config.motion.noise.velocity = velocity_factor * kVelocityNoise;
  config.sensors = {
      {.name = "gps", .kind = SensorKind::kPosition, .noise = {sensor_factor * kSensorNoise}}};
  return config;
}

std::vector<Message> linear_messages(int count, double outliers = 0.0) {
  RandomStream random(11, 75);
  Eigen::MatrixXd z(3, 4);
  Eigen::Vector3d place = Eigen::Vector3d::Zero();
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  std::vector<Message> messages;
  for (int k = 1; k <= count; ++k) {
    random.fill_normal(z);
    place += kStep * velocity + std::sqrt(kStep) * kPositionNoise * z.col(0);
    velocity += std::sqrt(kStep) * kVelocityNoise * z.col(1);
    // A share of normal numbers is beyond this.
    const bool outlier =
        outliers > 0.0 && z(0, 3) * z(0, 3) > chi_square_quantile(1.0 - outliers, 1);
    const double factor = outlier ? 30.0 : 1.0;
    messages.push_back(Measurement{.stamp = test::at_seconds(kStep * k),
                                   .sensor = "gps",
                                   .y = place + factor * kSensorNoise * z.col(2)});
  }
  return messages;
}

double value_of(const NoiseTuning& tuning, const std::string& name) {
  for (const TunedNoise& noise : tuning.noise) {
    if (noise.name == name) return noise.value;
  }
  ADD_FAILURE() << name << " was not tuned";
  return 0.0;
}

// Start values on both sides of the truth: too small a noise must not collapse.
class TuneNoiseTest : public testing::TestWithParam<double> {};

TEST_P(TuneNoiseTest, FindsTheNoiseOfALinearRobot) {
  const NoiseTuning tuning =
      tune_noise(linear_config(GetParam(), 1.0 / GetParam()), linear_messages(400), {});
  EXPECT_TRUE(tuning.converged);
  EXPECT_GT(tuning.log_likelihood, tuning.start_log_likelihood + 100.0);
  for (const char* name : {"gps.noise[0]", "gps.noise[1]", "gps.noise[2]"}) {
    EXPECT_NEAR(value_of(tuning, name) / kSensorNoise, 1.0, 0.2) << name;
  }
  EXPECT_NEAR(value_of(tuning, "motion.noise.velocity") / kVelocityNoise, 1.0, 0.35);
  EXPECT_EQ(tuning.config.sensors[0].noise[1], value_of(tuning, "gps.noise[1]"));
  EXPECT_EQ(tuning.config.filter.learning.rule, LearningRule::kNone);
  EXPECT_LT(tuning.config.sensors[0].gate, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Factors, TuneNoiseTest, testing::Values(16.0, 1.0 / 16.0));

TEST(TuneNoise, IsNotDecidedByOutliers) {
  const NoiseTuning tuning = tune_noise(linear_config(2.0, 1.0), linear_messages(400, 0.02), {});
  // The standard deviation of all residuals is 4.3 times that of the good ones. Outliers move the
  // belief, so that some of their influence is left.
  EXPECT_GT(value_of(tuning, "gps.noise[0]"), 0.8 * kSensorNoise);
  EXPECT_LT(value_of(tuning, "gps.noise[0]"), 3.0 * kSensorNoise);
}

TEST(TuneNoise, EndsAtTheLimitOfPasses) {
  int called = 0;
  const NoiseTuning tuning =
      tune_noise(linear_config(16.0, 1.0), linear_messages(100), {},
                 {.max_passes = 5, .progress = [&](int passes, double) { called = passes; }});
  EXPECT_EQ(tuning.passes, 5);
  EXPECT_EQ(called, 5);
  EXPECT_FALSE(tuning.converged);
}

TEST(TuneNoise, RefusesMessagesThatCannotBeUsed) {
  EXPECT_THROW(tune_noise(linear_config(1.0, 1.0), {}, {}), std::invalid_argument);
  EstimatorConfig config = linear_config(1.0, 1.0);
  config.initial.rule = InitialRule::kCall;
  EXPECT_THROW(tune_noise(config, linear_messages(10), {}), std::invalid_argument);
  const auto start = [](Estimator& estimator) {
    estimator.initialise(0, Eigen::VectorXd::Zero(6), Eigen::MatrixXd::Identity(6, 6));
  };
  EXPECT_NO_THROW(tune_noise(config, linear_messages(10), start, {.max_passes = 1}));
}

TEST(RobustLogDensity, IsGaussianUpToTheQuantileAndGoesOnAsAPower) {
  const double limit = chi_square_quantile(0.999, 2);
  EXPECT_EQ(robust_log_density(-3.0, 0.9 * limit, 2), -3.0);
  EXPECT_NEAR(robust_log_density(-0.5 * limit, limit * (1.0 + 1e-9), 2), -0.5 * limit, 1e-6);
  // Twice as much NIS costs the same from there on: limit / 2 * log 2.
  const auto of = [](double nis) { return robust_log_density(-0.5 * nis, nis, 2); };
  EXPECT_NEAR(of(4.0 * limit) - of(8.0 * limit), 0.5 * limit * std::log(2.0), 1e-9);
  // Half of the noise costs more (4 times the NIS) than it gains (log 2 for each of two numbers).
  EXPECT_LT(of(40.0 * limit) + 2.0 * std::log(2.0), of(10.0 * limit));
}

}  // namespace
}  // namespace ovf
