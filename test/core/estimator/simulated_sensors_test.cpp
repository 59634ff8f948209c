#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "estimator/simulator_config.hpp"
#include "ovf/estimator/planar_simulator.hpp"

// Tolerances are five standard deviations of what is estimated, for the fixed seeds here.
namespace ovf {
namespace {

using test::kGaussian;
using test::silent_ideal_robot;
using test::variance;
using test::vector_of;

/// The next message of a sensor ("control": of the controls).
SimulatedMessage next_of(PlanarSimulator& simulator, const std::string& sensor) {
  for (;;) {
    SimulatedMessage next = simulator.next();
    const auto* measurement = std::get_if<Measurement>(&next.message);
    if ((measurement != nullptr ? measurement->sensor : "control") == sensor) return next;
  }
}

const Eigen::VectorXd& y_of(const SimulatedMessage& message) {
  return std::get<Measurement>(message.message).y;
}

const Landmark& target_of(const PlanarSimulator& simulator, const SimulatedMessage& message) {
  const int target = std::get<Measurement>(message.message).target;
  for (const Landmark& landmark : simulator.landmarks()) {
    if (landmark.id == target) return landmark;
  }
  throw std::out_of_range("no such landmark");
}

Eigen::Vector2d ray_to(const Landmark& landmark, const TruePose& pose) {
  return {landmark.position.x() - pose.x, landmark.position.y() - pose.y};
}

void expect_moments(const std::vector<double>& values, double mean, double deviation) {
  const double n = static_cast<double>(values.size());
  const Eigen::VectorXd v = vector_of(values);
  EXPECT_NEAR(v.mean(), mean, 5.0 * deviation / std::sqrt(n));
  EXPECT_NEAR(variance(v), deviation * deviation, 5.0 * deviation * deviation * std::sqrt(2.0 / n));
}

TEST(SimulatedUwb, HasTheScaleTheBiasOfEachBeaconAndTheNoiseItIsTold) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.uwb.timing = {.rate = 10.0};
  config.uwb.tails = kGaussian;
  config.uwb.scale = 1.07;
  config.uwb.noise = 0.25;
  config.uwb.beacons = 4;
  PlanarSimulator simulator(config);
  std::vector<std::vector<double>> errors(4);
  for (int i = 0; i < 8000; ++i) {
    const SimulatedMessage next = next_of(simulator, "uwb");
    const Landmark& beacon = target_of(simulator, next);
    errors[static_cast<std::size_t>(beacon.id - 1)].push_back(
        y_of(next)[0] - 1.07 * ray_to(beacon, next.pose).norm());
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(errors[i].size(), 2000U);  // one after the other
    expect_moments(errors[i], simulator.range_biases()[i], 0.25);
  }
}

TEST(SimulatedUwb, DrawsBiasesOfBeaconsOnTheWalls) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.uwb.beacons = 100;
  config.uwb.bias = 2.0;
  config.uwb.bias_spread = 0.5;
  const PlanarSimulator simulator(config);
  expect_moments(simulator.range_biases(), 2.0, 0.5);
  for (std::size_t i = 0; i < 100; ++i) {
    const Eigen::Vector3d place = simulator.landmarks()[i].position.cwiseAbs();
    EXPECT_NEAR(std::max(place.x() / 10.0, place.y() / 7.0), 1.0, 1e-12);
  }
}

TEST(SimulatedUwb, HasHeavyTailsAndOutliersOfTheirShareAndLength) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.uwb = {.timing = {.rate = 100.0},
                .tails = {.nu = 4.0, .outliers = 0.1},
                .beacons = 1,
                .scale = 1.0,
                .bias = 0.0,
                .bias_spread = 0.0,
                .noise = 0.1,
                .outlier_length = 3.0};
  PlanarSimulator simulator(config);
  constexpr int kMessages = 40'000;
  int outliers = 0;
  int beyond_three = 0;
  double excess = 0.0;
  for (int i = 0; i < kMessages; ++i) {
    const SimulatedMessage next = next_of(simulator, "uwb");
    const double error = y_of(next)[0] - ray_to(target_of(simulator, next), next.pose).norm();
    if (next.outlier) {
      ++outliers;
      excess += error;
    } else if (std::abs(error) > 0.3) {
      ++beyond_three;
    }
  }
  EXPECT_NEAR(outliers, 4000.0, 5.0 * 60.0);
  EXPECT_NEAR(excess / outliers, 3.0, 5.0 * 3.0 / std::sqrt(4000.0));
  // P(|t_4| > 3) = 0.0399; a Gaussian's is 0.0027.
  EXPECT_NEAR(beyond_three, 0.0399 * 36'000, 5.0 * 37.0);
  EXPECT_EQ(simulator.counts()[1].outliers, outliers);
}

TEST(SimulatedCamera, SeesAllLandmarksInReachAndViewAndNoOthers) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.camera = {.timing = {.rate = 5.0},
                   .tails = kGaussian,
                   .landmarks = 30,
                   .reach = 5.0,
                   .field_of_view = 1.5,
                   .range_scale = 1.02,
                   .range_bias = 0.1,
                   .bearing_bias = -0.05,
                   .range_noise = 0.2,
                   .bearing_noise = 0.03};
  PlanarSimulator simulator(config);
  std::vector<double> range_errors;
  std::vector<double> bearing_errors;
  const auto bearing_of = [](const Eigen::Vector2d& ray, const TruePose& pose) {
    return std::remainder(std::atan2(ray.y(), ray.x()) - pose.yaw, 2.0 * M_PI);
  };
  std::size_t looks = 0;
  while (range_errors.size() < 5000) {
    const SimulatedMessage first = next_of(simulator, "camera");
    std::size_t visible = 0;
    for (std::size_t i = 6; i < simulator.landmarks().size(); ++i) {
      const Eigen::Vector2d ray = ray_to(simulator.landmarks()[i], first.pose);
      if (ray.norm() <= 5.0 && std::abs(bearing_of(ray, first.pose)) <= 0.75) ++visible;
    }
    std::size_t seen = 0;
    for (SimulatedMessage next = first;; next = simulator.next()) {
      const Eigen::Vector2d ray = ray_to(target_of(simulator, next), next.pose);
      EXPECT_LE(ray.norm(), 5.0);
      EXPECT_LE(std::abs(bearing_of(ray, next.pose)), 0.75);
      range_errors.push_back(y_of(next)[0] - 1.02 * ray.norm());
      bearing_errors.push_back(
          std::remainder(y_of(next)[1] - bearing_of(ray, next.pose), 2.0 * M_PI));
      if (++seen == visible) break;
      ASSERT_EQ(simulator.next_stamp(), first.pose.stamp);
    }
    ++looks;
  }
  EXPECT_GT(range_errors.size(), looks);
  expect_moments(range_errors, 0.1, 0.2);
  expect_moments(bearing_errors, -0.05, 0.03);
}

TEST(SimulatedCamera, HasOutliersAnywhereInReachAndView) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.camera.timing = {.rate = 10.0};
  config.camera.tails = {.nu = 0.0, .outliers = 0.25};
  config.camera.reach = 8.0;
  config.camera.field_of_view = 2.0;
  PlanarSimulator simulator(config);
  std::vector<double> ranges;
  std::vector<double> bearings;
  constexpr int kMessages = 8000;
  for (int i = 0; i < kMessages; ++i) {
    const SimulatedMessage next = next_of(simulator, "camera");
    if (!next.outlier) continue;
    ranges.push_back(y_of(next)[0]);
    bearings.push_back(y_of(next)[1]);
  }
  EXPECT_NEAR(static_cast<double>(ranges.size()), 0.25 * kMessages, 5.0 * 39.0);
  // Uniform; the variance of a uniform's variance is less than a normal's.
  expect_moments(ranges, 4.0, 8.0 / std::sqrt(12.0));
  expect_moments(bearings, 0.0, 2.0 / std::sqrt(12.0));
}

TEST(SimulatedGnss, HasTheNoiseAndTheWanderingErrorItIsTold) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.gnss = {
      .timing = {.rate = 2.0}, .tails = kGaussian, .noise = 0.4, .wander = 0.5, .wander_time = 5.0};
  PlanarSimulator simulator(config);
  std::vector<double> errors;
  for (int i = 0; i < 60'000; ++i) {
    const SimulatedMessage next = next_of(simulator, "gnss");
    errors.push_back(y_of(next)[0] - next.pose.x);
  }
  const Eigen::VectorXd e = vector_of(errors);
  const auto covariance_after = [&](Eigen::Index lag) {
    const auto n = e.size() - lag;
    return e.head(n).dot(e.tail(n)) / static_cast<double>(n);
  };
  // 30,000 s are 3000 independent values of the wandering part: 2.6 % of 0.25 each.
  EXPECT_NEAR(covariance_after(0), 0.25 + 0.16, 0.035);
  EXPECT_NEAR(covariance_after(10), 0.25 * std::exp(-1.0), 0.035);
  EXPECT_NEAR(covariance_after(60), 0.0, 0.035);
}

TEST(SimulatedGnss, JumpsByTheLengthItIsTold) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.gnss = {.timing = {.rate = 20.0},
                 .tails = {.nu = 0.0, .outliers = 0.2},
                 .noise = 0.0,
                 .wander = 0.0,
                 .outlier_length = 7.0};
  PlanarSimulator simulator(config);
  std::vector<double> jumps;
  Eigen::Vector2d sum(0.0, 0.0);
  for (int i = 0; i < 10'000; ++i) {
    const SimulatedMessage next = next_of(simulator, "gnss");
    const Eigen::Vector2d error = y_of(next) - Eigen::Vector2d(next.pose.x, next.pose.y);
    EXPECT_EQ(next.outlier, error.norm() > 0.0);
    if (next.outlier) jumps.push_back(error.norm());
    sum += error;
  }
  const double n = static_cast<double>(jumps.size());
  EXPECT_NEAR(n, 2000.0, 5.0 * 40.0);
  EXPECT_NEAR(vector_of(jumps).mean(), 7.0, 5.0 * 7.0 / std::sqrt(n));
  // In no direction: each jump has a second moment of 49 per direction.
  EXPECT_LT(sum.cwiseAbs().maxCoeff() / n, 5.0 * 7.0 / std::sqrt(n));
}

TEST(SimulatedImu, HasNoiseAndABiasThatDrifts) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.imu = {.timing = {.rate = 50.0}, .bias = 0.1, .bias_drift = 0.02, .noise = 0.03};
  PlanarSimulator simulator(config);
  EXPECT_EQ(simulator.imu_bias(), 0.1);
  std::vector<double> errors;
  std::vector<double> drifts;
  double last = simulator.imu_bias();
  for (int i = 0; i < 20'000; ++i) {
    const SimulatedMessage next = next_of(simulator, "imu");
    errors.push_back(y_of(next)[0] - next.velocity[2] - simulator.imu_bias());
    if (i > 0) drifts.push_back(simulator.imu_bias() - last);
    last = simulator.imu_bias();
  }
  expect_moments(errors, 0.0, 0.03);
  expect_moments(drifts, 0.0, 0.02 / std::sqrt(50.0));
}

TEST(SimulatedOdometry, IsTheMeanOfTheIntervalWithItsScaleBiasAndNoise) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.driving.lowest_speed = 0.0;  // so that the way is the wheels' travel
  config.odometry = {.timing = {.rate = 20.0},
                     .scale = 1.1,
                     .turn_scale = 0.9,
                     .yaw_rate_bias = 0.05,
                     .speed_noise = 0.02,
                     .turn_noise = 0.04};
  PlanarSimulator simulator(config);
  SimulatedMessage last = simulator.next();
  double way = simulator.distance();
  std::vector<double> speed_errors;
  std::vector<double> turn_errors;
  for (int i = 0; i < 10'000; ++i) {
    const SimulatedMessage next = simulator.next();
    const Eigen::VectorXd& u = std::get<Control>(next.message).u;
    const double dt = seconds_between(last.pose.stamp, next.pose.stamp);
    speed_errors.push_back(u[0] - 1.1 * (simulator.distance() - way) / dt);
    turn_errors.push_back(u[1] - 0.9 * (next.pose.yaw - last.pose.yaw) / dt);
    way = simulator.distance();
    last = next;
  }
  expect_moments(speed_errors, 0.0, 0.02);
  expect_moments(turn_errors, 0.05, 0.04);
}

TEST(SimulatedOdometry, HasHeavyTailsIfToldSo) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.odometry.nu = 4.0;
  config.odometry.turn_scale = 1.0;
  config.odometry.yaw_rate_bias = 0.0;
  PlanarSimulator simulator(config);
  SimulatedMessage last = simulator.next();
  int beyond_three = 0;
  for (int i = 0; i < 20'000; ++i) {
    const SimulatedMessage next = simulator.next();
    const double dt = seconds_between(last.pose.stamp, next.pose.stamp);
    const double error =
        std::get<Control>(next.message).u[1] - (next.pose.yaw - last.pose.yaw) / dt;
    if (std::abs(error) > 3.0 * config.odometry.turn_noise) ++beyond_three;
    last = next;
  }
  EXPECT_NEAR(beyond_three, 0.0399 * 20'000, 5.0 * 28.0);
}

TEST(SimulatedSensors, SpeakAtTheirRates) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.odometry.timing.rate = 25.0;
  config.uwb.timing.rate = 7.0;
  config.gnss.timing.rate = 1.5;
  config.imu.timing.rate = 80.0;
  PlanarSimulator simulator(config);
  record(simulator, 100.0);
  const auto counts = simulator.counts();
  EXPECT_NEAR(static_cast<double>(counts[0].messages), 2500.0, 1.0);
  EXPECT_NEAR(static_cast<double>(counts[1].messages), 700.0, 1.0);
  EXPECT_EQ(counts[2].messages, 0);
  EXPECT_NEAR(static_cast<double>(counts[3].messages), 150.0, 1.0);
  EXPECT_NEAR(static_cast<double>(counts[4].messages), 8000.0, 1.0);
}

TEST(SimulatedSensors, DropOutAsOftenAndAsLongAsTheyAreTold) {
  const std::vector<std::pair<std::string, std::function<SimulatedTiming&(PlanarSimulatorConfig&)>>>
      sensors = {{"control", [](auto& c) -> auto& {return c.odometry.timing;
}
}  // namespace
, {"uwb", [](auto& c) -> auto& {return c.uwb.timing;
}  // namespace ovf
}
, {"gnss", [](auto& c) -> auto& {return c.gnss.timing;
}
}
, {
  "imu", [](auto& c) -> auto& { return c.imu.timing; }
}
}
;
for (const auto& [name, timing] : sensors) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  timing(config) = {.rate = 10.0, .drop_out_every = 20.0, .drop_out_length = 5.0};
  PlanarSimulator simulator(config);
  constexpr double kSeconds = 8'000.0;
  const RobotLog log = record(simulator, kSeconds);
  Stamp last = 0;
  int gaps = 0;
  double silent = 0.0;
  for (const Message& message : log.messages) {
    const auto* measurement = std::get_if<Measurement>(&message);
    if ((measurement != nullptr ? measurement->sensor : "control") != name) continue;
    const double gap = seconds_between(last, stamp_of(message));
    last = stamp_of(message);
    if (gap < 0.15) continue;
    ++gaps;
    silent += gap - 0.1;
  }
  // 800 pairs of work and silence; a few silences fall between two messages, or join.
  EXPECT_NEAR(silent / kSeconds, 0.2, 0.063) << name;
  for (const auto& count : simulator.counts()) {
    if (count.source != name) continue;
    EXPECT_NEAR(static_cast<double>(count.drop_outs), 320.0, 75.0) << name;
    EXPECT_NEAR(gaps, static_cast<double>(count.drop_outs),
                0.05 * static_cast<double>(count.drop_outs))
        << name;
    EXPECT_NEAR(count.seconds_out, silent, 0.02 * silent) << name;
  }
}
}

TEST(SimulatedCamera, DropsOutToo) {
  PlanarSimulatorConfig config = silent_ideal_robot();
  config.camera.timing = {.rate = 10.0, .drop_out_every = 20.0, .drop_out_length = 5.0};
  config.camera.reach = 30.0;
  config.camera.field_of_view = 6.28;  // so that only a drop-out hides all landmarks
  PlanarSimulator simulator(config);
  const RobotLog log = record(simulator, 1000.0);
  double silent = 0.0;
  Stamp last = 0;
  for (const Message& message : log.messages) {
    if (!std::holds_alternative<Measurement>(message)) continue;
    const double gap = seconds_between(last, stamp_of(message));
    if (gap > 0.15) silent += gap - 0.1;
    last = stamp_of(message);
  }
  EXPECT_GT(silent, 50.0);
  EXPECT_NEAR(simulator.counts()[2].seconds_out, silent, 0.02 * silent + 1.0);
}

}  // namespace
}  // namespace ovf
