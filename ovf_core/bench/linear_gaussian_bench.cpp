// Steps on the linear-Gaussian model. Read ratios, not absolute times: `make bench`.
#include <benchmark/benchmark.h>

#include <fstream>
#include <string>

#include "feed.hpp"
#include "ovf/evaluation/linear_gaussian_problem.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/filter/recursive_maximum_likelihood.hpp"

namespace ovf {
namespace {

constexpr int kObservations = 4096;

LinearGaussianProblem problem(int dim) {
  auto result = random_learning_problem(dim, kObservations, 1);
  result.start.learn_F = result.start.learn_G = Learned::kDiagonal;
  return result;
}

// Resident memory in KiB.
double resident() {
  std::ifstream file("/proc/self/status");
  std::string word;
  double value = 0.0;
  while (file >> word) {
    if (word == "VmRSS:") file >> value;
  }
  return value;
}

// One step at d = range(0), learning by the rule.
void fast_step(benchmark::State& state, LearningRule rule) {
  const auto data = problem(static_cast<int>(state.range(0)));
  auto config = OnlineVariationalFilterConfig::fast();
  config.learning.rule = rule;
  OnlineVariationalFilter filter(make_linear_gaussian(data.start), config);
  feed(state, filter, data.observations);
}
BENCHMARK_CAPTURE(fast_step, without_learning, LearningRule::kNone)->Arg(5)->Arg(10)->Arg(20);
BENCHMARK_CAPTURE(fast_step, gradient, LearningRule::kGradient)->Arg(5)->Arg(10)->Arg(20);
BENCHMARK_CAPTURE(fast_step, second_order, LearningRule::kSecondOrder)->Arg(5)->Arg(10)->Arg(20);

// Steps around t = range(0), side by side: neither time nor memory may grow. One filter walks on
// from the first to the second.
void fast_step_at(benchmark::State& state) {
  static const auto data = problem(10);
  static OnlineVariationalFilter filter(make_linear_gaussian(data.start),
                                        OnlineVariationalFilterConfig::fast());
  static long done = 0;
  Eigen::VectorXd y(10);
  const StepInput input;
  while (done < state.range(0)) {
    y = data.observations.col(done++ % kObservations);
    filter.step(y, input);
  }
  feed(state, filter, data.observations);
  state.counters["resident_KiB"] = resident();
}
BENCHMARK(fast_step_at)->Arg(1000)->Arg(1000000)->Iterations(2000);

void paper_step(benchmark::State& state, Objective objective) {
  const auto data = problem(10);
  auto config = OnlineVariationalFilterConfig::paper();
  config.objective = objective;
  OnlineVariationalFilter filter(make_linear_gaussian(data.start), config);
  feed(state, filter, data.observations);
}
BENCHMARK_CAPTURE(paper_step, elbo, Objective::kElbo)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_step, aelbo_2, Objective::kAelbo2)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(paper_step, aelbo_1, Objective::kAelbo1)->Unit(benchmark::kMillisecond);

void kalman_step(benchmark::State& state) {
  const auto data = problem(10);
  KalmanFilter filter(make_linear_gaussian(data.start));
  feed(state, filter, data.observations);
}
BENCHMARK(kalman_step);

void rmle_step(benchmark::State& state) {
  const auto data = problem(10);
  LearningConfig config;
  config.rule = LearningRule::kGradient;
  RecursiveMaximumLikelihood filter(make_linear_gaussian(data.start), config);
  feed(state, filter, data.observations);
}
BENCHMARK(rmle_step);

}  // namespace
}  // namespace ovf
