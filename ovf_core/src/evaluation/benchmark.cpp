#include "ovf/evaluation/benchmark.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "ovf/estimator/config_of_method.hpp"
#include "ovf/evaluation/estimator_run.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/evaluation/robot_log_kind.hpp"
#include "ovf/evaluation/run_evaluation.hpp"
#include "ovf/evaluation/run_input.hpp"
#include "ovf/evaluation/tune_noise.hpp"
#include "ovf/evaluation/worst_second.hpp"

namespace ovf {
namespace {

RunInput read_log_input(const BenchmarkEntry& entry, EstimatorConfig& config) {
  RobotLog log = read_robot_log(entry.kind, entry.log, entry.robot);
  take_landmarks(log, config);
  RunInput input{.truth = truth_of(log), .start = start_of(log, config)};
  input.messages = std::move(log.messages);
  if (input.truth.poses.empty()) throw std::invalid_argument("the log has no true poses");
  return input;
}

// The log brings landmarks along.
RunInput read_input(const BenchmarkEntry& entry, EstimatorConfig& config) {
  if (!entry.error.empty()) throw std::invalid_argument(entry.error);
  config = load_estimator_config(entry.configs);
  if (entry.planar == false && config.motion.kind == MotionKind::kPlanar) {
    throw std::invalid_argument("planar is false; expected true, as motion.kind is planar");
  }
  if (!entry.log.empty()) return read_log_input(entry, config);
  return read_recording_input(entry.recording, config,
                              {.ground_truth = entry.ground_truth,
                               .initial = entry.initial,
                               .time_offset = entry.time_offset});
}

long troubles(const Counters& counters) {
  long count = counters.of(Outcome::kNumericalFailure);
  for (const EventKind kind :
       {EventKind::kClockSetBack, EventKind::kSensorSilent, EventKind::kGateOverridden,
        EventKind::kCovarianceReplaced, EventKind::kCutShort, EventKind::kAbruptChange,
        EventKind::kParametersRestored, EventKind::kRestarted, EventKind::kSensorsContradict,
        EventKind::kClockOffset}) {
    count += counters.of(kind);
  }
  return count;
}

EstimatorConfig config_of(const std::string& method, const EstimatorConfig& config,
                          const RunInput& input) {
  if (method != kTunedMethod) return config_of_method(method, config);
  return tune_noise(config, input.messages,
                    [&](Estimator& estimator) {
                      if (input.start) start_at_pose(estimator, *input.start);
                    })
      .config;
}

void score_method(const BenchmarkEntry& entry, const RunInput& input, const EstimatorConfig& config,
                  BenchmarkScore& score) {
  EstimatorRun run =
      run_estimator(config_of(score.method, config, input), input.messages, {.start = input.start});
  if (run.record.poses.empty()) {
    throw std::invalid_argument(
        "the estimator never had a pose: see initial.rule, or set initial to truth or a topic");
  }
  if (entry.planar) run.record.planar = *entry.planar;
  const RunEvaluation evaluation =
      evaluate_run(std::move(run.record), input.truth,
                   {.alignment = entry.alignment, .time_offset = entry.time_offset});
  if (evaluation.match.pairs.empty()) {
    throw std::invalid_argument("no estimate has a true pose near it in time; see time_offset");
  }
  const Nees& nees = evaluation.nees.front();
  const ErrorSummary& turn =
      evaluation.record.planar ? evaluation.error.yaw : evaluation.error.rotation;
  score.position_rmse = evaluation.error.position.rmse;
  score.numbers = degrees_of_freedom(nees.kind);
  score.nees = nees.anees * score.numbers;
  score.coverage90 = nees.coverage90;
  score.worst_second = worst_second(evaluation.error.series);
  score.attitude_rmse = turn.rmse * 180.0 / M_PI;
  score.microseconds = evaluation.record.machine.mean;
  score.warnings =
      static_cast<long>(input.damage.size() + input.warnings.size() + run.findings.size()) +
      troubles(run.counters);
}

}  // namespace

void run_benchmark_entry(const BenchmarkEntry& entry, const std::vector<std::string>& methods,
                         const std::function<void(const BenchmarkScore&)>& done) {
  EstimatorConfig config;
  RunInput input;
  try {
    input = read_input(entry, config);
  } catch (const std::exception& error) {
    done({.entry = entry.name, .error = error.what()});
    return;
  }
  for (const std::string& method : methods) {
    BenchmarkScore score{.entry = entry.name, .method = method, .damage = input.damage};
    try {
      score_method(entry, input, config, score);
    } catch (const std::exception& error) {
      score.error = error.what();
    }
    done(score);
  }
}

}  // namespace ovf
