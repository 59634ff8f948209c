#include "ovf/evaluation/rollout_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "evaluation/truth_reader.hpp"
#include "ovf/estimator/config_of_method.hpp"
#include "ovf/estimator/estimator.hpp"
#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/localisation.hpp"
#include "ovf/evaluation/progress.hpp"
#include "ovf/evaluation/run_input.hpp"
#include "ovf/math/chi_square.hpp"

namespace ovf {
namespace {

constexpr double kStep = 0.1;
constexpr double kInterval = 0.5;

Stamp later(Stamp stamp, double seconds) {
  return stamp + static_cast<Stamp>(std::llround(seconds / kSecondsPerNanosecond));
}

// The commands of a log as steps of a plan.
class Commands {
 public:
  explicit Commands(const RobotLog& log) {
    for (const Message& message : log.messages) {
      if (const auto* control = std::get_if<Control>(&message)) commands_.push_back(control);
    }
  }

  std::vector<Eigen::VectorXd> plan(Stamp from, int steps) const {
    std::vector<Eigen::VectorXd> plan;
    for (int k = 0; k < steps; ++k) {
      // In force in the middle of the step.
      const Stamp when = later(from, (k + 0.5) * kStep);
      const auto next = std::upper_bound(
          commands_.begin(), commands_.end(), when,
          [](Stamp stamp, const Control* control) { return stamp < control->stamp; });
      if (next == commands_.begin()) return {};
      plan.push_back((*std::prev(next))->u);
    }
    return plan;
  }

 private:
  std::vector<const Control*> commands_;
};

}  // namespace

RolloutScore score_rollouts(const RobotLog& log, const EstimatorConfig& config, bool learning,
                            double after, double horizon) {
  EstimatorConfig known = config_of_method(learning ? "ovf" : "no-learn", config);
  take_landmarks(log, known);
  Estimator estimator(known);
  if (const auto start = start_of(log, known)) start_at_pose(estimator, *start);
  const Commands commands(log);
  const int steps = static_cast<int>(std::lround(horizon / kStep));
  const double limit = chi_square_quantile(0.9, 2.0);
  const Stamp first = stamp_of(log.messages.front());
  double next = after;
  RolloutScore score;
  TruthReader truth(log.truth);
  for (const Message& message : log.messages) {
    estimator.process(message);
    const Stamp now = stamp_of(message);
    if (!estimator.initialised() || seconds_between(first, now) < next) continue;
    next += kInterval;
    const auto there = truth.at(later(now, horizon));
    const auto plan = commands.plan(now, steps);
    if (!there || plan.empty()) continue;
    const Rollout rollout = estimator.rollout(
        {.horizon = horizon, .step = kStep, .plan = ControlPlan::kGiven, .controls = plan});
    const Eigen::Vector2d error =
        rollout.means.col(steps - 1).head<2>() - Eigen::Vector2d(there->x, there->y);
    const Eigen::Matrix2d covariance = rollout.covariances.back().topLeftCorner<2, 2>();
    score.rmse += error.squaredNorm();
    score.coverage90 += error.dot(covariance.inverse() * error) <= limit ? 1.0 : 0.0;
    ++score.count;
  }
  if (score.count > 0) {
    score.rmse = std::sqrt(score.rmse / static_cast<double>(score.count));
    score.coverage90 /= static_cast<double>(score.count);
  }
  return score;
}

Report rollout_study(const PlanarSimulatorConfig& simulator, const EstimatorConfig& config,
                     const RolloutStudyOptions& options, std::ostream& stream) {
  Report report;
  report.name = "rollouts";
  report.title = "Rollouts of dynamics that were learned online";
  report.summary = fmt::format(
      "A simulated robot answers to its commands in a way that its model does not know. After "
      "{:g} s of learning the estimator predicts {:g} s ahead, twice a second for {:g} s, given "
      "the "
      "commands to come. Without learning the same motion is used as configured.",
      options.learning_seconds, options.horizon, options.test_seconds);
  report.configuration = write_estimator_config(config) + write_simulator_config(simulator);
  Table table{.title = fmt::format("Position after {:g} s", options.horizon),
              .caption = "Coverage: true positions inside the 90 % ellipse of the rollout.",
              .header = {"seed", "rollouts", "RMSE learned, m", "RMSE un-learned, m", "ratio",
                         "coverage learned, %", "coverage un-learned, %"}};
  Progress progress("rollouts", 2 * static_cast<std::size_t>(options.runs), stream);
  double ratio = 0.0;
  double coverage = 0.0;
  EstimatorConfig plain = config;
  plain.motion.residual = ResidualKind::kNone;
  for (int run = 0; run < options.runs; ++run) {
    PlanarSimulatorConfig drawn = simulator;
    drawn.seed = options.seed + static_cast<std::uint64_t>(run);
    const RobotLog log = simulate(drawn, options.learning_seconds + options.test_seconds);
    const auto learned =
        score_rollouts(log, config, true, options.learning_seconds, options.horizon);
    progress.advance();
    const auto unlearned =
        score_rollouts(log, plain, false, options.learning_seconds, options.horizon);
    progress.advance();
    table.rows.push_back({fmt::format("{}", drawn.seed), fmt::format("{}", learned.count),
                          fmt::format("{:.3f}", learned.rmse),
                          fmt::format("{:.3f}", unlearned.rmse),
                          fmt::format("{:.3f}", learned.rmse / unlearned.rmse),
                          fmt::format("{:.1f}", 100.0 * learned.coverage90),
                          fmt::format("{:.1f}", 100.0 * unlearned.coverage90)});
    ratio += learned.rmse / unlearned.rmse / options.runs;
    coverage += learned.coverage90 / options.runs;
  }
  progress.finish();
  report.values = {{"ratio", ratio}, {"coverage90", coverage}};
  report.tables.push_back(table);
  return report;
}

}  // namespace ovf
