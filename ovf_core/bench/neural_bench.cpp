// Steps with the paper's neural transition (32 states, 8452 parameters), all states observed, and
// the parts of such a step.
#include <memory>

#include "feed.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/math/adam.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/neural_transition.hpp"
#include "ovf/model/nonlinear_observation.hpp"

namespace ovf {
namespace {

constexpr int kDim = 32;
constexpr int kObservations = 256;

StateSpaceModel model_of(const NeuralTransitionSpec& spec) {
  ObservationNoise::Spec noise;
  noise.scales = Eigen::VectorXd::Constant(kDim, 0.3);
  return {standard_gaussian(kDim, CovarianceForm::kFull), make_neural_transition(spec),
          std::make_unique<NonlinearObservation>(
              std::make_unique<LinearMean>(LinearMean::identity(kDim)), ObservationNoise(noise))};
}

Eigen::MatrixXd normal_matrix(int rows, int cols) {
  Eigen::MatrixXd values(rows, cols);
  RandomStream(1).fill_normal(values);
  return values;
}

void step(benchmark::State& state, const OnlineVariationalFilterConfig& config) {
  NeuralTransitionSpec spec;
  spec.seed = 2;
  RandomStream random(3);
  const auto data = simulate(model_of(spec), kObservations, random);
  spec.seed = 4;
  OnlineVariationalFilter filter(model_of(spec), config);
  feed(state, filter, data.observations);
}

// Lines or squares for S; 2: S left out, as in AELBO-2; 3: nothing is learned.
void neural_step(benchmark::State& state, int parts) {
  auto config = OnlineVariationalFilterConfig::neural();
  config.score_squares = parts == 1;
  if (parts == 2) config.objective = Objective::kAelbo2;
  if (parts == 3) config.learning.rule = LearningRule::kNone;
  step(state, config);
}
BENCHMARK_CAPTURE(neural_step, lines, 0)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(neural_step, squares, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(neural_step, aelbo_2, 2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(neural_step, filter_only, 3)->Unit(benchmark::kMillisecond);

// The paper's network for S, by as many of its 128 training steps.
void neural_step_paper_score(benchmark::State& state) {
  auto config = OnlineVariationalFilterConfig::neural();
  config.score = RecursionMethod::kRegression;
  auto& regression = config.score_regression;
  regression.points = 1024;
  regression.tune_steps = 0;
  regression.regressor.kind = RegressorKind::kDirectionMlp;
  regression.regressor.mlp.hidden_layers = {256, 1024};
  regression.regressor.mlp.iterations = static_cast<int>(state.range(0));
  step(state, config);
}
BENCHMARK(neural_step_paper_score)->Arg(1)->Arg(128)->Iterations(2)->Unit(benchmark::kSecond);

void neural_expectation(benchmark::State& state) {
  const NeuralMean network({});
  const Gaussian x = standard_gaussian(kDim, CovarianceForm::kFull);
  Eigen::VectorXd value;
  Eigen::MatrixXd slope;
  for (auto _ : state) {
    network.expectation({}, x, value, slope);
    benchmark::DoNotOptimize(slope.data());
  }
}
BENCHMARK(neural_expectation)->Unit(benchmark::kMicrosecond);

// 64 points, the gradients summed over groups of range(0).
void neural_gradients(benchmark::State& state) {
  const NeuralMean network({});
  const Eigen::MatrixXd x = normal_matrix(kDim, 64);
  Eigen::MatrixXd out(network.parameters().size(), 64 / state.range(0));
  for (auto _ : state) {
    network.grouped_parameter_pull_back({}, x, x, out);
    benchmark::DoNotOptimize(out.data());
  }
}
BENCHMARK(neural_gradients)->Arg(1)->Arg(2)->Arg(64)->Unit(benchmark::kMicrosecond);

void neural_score_carried_over(benchmark::State& state) {
  const Eigen::MatrixXd score = normal_matrix(8452, kDim), by_z = normal_matrix(kDim, kDim);
  Eigen::MatrixXd next = score;
  for (auto _ : state) {
    next.noalias() += score * by_z;
    benchmark::DoNotOptimize(next.data());
  }
}
BENCHMARK(neural_score_carried_over)->Unit(benchmark::kMicrosecond);

void neural_adam(benchmark::State& state) {
  Adam adam(8452);
  const Eigen::VectorXd gradient = normal_matrix(8452, 1);
  Eigen::VectorXd theta = gradient;
  for (auto _ : state) adam.step(gradient, 1e-3, theta);
}
BENCHMARK(neural_adam)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ovf
