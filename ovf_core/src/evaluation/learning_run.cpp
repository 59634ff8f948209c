#include "evaluation/learning_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ostream>
#include <stdexcept>

#include "ovf/evaluation/progress.hpp"

namespace ovf {

std::vector<int> logging_times(int steps) {
  std::vector<int> times;
  for (int i = 12;; ++i) {
    const long t = std::lround(std::pow(10.0, i / 12.0));
    if (t >= steps) break;
    times.push_back(static_cast<int>(t));
  }
  for (int decade = 100; decade < steps; decade *= 10) {
    for (const int factor : {1, 2, 5}) {
      if (factor * decade < steps) times.push_back(factor * decade);
    }
  }
  times.push_back(steps);
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

LearningRun run_learning(const std::string& name, Filter& filter,
                         const std::function<Eigen::VectorXd()>& deviations,
                         const Eigen::MatrixXd& observations, int steps, std::ostream& stream) {
  using Clock = std::chrono::steady_clock;
  LearningRun run{.name = name};
  steps = std::min(steps, static_cast<int>(observations.cols()));
  const auto times = logging_times(steps);
  auto next = times.begin();
  Progress progress(name, static_cast<std::size_t>(steps), stream);
  Eigen::VectorXd y(observations.rows());
  const StepInput input;
  Clock::duration spent{};
  for (int t = 1; t <= steps; ++t) {
    y = observations.col(t - 1);
    const auto start = Clock::now();
    const StepResult& result = filter.step(y, input);
    spent += Clock::now() - start;
    if (result.status != StepStatus::kOk) {
      throw std::runtime_error(fmt::format("{}: observation {}: {}", name, t, result.reason));
    }
    if (t == *next) {
      run.times.push_back(t);
      run.parameters.push_back(filter.parameters());
      if (deviations) run.deviations.push_back(deviations());
      ++next;
    }
    progress.advance();
  }
  progress.finish();
  run.seconds_per_step = std::chrono::duration<double>(spent).count() / steps;
  return run;
}

}  // namespace ovf
