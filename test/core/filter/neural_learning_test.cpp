// Networks learn online, from noisy observations alone, how a state moves.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

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

OnlineVariationalFilterConfig adam() {
  auto config = OnlineVariationalFilterConfig::neural();
  config.learning.schedule.rate = 3e-3;
  return config;
}

TEST(NeuralLearning, MakesThePredictionOfTheNextStepFiveTimesBetter) {
  auto filter = make_filter(adam());
  const double before = prediction_error(filter);
  EXPECT_GT(before, 0.25);
  EXPECT_LT(error_after(filter, 8000), before / 5.0);
}

TEST(NeuralLearning, NeedsFewerStepsOfSecondOrderInASmallNetwork) {
  auto config = OnlineVariationalFilterConfig::neural();
  config.learning.rule = LearningRule::kSecondOrder;
  auto filter = make_filter(config);
  const double before = prediction_error(filter);
  EXPECT_LT(error_after(filter, 3000), before / 6.0);
}

// Of the same motion without controls only the first state is seen: what the other does shows steps
// later, and only S carries it there.
double innovation_after_learning(const OnlineVariationalFilterConfig& config, std::uint64_t seed) {
  NeuralTransitionSpec spec;
  spec.state_dim = 2;
  spec.hidden = 16;
  spec.blocks = 2;
  spec.seed = seed;
  spec.noise_variance = kProcessNoise * kProcessNoise;
  LinearMean::Spec first_state;
  first_state.A = Eigen::RowVector2d(1.0, 0.0);
  ObservationNoise::Spec noise;
  noise.scales = Eigen::VectorXd::Constant(1, kObservationNoise);
  OnlineVariationalFilter filter(
      StateSpaceModel(standard_gaussian(2, CovarianceForm::kFull), make_neural_transition(spec),
                      std::make_unique<NonlinearObservation>(
                          std::make_unique<LinearMean>(first_state), ObservationNoise(noise))),
      config);
  World world(seed + 10);
  double sum = 0.0;
  constexpr int kSteps = 5000, kJudged = 2000;
  for (int t = 0; t < kSteps; ++t) {
    world.move(0.0);
    const StepResult& result = filter.step(world.observe().head(1));
    EXPECT_TRUE(result.ok());
    if (t >= kSteps - kJudged) sum += result.innovation.squaredNorm();
  }
  return std::sqrt(sum / kJudged);
}

TEST(NeuralLearning, FindsAStateThatIsNotSeenThroughSAlone) {
  auto without = adam();
  without.objective = Objective::kAelbo2;
  double with_S = 0.0, without_S = 0.0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const double innovation = innovation_after_learning(adam(), seed);
    // Noise of a step and of an observation: 0.14 if the state before were known.
    EXPECT_LT(innovation, 0.22);
    with_S += innovation / 4.0;
    without_S += innovation_after_learning(without, seed) / 4.0;
  }
  EXPECT_LT(with_S, 0.6 * without_S);
}

}  // namespace
}  // namespace ovf
