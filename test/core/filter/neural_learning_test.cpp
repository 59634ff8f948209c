// A network learns online, from noisy observations alone, how a state moves.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "filter/neural_problem.hpp"
#include "ovf/filter/online_variational_filter.hpp"

namespace ovf {
namespace {

constexpr double kProcessNoise = 0.1;
constexpr double kObservationNoise = 0.1;

// Turns, and is pulled towards a circle of radius one; a control pushes it.
Eigen::Vector2d true_step(const Eigen::Vector2d& x, double control) {
  const double radius = std::max(x.norm(), 1e-6);
  const Eigen::Vector2d pulled = x * (1.0 + 0.5 * (1.0 - radius) / radius);
  return Eigen::Rotation2Dd(0.4) * pulled + Eigen::Vector2d(0.3 * control, 0.0);
}

OnlineVariationalFilter make_filter(OnlineVariationalFilterConfig config) {
  NeuralTransitionSpec spec;
  spec.state_dim = 2;
  spec.control_dim = 1;
  spec.hidden = 16;
  spec.blocks = 2;
  spec.noise_variance = kProcessNoise * kProcessNoise;
  config.learning.schedule = {.rate = 0.01, .scale = 100.0, .power = 0.6};
  return {test::observed_neural_model(spec, kObservationNoise), config};
}

class World {
 public:
  explicit World(std::uint64_t seed) : random_(seed, 80) {}

  void move(double control) {
    x = true_step(x, control) + kProcessNoise * Eigen::Vector2d(random_.normal(), random_.normal());
  }
  Eigen::VectorXd observe() {
    return x + kObservationNoise * Eigen::Vector2d(random_.normal(), random_.normal());
  }
  double control() { return 2.0 * random_.uniform() - 1.0; }

  Eigen::Vector2d x = Eigen::Vector2d(1.0, 0.0);

 private:
  RandomStream random_;
};

// Root mean square of the mean's error, one step ahead, where the state goes.
double prediction_error(const OnlineVariationalFilter& filter) {
  World world(2);
  const auto& transition = dynamic_cast<const NonlinearTransition&>(filter.model().transition());
  double sum = 0.0;
  constexpr int kSteps = 2000;
  Eigen::MatrixXd predicted;
  StepInput input;
  for (int t = 0; t < kSteps; ++t) {
    const double control = world.control();
    input.control.setConstant(1, control);
    transition.mean().values(input, world.x, predicted);
    sum += (predicted - true_step(world.x, control)).squaredNorm();
    world.move(control);
  }
  return std::sqrt(sum / (2.0 * kSteps));
}

double error_after(OnlineVariationalFilter& filter, int steps) {
  World world(1);
  StepInput input;
  for (int t = 0; t < steps; ++t) {
    input.control.setConstant(1, world.control());
    world.move(input.control[0]);
    EXPECT_TRUE(filter.step(world.observe(), input).ok());
  }
  return prediction_error(filter);
}

TEST(NeuralLearning, MakesThePredictionOfTheNextStepEightTimesBetter) {
  auto filter = make_filter(OnlineVariationalFilterConfig::neural());
  const double before = prediction_error(filter);
  const double after = error_after(filter, 8000);
  RecordProperty("before", std::to_string(before));
  RecordProperty("after", std::to_string(after));
  EXPECT_GT(before, 0.3);
  EXPECT_LT(after, before / 8.0);
}

}  // namespace
}  // namespace ovf
