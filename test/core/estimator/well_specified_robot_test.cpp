#include "ovf/estimator/well_specified_robot.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <variant>

#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/estimator/robot_model.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/math/student_t.hpp"
#include "ovf/model/nonlinear_transition.hpp"
#include "ovf/model/sensor_suite.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

PlanarSimulatorConfig well_specified() {
  PlanarSimulatorConfig config;
  config.well_specified = true;
  return config;
}

// That of config/planar_all_sensors.yaml with the simulator's landmarks.
EstimatorConfig robot_among(const PlanarSimulator& simulator) {
  auto config = load_estimator_config(test::config_folder() / "planar_all_sensors.yaml");
  RobotLog log;
  log.landmarks = simulator.landmarks();
  take_landmarks(log, config);
  return config;
}

std::map<std::string, double> truth_of(const PlanarSimulator& simulator) {
  const auto values = simulator.true_parameters();
  return {values.begin(), values.end()};
}

// The estimator's own model with the true parameters, held against what was simulated.
class TrueModel {
 public:
  explicit TrueModel(const PlanarSimulator& simulator)
      : config_(robot_among(simulator)), robot_(make_robot_model(config_)) {
    const auto truth = truth_of(simulator);
    const ParameterVector& theta = robot_.state_space.parameters();
    Eigen::VectorXd values = theta.values();
    const auto& sensors = static_cast<const SensorSuite&>(robot_.state_space.observation());
    const int split = robot_.state_space.transition_parameter_count();
    for (int i = 0; i < theta.size(); ++i) {
      const double floor = i < split ? 0.0 : sensors.noise_floor(i - split, false);
      const double value = truth.at(theta.info(i).name);
      values[i] = std::sqrt(value * value - floor * floor);
    }
    robot_.state_space.set_parameters(values);
    x_.setZero(robot_.layout.dim(), 1);
    for (int i = 5; i < robot_.layout.dim(); ++i) x_(i, 0) = truth.at(robot_.layout.entry(i).name);
    set_own({simulator.expected_start().stamp, simulator.expected_start().x,
             simulator.expected_start().y, simulator.expected_start().yaw},
            Eigen::Vector3d::Zero());
    squares_.setZero(5);
  }

  // As the estimator: a control of odometry is that of the step which ends at its stamp.
  void see(const SimulatedMessage& next) {
    const Stamp stamp = stamp_of(next.message);
    if (const auto* control = std::get_if<Control>(&next.message)) input_.control = control->u;
    input_.dt = seconds_between(now_, stamp);
    now_ = stamp;
    const auto& transition =
        static_cast<const NonlinearTransition&>(robot_.state_space.transition());
    Eigen::MatrixXd expected;
    transition.mean().values(input_, x_, expected);
    set_own(next.pose, next.velocity);
    const double root = std::sqrt(std::max(input_.dt, kShortestStep));
    for (int i = 0; i < 5; ++i) {
      squares_[i] +=
          std::pow((x_(i, 0) - expected(i, 0)) / (root * transition.noise().lower()(i, i)), 2);
    }
    ++steps_;
    if (const auto* measurement = std::get_if<Measurement>(&next.message)) {
      see(*measurement, next.noise_free);
    }
  }

  // Of whitened process noise, state by state.
  Eigen::VectorXd mean_squares() const { return squares_ / steps_; }
  int steps() const { return steps_; }
  // Largest slope of log g in the state where y is what a sensor without noise says.
  double largest_slope() const { return largest_slope_; }
  // Of each sensor's numbers, E[log g(y | x)] less its largest value.
  double mean_loss(const std::string& sensor) { return losses_[sensor] / counts_[sensor]; }
  int count(const std::string& sensor) { return counts_[sensor]; }

 private:
  void set_own(const TruePose& pose, const Eigen::Vector3d& velocity) {
    x_.col(0).head<5>() << pose.x, pose.y, pose.yaw, velocity[0], velocity[2];
  }

  void see(const Measurement& measurement, const Eigen::VectorXd& noise_free) {
    for (std::size_t i = 0; i < config_.sensors.size(); ++i) {
      if (config_.sensors[i].name == measurement.sensor) input_.sensor = static_cast<int>(i);
    }
    input_.target = measurement.target < 0 ? 0 : robot_.target_of_id.at(measurement.target);
    const Observation& g = robot_.state_space.observation(input_);
    Eigen::MatrixXd slope;
    g.gradient(noise_free, x_, slope);
    largest_slope_ = std::max(largest_slope_, slope.cwiseAbs().maxCoeff());
    Eigen::VectorXd best;
    g.log_density(noise_free, x_, best);
    Eigen::VectorXd value;
    g.log_density(measurement.y, x_, value);
    losses_[measurement.sensor] += best[0] - value[0];
    ++counts_[measurement.sensor];
  }

  EstimatorConfig config_;
  RobotModel robot_;
  Eigen::MatrixXd x_;
  StepInput input_;
  Stamp now_ = 0;
  Eigen::VectorXd squares_;
  int steps_ = 0;
  double largest_slope_ = 0.0;
  std::map<std::string, double> losses_;
  std::map<std::string, int> counts_;
};

TEST(WellSpecifiedRobot, MovesAndMeasuresAsTheEstimatorsModelSays) {
  PlanarSimulatorConfig config = well_specified();
  config.motion.yaw_rate_drift = config.imu.bias_drift = 0.0;
  PlanarSimulator simulator(config);
  TrueModel model(simulator);
  while (simulator.next_stamp() < 120'000'000'000) model.see(simulator.next());

  // Five standard deviations of the mean of that many squares.
  ASSERT_GT(model.steps(), 8000);
  const double tolerance = 5.0 * std::sqrt(2.0 / model.steps());
  const Eigen::VectorXd squares = model.mean_squares();
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(squares[i], 1.0, tolerance) << "state " << i;
  // Zero but for the millimetre that keeps the slope of a range finite.
  EXPECT_LT(model.largest_slope(), 1e-2);
  // Gaussian: e^2 / 2 with mean 1/2 and variance 1/2. Student-t with k numbers: log(1 + |e|^2 / nu)
  // has the mean digamma((nu + k) / 2) - digamma(nu / 2).
  EXPECT_NEAR(model.mean_loss("imu"), 0.5, 5.0 * std::sqrt(0.5 / model.count("imu")));
  const auto expected = [](double nu, double k) {
    return 0.5 * (nu + k) * (digamma(0.5 * (nu + k)) - digamma(0.5 * nu));
  };
  EXPECT_NEAR(model.mean_loss("uwb"), expected(config.uwb.tails.nu, 1.0), 0.2);
  EXPECT_NEAR(model.mean_loss("camera"), expected(config.camera.tails.nu, 2.0), 0.2);
  EXPECT_NEAR(model.mean_loss("gnss"), expected(config.gnss.tails.nu, 2.0), 0.4);
}

TEST(WellSpecifiedRobot, HasATrueValueForEverythingThatIsLearned) {
  PlanarSimulator simulator(well_specified());
  simulator.next();
  const auto truth = truth_of(simulator);
  const Estimator estimator(robot_among(simulator));
  std::set<std::string> learned;
  for (const ParameterEstimate& parameter : estimator.parameters()) {
    EXPECT_TRUE(truth.contains(parameter.name)) << parameter.name;
    learned.insert(parameter.name);
  }
  for (const auto& [name, value] : truth) EXPECT_TRUE(learned.contains(name)) << name;
  EXPECT_EQ(truth.at("camera.yaw"), -simulator.config().camera.bearing_bias);
}

TEST(WellSpecifiedRobot, StaysNearTheArenaBecauseItsDriverCorrectsHimself) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    PlanarSimulatorConfig config = well_specified();
    config.seed = seed;
    config.motion.yaw_rate_bias = 0.05;
    config.motion.start_position = 1.0;
    config.motion.start_yaw = 0.3;
    for (const TruePose& pose : simulate(config, 300.0).truth) {
      ASSERT_LT(std::abs(pose.x), 15.0) << "seed " << seed;
      ASSERT_LT(std::abs(pose.y), 12.0) << "seed " << seed;
    }
  }
}

TEST(WellSpecifiedRobot, HasNoOutliersAndGivesTheSameLogForTheSameSeed) {
  PlanarSimulator simulator(well_specified());
  const RobotLog log = record(simulator, 60.0);
  for (const auto& count : simulator.counts()) EXPECT_EQ(count.outliers, 0) << count.source;
  EXPECT_GT(simulator.distance(), 10.0);
  const RobotLog again = simulate(well_specified(), 60.0);
  ASSERT_EQ(again.messages.size(), log.messages.size());
  EXPECT_EQ(again.truth.back().x, log.truth.back().x);
  EXPECT_EQ(again.noise_free.back(), log.noise_free.back());
}

TEST(WellSpecifiedRobot, StartsWithinTheStatedDeviations) {
  PlanarSimulatorConfig config = well_specified();
  config.motion.start_position = 2.0;
  config.motion.start_yaw = 0.5;
  double squares = 0.0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    config.seed = seed;
    PlanarSimulator simulator(config);
    const TruePose& expected = simulator.expected_start();
    const TruePose start = WellSpecifiedRobot(config, expected).pose();
    squares += std::pow((start.x - expected.x) / 2.0, 2) +
               std::pow((start.y - expected.y) / 2.0, 2) +
               std::pow((start.yaw - expected.yaw) / 0.5, 2);
  }
  EXPECT_NEAR(squares / 300.0, 1.0, 5.0 * std::sqrt(2.0 / 300.0));
}

TEST(PlanarSimulator, KeepsWhatASensorWithoutNoiseWouldSay) {
  PlanarSimulatorConfig config;
  config.uwb.noise = config.camera.range_noise = config.camera.bearing_noise = 0.0;
  config.gnss.noise = config.gnss.wander = config.imu.noise = 0.0;
  config.uwb.tails.outliers = config.camera.tails.outliers = config.gnss.tails.outliers = 0.0;
  const RobotLog log = simulate(config, 30.0);
  ASSERT_EQ(log.noise_free.size(), log.messages.size());
  for (std::size_t i = 0; i < log.messages.size(); ++i) {
    if (const auto* measurement = std::get_if<Measurement>(&log.messages[i])) {
      EXPECT_LT((measurement->y - log.noise_free[i]).norm(), 1e-12) << measurement->sensor;
    } else {
      EXPECT_EQ(log.noise_free[i].size(), 0);
    }
  }
}

}  // namespace
}  // namespace ovf
