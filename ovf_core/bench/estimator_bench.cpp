// Messages of a simulated planar robot: odometry, ranges to beacons, a camera, GNSS.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <vector>

#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/localisation.hpp"

namespace {

ovf::EstimatorConfig robot(bool learning) {
  ovf::EstimatorConfig config;
  if (learning) {
    config.motion.scale.deviation = 0.05;
    config.motion.turn_scale.deviation = 0.05;
    config.motion.yaw_rate_bias.deviation = 0.01;
  } else {
    config.motion.noise.learn = false;
    config.filter.learning.rule = ovf::LearningRule::kNone;
  }
  config.sensors = {
      {.name = "uwb", .kind = ovf::SensorKind::kRange, .noise = {0.3}, .nu = 4.0},
      {.name = "camera", .kind = ovf::SensorKind::kRangeBearing, .noise = {0.1}, .nu = 4.0},
      {.name = "gnss", .kind = ovf::SensorKind::kPosition, .noise = {0.5}, .nu = 4.0}};
  for (auto& sensor : config.sensors) sensor.learn_noise = learning;
  return config;
}

/// Range 0: learning off or on. Range 1: history that can be gone back over, or none.
void messages(benchmark::State& state) {
  ovf::PlanarSimulatorConfig simulation;
  simulation.imu.timing.rate = 0.0;
  const ovf::RobotLog log = ovf::simulate(simulation, 300.0);
  ovf::EstimatorConfig config = robot(state.range(0) != 0);
  if (state.range(1) == 0) config.stream.late = ovf::LatePolicy::kDrop;
  ovf::take_landmarks(log, config);
  ovf::Estimator estimator(config);
  const ovf::Stamp length = ovf::stamp_of(log.messages.back()) + 1'000'000;
  std::vector<double> seconds;
  std::size_t next = 0;
  ovf::Stamp shift = 0;
  for (auto _ : state) {
    ovf::Message message = log.messages[next];
    std::visit([&](auto& m) { m.stamp += shift; }, message);
    seconds.push_back(estimator.process(message).seconds);
    if (++next == log.messages.size()) {
      next = 0;
      shift += length;
    }
  }
  std::sort(seconds.begin(), seconds.end());
  const auto at = [&](double share) {
    return 1e6 * seconds[static_cast<std::size_t>(share * static_cast<double>(seconds.size() - 1))];
  };
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["p50_us"] = at(0.5);
  state.counters["p99_us"] = at(0.99);
  state.counters["max_us"] = at(1.0);
  state.counters["MB"] = static_cast<double>(usage.ru_maxrss) / 1024.0;
}
BENCHMARK(messages)
    ->ArgNames({"learning", "history"})
    ->Args({0, 0})
    ->Args({1, 0})
    ->Args({1, 1})
    ->Iterations(30'000);
// Neither time nor memory grows.
BENCHMARK(messages)->ArgNames({"learning", "history"})->Args({1, 1})->Iterations(1'000'000);

}  // namespace
