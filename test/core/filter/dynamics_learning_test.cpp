// Learns online how a simulated robot answers to its commands, then predicts two seconds ahead.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/learned_dynamics.hpp"
#include "ovf/model/nonlinear_transition.hpp"
#include "ovf/model/planar_motion.hpp"
#include "ovf/model/pose_sensors.hpp"
#include "ovf/model/sensor_suite.hpp"

namespace ovf {
namespace {

constexpr double kDt = 0.1;
constexpr int kTwoMinutes = 1200;
constexpr int kTestSteps = 6000;
constexpr int kHorizon = 20;
constexpr double kPositionNoise = 0.02;  // after one second
constexpr double kYawNoise = 0.01;

// Slower than commanded and ever more so, skids in turns, and drifts to the left.
class Robot {
 public:
  explicit Robot(std::uint64_t seed) : random_(seed, 77) {}

  const Eigen::Vector2d& command() {
    if (time_ >= next_command_) {
      command_ << -0.2 + 1.7 * random_.uniform(), -1.0 + 2.0 * random_.uniform();
      next_command_ = time_ + 2.0 + 2.0 * random_.uniform();
    }
    return command_;
  }
  void move() {
    time_ += kDt;
    const double share = -std::expm1(-kDt / 0.3);
    v_ += share * (command_[0] - v_);
    rate_ += share * (command_[1] - rate_);
    const double turn = 0.7 * rate_ + 0.02;
    const Eigen::Vector2d velocity(0.85 * v_ - 0.1 * v_ * std::abs(v_), 0.15 * v_ * rate_);
    const double noise = std::sqrt(kDt);
    position += kDt * (Eigen::Rotation2Dd(yaw + 0.5 * kDt * turn) * velocity);
    for (double& p : position) p += kPositionNoise * noise * random_.normal();
    yaw += kDt * turn + kYawNoise * noise * random_.normal();
  }
  Eigen::VectorXd measured_pose() {
    Eigen::Vector3d y(position[0], position[1], yaw);
    for (int i = 0; i < 3; ++i) y[i] += (i < 2 ? 0.05 : 0.02) * random_.normal();
    return y;
  }

  Eigen::Vector2d position = Eigen::Vector2d::Zero();
  double yaw = 0.0;

 private:
  RandomStream random_;
  double time_ = 0.0;
  double next_command_ = 0.0;
  Eigen::Vector2d command_ = Eigen::Vector2d::Zero();
  double v_ = 0.0;
  double rate_ = 0.0;
};

LearnedDynamicsSpec spec_of(ResidualFamily family, std::uint64_t seed) {
  PlanarMotion::Parameters parameters;
  parameters.control = PlanarMotion::Control::kCommand;
  LearnedDynamicsSpec spec;
  spec.motion = std::make_shared<PlanarMotion>(parameters);
  spec.state_dim = 5;
  spec.family = family;
  spec.seed = seed;
  return spec;
}

OnlineVariationalFilter filter_of(const LearnedDynamicsSpec& spec) {
  // The noise starts at three times the truth. What the model misses is a velocity that is off for
  // a while: noise of the velocities covers that, noise of the position alone would not.
  ProcessNoise noise;
  noise.deviations.resize(5);
  noise.deviations << 3.0 * kPositionNoise, 3.0 * kPositionNoise, 3.0 * kYawNoise, 0.1, 0.1;
  noise.learned_as = {"position", "position", "yaw", "velocity", "yaw_rate"};
  Gaussian prior = standard_gaussian(5, CovarianceForm::kFull);
  prior.factor.lower().diagonal() << 0.1, 0.1, 0.05, 0.1, 0.1;
  Sensor::Spec pose;
  pose.name = "pose";
  pose.mean = std::make_unique<DualMean<PlanarPoseSensor>>(5, 3, PlanarPoseSensor{spec.motion, {}});
  pose.noise.scales = Eigen::Vector3d(0.05, 0.05, 0.02);
  pose.angles = {false, false, true};
  std::vector<std::unique_ptr<Sensor>> sensors;
  sensors.push_back(std::make_unique<Sensor>(std::move(pose)));
  auto config = OnlineVariationalFilterConfig::fast();
  config.learning.rule = LearningRule::kSecondOrder;
  auto transition =
      std::make_unique<NonlinearTransition>(std::make_unique<LearnedDynamics>(spec), noise);
  return {StateSpaceModel(prior, std::move(transition),
                          std::make_unique<SensorSuite>(std::move(sensors))),
          config};
}

struct Rollouts {
  double error_ratio = 0.0;  // root mean square, over that of the motion alone
  double inside = 0.0;       // share of the true positions in the ellipses of 90 %
};

Rollouts learn_and_roll_out(ResidualFamily family, int learning_steps, std::uint64_t seed) {
  const LearnedDynamicsSpec spec = spec_of(family, seed);
  OnlineVariationalFilter filter = filter_of(spec);
  Robot robot(seed);
  std::vector<StepInput> inputs;
  std::vector<Eigen::Vector2d> truth;
  std::vector<Gaussian> beliefs;
  for (int t = 0; t < learning_steps + kTestSteps; ++t) {
    if (t == learning_steps) filter.learner().freeze();
    StepInput input;
    input.dt = kDt;
    input.control = robot.command();
    if (t > 0) robot.move();
    EXPECT_TRUE(filter.step(robot.measured_pose(), input).ok());
    inputs.push_back(input);
    truth.push_back(robot.position);
    beliefs.push_back(filter.belief());
  }

  LearnedDynamics learned(spec);
  const LearnedDynamics plain(spec);
  const int weights = learned.parameters().size();
  learned.set_parameters(filter.parameters().head(weights));
  const Eigen::MatrixXd covariance_w =
      filter.learner().covariance().topLeftCorner(weights, weights);
  double square = 0.0;
  double plain_square = 0.0;
  int inside = 0;
  int count = 0;
  for (int start = learning_steps; start + kHorizon < learning_steps + kTestSteps; start += 3) {
    Gaussian x = beliefs[static_cast<std::size_t>(start)];
    Eigen::MatrixXd covariance = x.covariance();
    Eigen::MatrixXd by_w = Eigen::MatrixXd::Zero(5, weights);
    Eigen::MatrixXd plain_x = x.mean;
    Eigen::MatrixXd step_by_w, slope, out;
    AffineGaussian line;
    for (int k = 1; k <= kHorizon; ++k) {
      const StepInput& input = inputs[static_cast<std::size_t>(start + k)];
      learned.parameter_expectation(input, x, step_by_w, slope);
      filter.model().transition().linearise(input, x, Linearisation::kTangent, line);
      by_w = line.matrix * by_w + step_by_w;
      covariance = line.matrix * covariance * line.matrix.transpose() + line.noise.covariance();
      x.mean = line.matrix * x.mean + line.offset;
      plain.values(input, plain_x, out);
      plain_x = out;
    }
    covariance += by_w * covariance_w * by_w.transpose();
    const Eigen::Vector2d& there = truth[static_cast<std::size_t>(start + kHorizon)];
    const Eigen::Vector2d error = there - x.mean.head<2>();
    const Eigen::Matrix2d spread = covariance.topLeftCorner<2, 2>();
    square += error.squaredNorm();
    plain_square += (there - plain_x.topRows<2>().col(0)).squaredNorm();
    inside += error.dot(spread.llt().solve(error)) < 4.605 ? 1 : 0;  // chi-square, 2 dimensions
    ++count;
  }
  return {std::sqrt(square / plain_square), static_cast<double>(inside) / count};
}

// The mean over three seeds: that of one seed varies by about 0.02 to 0.03.
double mean_inside(ResidualFamily family, int learning_steps, double largest_ratio) {
  double inside = 0.0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Rollouts rollouts = learn_and_roll_out(family, learning_steps, seed);
    EXPECT_LT(rollouts.error_ratio, largest_ratio);
    inside += rollouts.inside / 3.0;
  }
  return inside;
}

TEST(DynamicsLearningSlow, FeaturesPredictTheRobotAfterTwoMinutes) {
  const double inside = mean_inside(ResidualFamily::kFeatures, kTwoMinutes, 1.0 / 3.0);
  // Ellipses are wide at first: the noise is still on its way down, and half of the information
  // about the weights has faded.
  EXPECT_GT(inside, 0.85);
  EXPECT_LT(inside, 0.98);
}

TEST(DynamicsLearningSlow, EllipsesOfFeaturesHoldWhatTheySayAfterTenMinutes) {
  const double inside = mean_inside(ResidualFamily::kFeatures, 5 * kTwoMinutes, 0.2);
  EXPECT_GT(inside, 0.85);
  EXPECT_LT(inside, 0.95);
}

TEST(DynamicsLearningSlow, ANetworkHalvesTheErrorAfterTwoMinutes) {
  // It has to find its features first: it gets less far than given ones.
  EXPECT_GT(mean_inside(ResidualFamily::kNetwork, kTwoMinutes, 0.5), 0.75);
}

}  // namespace
}  // namespace ovf
