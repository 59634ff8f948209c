// What errors that last do to an estimator: ranges to beacons, with or without odometry.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "estimator/planar_case.hpp"
#include "ovf/estimator/findings.hpp"

namespace ovf {
namespace {

constexpr double kNoise = 0.1;
constexpr double kWander = 0.3;
constexpr std::array kX = {0.0, 10.0, 10.0, 0.0};
constexpr std::array kY = {0.0, 0.0, 10.0, 10.0};

EstimatorConfig beacon_config(ControlKind control = ControlKind::kOdometry) {
  EstimatorConfig config;
  config.motion.control = control;
  config.motion.noise.position = 0.05;
  config.motion.noise.angle = 0.02;
  config.initial.mean = {5.0, 1.0, 0.0, 0.0, 0.0};
  config.initial.deviations = {0.3, 0.3, 0.05, 0.5, 0.5};
  config.landmark_ids = {1, 2, 3, 4};
  config.landmark_x.assign(kX.begin(), kX.end());
  config.landmark_y.assign(kY.begin(), kY.end());
  config.sensors = {{.name = "uwb",
                     .kind = SensorKind::kRange,
                     .noise = {0.5},
                     .nu = 10.0,
                     .learn_nu = true,
                     .bias = {.value = 0.0, .deviation = 0.2},
                     .scale = {.value = 1.0, .deviation = 0.05}}};
  return config;
}

struct Figures {
  double nees = 0.0;
  double square = 0.0;  // of the position's error
  double noise = 0.0;
  double error_time = 0.0;
  bool told = false;
  std::vector<std::string> findings;
};

/// Drives a circle of radius 4 m for a while. `wander`: standard deviation of an error of each
/// range that lasts for some seconds.
Figures drive(const EstimatorConfig& config, double wander, std::uint64_t seed) {
  Estimator estimator(config);
  RandomStream random(seed, 33);
  Eigen::MatrixXd z(9, 1);
  std::array<double, 4> errors{};
  Figures figures;
  long scored = 0;
  const double rate = 0.25;
  for (int k = 1; k <= 1500; ++k) {
    const double t = 0.1 * k;
    const Eigen::Vector2d place(5.0 + 4.0 * std::sin(rate * t), 5.0 - 4.0 * std::cos(rate * t));
    random.fill_normal(z);
    if (config.motion.control == ControlKind::kOdometry) {
      estimator.process(Control{test::at_seconds(t), Eigen::Vector2d(4.0 * rate, rate)});
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double left = std::exp(-0.1 / 3.0);
      errors[i] = k == 1 ? wander * z(row, 0)
                         : left * errors[i] + wander * std::sqrt(1.0 - left * left) * z(row, 0);
      const double distance = (place - Eigen::Vector2d(kX[i], kY[i])).norm();
      const EstimatorResult& result = estimator.process(Measurement{
          .stamp = test::at_seconds(t) + 1 + static_cast<Stamp>(i),
          .sensor = "uwb",
          .y = Eigen::VectorXd::Constant(1, distance + errors[i] + kNoise * z(4 + row, 0)),
          .target = static_cast<int>(i) + 1});
      figures.told = figures.told || test::has_event(result, EventKind::kErrorsLast);
    }
    if (t < 20.0) continue;
    const auto rows = estimator.belief().factor.lower().topRows<2>();
    const Eigen::Matrix2d covariance = rows * rows.transpose();
    const Eigen::Vector2d error = estimator.belief().mean.head<2>() - place;
    figures.nees += error.dot(covariance.inverse() * error);
    figures.square += error.squaredNorm();
    ++scored;
  }
  figures.nees /= static_cast<double>(scored);
  figures.square /= static_cast<double>(scored);
  figures.error_time = estimator.error_time(0);
  for (const ParameterEstimate& parameter : estimator.parameters()) {
    if (parameter.name == "uwb.noise") figures.noise = parameter.value;
  }
  figures.findings = findings(estimator);
  return figures;
}

bool tells(const Figures& figures, const char* text) {
  return std::any_of(figures.findings.begin(), figures.findings.end(),
                     [&](const std::string& f) { return f.find(text) != std::string::npos; });
}

TEST(LastingErrors, AreToldAndMakeTheBeliefWider) {
  double with = 0.0;
  double without = 0.0;
  EstimatorConfig independent = beacon_config();
  independent.sensors.front().error_time = 0.0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Figures figures = drive(beacon_config(), kWander, seed);
    EXPECT_TRUE(figures.told);
    EXPECT_TRUE(tells(figures, "uwb: the errors of neighbouring messages are correlated"));
    EXPECT_TRUE(tells(figures, "set motion.error_time"));
    with += figures.nees / 4.0;
    without += drive(independent, kWander, seed).nees / 4.0;
  }
  EXPECT_LT(with, 0.5 * without) << "2 is right";
}

TEST(LastingErrors, CountForAsLongAsTheMotionIsKnown) {
  const EstimatorConfig config = beacon_config();
  const Figures measured = drive(config, kWander, 1);
  EXPECT_GT(measured.error_time, 1.5);
  EXPECT_LE(measured.error_time, config.sensors.front().error_time);
  const Figures unknown = drive(beacon_config(ControlKind::kNone), kWander, 1);
  EXPECT_LT(unknown.error_time, 0.6 * measured.error_time);
  EXPECT_GT(unknown.error_time, 0.1);
}

TEST(LastingErrors, LearningDoesNoHarmWhereTheyLastForSeconds) {
  EstimatorConfig held = beacon_config();
  held.filter.learning.rule = LearningRule::kNone;
  EstimatorConfig brief = beacon_config();
  brief.sensors.front().error_time = 0.7;
  double nees = 0.0;
  double nees_of_brief = 0.0;
  double square = 0.0;
  double square_held = 0.0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Figures figures = drive(beacon_config(), kWander, seed);
    nees += figures.nees / 4.0;
    square += figures.square / 4.0;
    square_held += drive(held, kWander, seed).square / 4.0;
    nees_of_brief += drive(brief, kWander, seed).nees / 4.0;
  }
  EXPECT_LT(std::sqrt(square), 1.1 * std::sqrt(square_held));
  EXPECT_LT(nees, 4.0) << "2 is right";
  EXPECT_LT(nees, 0.8 * nees_of_brief);
}

TEST(LastingErrors, LeaveIndependentErrorsAlone) {
  EstimatorConfig independent = beacon_config();
  independent.sensors.front().error_time = 0.0;
  const Figures figures = drive(beacon_config(), 0.0, 1);
  const Figures same = drive(independent, 0.0, 1);
  EXPECT_FALSE(figures.told);
  EXPECT_FALSE(tells(figures, "correlated"));
  EXPECT_NEAR(figures.nees, same.nees, 0.1 * same.nees);  // assumed to last for the first seconds
  EXPECT_NEAR(figures.noise, kNoise, 0.02);
}

TEST(LastingErrors, DoNotTakeTheNoiseBelowWhatItsStartAllows) {
  EstimatorConfig config = beacon_config(ControlKind::kNone);
  config.sensors.front().noise = {2.0};
  const double least = 2.0 / config.sensors.front().noise_factor;
  const Figures figures = drive(config, kWander, 1);
  EXPECT_TRUE(figures.told);
  EXPECT_GE(figures.noise, least);
  config.sensors.front().error_time = 0.0;
  EXPECT_LT(drive(config, kWander, 1).noise, 0.7 * least);
}

// The belief follows the accurate one, whose errors then look independent.
TEST(LastingErrors, HoldForAllSensorsOfAKindWhereNothingMeasuresTheMotion) {
  const auto noise_of_second = [](ControlKind control, SensorKind kind) {
    EstimatorConfig config;
    config.motion.control = control;
    config.initial.deviations = {0.3, 0.3, 0.05, 0.5, 0.5};
    config.sensors = {{.name = "first", .kind = SensorKind::kPosition, .noise = {5.0}},
                      {.name = "second", .kind = kind, .noise = {0.2}}};
    Estimator estimator(config);
    RandomStream random(1, 34);
    Eigen::MatrixXd z(4, 1);
    Eigen::Vector2d error = Eigen::Vector2d::Zero();
    for (int k = 1; k <= 1500; ++k) {
      random.fill_normal(z);
      error = 0.97 * error + 0.24 * kWander * 3.0 * z.topRows(2);
      const Stamp stamp = test::at_seconds(0.1 * k);
      if (control == ControlKind::kOdometry) {
        estimator.process(Control{stamp, Eigen::Vector2d::Zero()});
      }
      estimator.process(Measurement{.stamp = stamp + 1, .sensor = "first", .y = error});
      Eigen::VectorXd white = 0.02 * z.bottomRows(2);
      if (kind == SensorKind::kYaw) white = white.head(1).eval();
      estimator.process(Measurement{.stamp = stamp + 2, .sensor = "second", .y = white});
    }
    const auto parameters = estimator.parameters();
    const auto found = std::find_if(parameters.begin(), parameters.end(), [](const auto& p) {
      return p.name.starts_with("second.noise");
    });
    return found->value;
  };
  const double floor = 0.2 / SensorConfig{}.noise_factor;
  EXPECT_GE(noise_of_second(ControlKind::kNone, SensorKind::kPosition), floor);
  EXPECT_LT(noise_of_second(ControlKind::kNone, SensorKind::kYaw), 0.7 * floor);
  EXPECT_LT(noise_of_second(ControlKind::kOdometry, SensorKind::kPosition), 0.7 * floor);
}

TEST(LastingErrors, AScaleIsHeldWhereNothingMeasuresTheMotion) {
  const Figures held = drive(beacon_config(ControlKind::kNone), 0.0, 1);
  EXPECT_TRUE(tells(held, "uwb.scale is held at 1"));
  EXPECT_FALSE(tells(drive(beacon_config(), 0.0, 1), "is held"));
}

TEST(Findings, NameAConstantThatWentFarFromItsStart) {
  EstimatorConfig config = test::planar_config();
  config.motion.scale.deviation = 0.02;
  Estimator estimator(config);
  test::process_all(estimator, test::circle_messages(60.0, 1.5));
  const std::vector<std::string> all = findings(estimator);
  const auto scale = std::find_if(all.begin(), all.end(), [](const std::string& each) {
    return each.find("motion.scale is 1.") != std::string::npos;
  });
  ASSERT_NE(scale, all.end());
  EXPECT_NE(scale->find("standard deviations from its start value 1 ± 0.02"), std::string::npos);
  Estimator right(test::planar_config());
  test::process_all(right, test::circle_messages(60.0));
  EXPECT_TRUE(findings(right).empty());
}

TEST(Settling, NoNoiseIsLearnedBeforeIt) {
  EstimatorConfig config = test::planar_config();
  config.initial.settling_time = 5.0;
  Estimator estimator(config);
  const Eigen::VectorXd start = estimator.filter().parameters();
  for (const Message& message : test::circle_messages(10.0)) {
    estimator.process(message);
    if (stamp_of(message) < test::at_seconds(5.0)) {
      EXPECT_EQ(estimator.filter().parameters(), start);
    }
  }
  EXPECT_NE(estimator.filter().parameters(), start);
}

}  // namespace
}  // namespace ovf
