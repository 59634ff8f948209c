#include "ovf/estimator/planar_simulator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "estimator/simulator_config.hpp"

namespace ovf {
namespace {

bool same(const Message& a, const Message& b) {
  if (a.index() != b.index() || stamp_of(a) != stamp_of(b)) return false;
  if (const auto* control = std::get_if<Control>(&a)) return control->u == std::get<Control>(b).u;
  const auto& x = std::get<Measurement>(a);
  const auto& y = std::get<Measurement>(b);
  return x.sensor == y.sensor && x.target == y.target && x.y == y.y;
}

bool same(const RobotLog& a, const RobotLog& b) {
  if (a.messages.size() != b.messages.size() || a.truth.size() != b.truth.size()) return false;
  for (std::size_t i = 0; i < a.messages.size(); ++i) {
    if (!same(a.messages[i], b.messages[i])) return false;
  }
  for (std::size_t i = 0; i < a.truth.size(); ++i) {
    if (a.truth[i].x != b.truth[i].x || a.truth[i].yaw != b.truth[i].yaw) return false;
  }
  return true;
}

std::vector<Message> of_sensor(const RobotLog& log, const std::string& sensor) {
  std::vector<Message> found;
  for (const Message& message : log.messages) {
    const auto* measurement = std::get_if<Measurement>(&message);
    if (sensor == (measurement != nullptr ? measurement->sensor : "control")) {
      found.push_back(message);
    }
  }
  return found;
}

TEST(PlanarSimulator, GivesTheSameLogForTheSameSeed) {
  PlanarSimulatorConfig config;
  const RobotLog log = simulate(config, 60.0);
  EXPECT_TRUE(same(log, simulate(config, 60.0)));
  config.seed = 2;
  EXPECT_FALSE(same(log, simulate(config, 60.0)));
}

TEST(PlanarSimulator, GivesStepByStepWhatARecordHas) {
  const PlanarSimulatorConfig config;
  const RobotLog log = simulate(config, 20.0);
  PlanarSimulator simulator(config);
  for (const Message& message : log.messages) {
    const Stamp stamp = simulator.next_stamp();
    const SimulatedMessage next = simulator.next();
    EXPECT_TRUE(same(next.message, message));
    EXPECT_EQ(next.pose.stamp, stamp);
    EXPECT_EQ(stamp_of(next.message), stamp);
  }
  EXPECT_GT(simulator.next_stamp(), 20'000'000'000);
  // Two halves are a whole.
  PlanarSimulator halves(config);
  RobotLog first = record(halves, 10.0);
  const RobotLog second = record(halves, 20.0);
  first.messages.insert(first.messages.end(), second.messages.begin(), second.messages.end());
  first.truth.insert(first.truth.end(), second.truth.begin(), second.truth.end());
  EXPECT_TRUE(same(first, log));
}

TEST(PlanarSimulator, DrivesAndMeasuresTheSameWithAnotherSensorOff) {
  PlanarSimulatorConfig config;
  const RobotLog all = simulate(config, 60.0);
  config.gnss.timing.rate = 0.0;
  config.imu.timing.rate = 0.0;
  const RobotLog fewer = simulate(config, 60.0);
  EXPECT_TRUE(of_sensor(fewer, "gnss").empty());
  for (const std::string sensor : {"control", "uwb", "camera"}) {
    const auto a = of_sensor(all, sensor);
    const auto b = of_sensor(fewer, sensor);
    ASSERT_EQ(a.size(), b.size());
    EXPECT_GT(a.size(), 100U) << sensor;
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same(a[i], b[i]));
  }
}

TEST(PlanarSimulator, SendsInTheOrderOfTimeWithControlsFirst) {
  PlanarSimulatorConfig config;
  config.control = ControlSource::kCommands;
  const RobotLog log = simulate(config, 60.0);
  ASSERT_GT(log.messages.size(), 1000U);
  for (std::size_t i = 1; i < log.messages.size(); ++i) {
    const Message& a = log.messages[i - 1];
    const Message& b = log.messages[i];
    EXPECT_LE(stamp_of(a), stamp_of(b));
    EXPECT_TRUE(stamp_of(a) < stamp_of(b) || std::holds_alternative<Measurement>(b));
  }
  for (std::size_t i = 1; i < log.truth.size(); ++i) {
    EXPECT_LT(log.truth[i - 1].stamp, log.truth[i].stamp);
  }
}

TEST(PlanarSimulator, StaysInTheArenaAndUsesIt) {
  for (const Driving pattern : {Driving::kRandom, Driving::kTour}) {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
      PlanarSimulatorConfig config = test::silent_ideal_robot();
      config.slip = SimulatedSlip();
      config.seed = seed;
      config.driving.pattern = pattern;
      PlanarSimulator simulator(config);
      const RobotLog log = record(simulator, 1000.0);
      Eigen::Array2d farthest(0.0, 0.0);
      for (const TruePose& pose : log.truth) {
        farthest = farthest.max(Eigen::Array2d(pose.x, pose.y).abs());
      }
      EXPECT_LT(farthest[0], 10.0) << seed;
      EXPECT_LT(farthest[1], 7.0) << seed;
      EXPECT_GT(farthest[0], 5.0) << seed;
      EXPECT_GT(farthest[1], 3.0) << seed;
      EXPECT_GT(simulator.distance(), 200.0);
    }
  }
}

TEST(PlanarSimulator, MovesAsTheWheelsSayWithoutSlip) {
  PlanarSimulatorConfig config = test::silent_ideal_robot();
  config.odometry = {.timing = {.rate = 50.0},
                     .scale = 1.0,
                     .turn_scale = 1.0,
                     .yaw_rate_bias = 0.0,
                     .speed_noise = 0.0,
                     .turn_noise = 0.0};
  PlanarSimulator simulator(config);
  TruePose pose = simulator.next().pose;
  for (int i = 0; i < 3000; ++i) {
    const SimulatedMessage next = simulator.next();
    const Eigen::VectorXd& u = std::get<Control>(next.message).u;
    const double dt = seconds_between(pose.stamp, next.pose.stamp);
    const double heading = pose.yaw + 0.5 * dt * u[1];
    pose = {next.pose.stamp, pose.x + dt * u[0] * std::cos(heading),
            pose.y + dt * u[0] * std::sin(heading), pose.yaw + dt * u[1]};
    // The mean of a velocity that changes within 20 ms: a few hundredths of a millimetre each.
    ASSERT_NEAR(pose.x, next.pose.x, 0.01);
    ASSERT_NEAR(pose.y, next.pose.y, 0.01);
    ASSERT_NEAR(pose.yaw, next.pose.yaw, 1e-9);
  }
}

TEST(PlanarSimulator, SlipsAsItsConfigurationSays) {
  PlanarSimulatorConfig config = test::silent_ideal_robot();
  config.control = ControlSource::kCommands;
  config.slip = {.forward_gain = 0.9,
                 .turn_gain = 0.8,
                 .slip = 0.2,
                 .drag = 0.1,
                 .turn_loss = 0.3,
                 .response_time = 1e-3,
                 .speed_disturbance = 0.0,
                 .turn_disturbance = 0.0};
  PlanarSimulator simulator(config);
  simulator.next();  // at rest
  for (int i = 0; i < 500; ++i) {
    const SimulatedMessage next = simulator.next();
    const Eigen::VectorXd& u = std::get<Control>(next.message).u;
    const double forward = 0.9 * u[0] - 0.1 * u[0] * std::abs(u[0]) - 0.3 * u[0] * std::abs(u[1]);
    // The wheels are within exp(-5) of a change of at most 0.18 rad/s and 0.12 m/s.
    EXPECT_NEAR(next.velocity[0], forward, 0.003);
    EXPECT_NEAR(next.velocity[1], 0.2 * forward * 0.8 * u[1], 0.003);
    EXPECT_NEAR(next.velocity[2], 0.8 * u[1], 0.003);
  }
}

TEST(PlanarSimulator, DisturbsVelocitiesAsMuchAndAsLongAsItIsTold) {
  PlanarSimulatorConfig config = test::silent_ideal_robot();
  config.control = ControlSource::kCommands;
  config.slip.response_time = 1e-3;
  config.slip.speed_disturbance = 0.2;
  config.slip.disturbance_time = 2.0;
  PlanarSimulator simulator(config);
  simulator.next();
  std::vector<double> errors;
  for (int i = 0; i < 100'000; ++i) {
    const SimulatedMessage next = simulator.next();
    errors.push_back(next.velocity[0] - std::get<Control>(next.message).u[0]);
  }
  // 10,000 s are 2500 independent values: 3 % for a standard deviation of the variance.
  const Eigen::VectorXd e = test::vector_of(errors);
  EXPECT_NEAR(test::variance(e), 0.04, 0.15 * 0.04);
  const auto n = e.size() - 20;
  EXPECT_NEAR(e.head(n).dot(e.tail(n)) / static_cast<double>(n), 0.04 * std::exp(-1.0), 0.006);
}

TEST(PlanarSimulator, ShowsWhatIsTrue) {
  const PlanarSimulator simulator{PlanarSimulatorConfig()};
  const auto list = simulator.true_parameters();
  const std::map<std::string, double> values(list.begin(), list.end());
  EXPECT_EQ(values.size(), list.size());
  EXPECT_EQ(values.at("slip.turn_gain"), 0.85);
  EXPECT_EQ(values.at("odometry.scale"), 1.03);
  EXPECT_EQ(values.at("uwb.bias[2]"), simulator.range_biases()[1]);
  EXPECT_EQ(values.at("imu.bias"), simulator.imu_bias());
  EXPECT_EQ(simulator.landmarks().size(), 6U + 12U);
  EXPECT_EQ(simulator.landmarks()[0].id, PlanarSimulator::kFirstBeacon);
  EXPECT_EQ(simulator.landmarks()[6].id, PlanarSimulator::kFirstLandmark);
}

TEST(PlanarSimulator, CountsWhatItSent) {
  PlanarSimulator simulator{PlanarSimulatorConfig()};
  const RobotLog log = record(simulator, 200.0);
  for (const auto& count : simulator.counts()) {
    EXPECT_EQ(count.messages, static_cast<int>(of_sensor(log, count.source).size()))
        << count.source;
    EXPECT_GT(count.messages, 0) << count.source;
  }
}

TEST(PlanarSimulator, RefusesALogWithoutEnd) {
  PlanarSimulatorConfig config;
  EXPECT_THROW(simulate(config, -1.0), std::invalid_argument);
  EXPECT_THROW(simulate(config, std::numeric_limits<double>::quiet_NaN()), std::invalid_argument);
  EXPECT_THROW(simulate(config, 1e18), std::invalid_argument);
  config.imu.timing.rate = 1000.0;
  EXPECT_THROW(simulate(config, 1e6), std::invalid_argument);
}

}  // namespace
}  // namespace ovf
