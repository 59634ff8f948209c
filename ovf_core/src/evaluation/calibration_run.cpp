#include "evaluation/calibration_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "ovf/filter/online_variational_filter.hpp"

namespace ovf {
namespace {

bool is_positive(const ParameterInfo& info) {
  return info.transform == Transform::kPositive ||
         (info.transform == Transform::kBounded && info.lower >= 0.0);
}

void add_states(const Gaussian& belief, const Eigen::VectorXd& truth, CalibrationRun& run) {
  const Eigen::VectorXd deviations = belief.factor.standard_deviations();
  for (Eigen::Index i = 0; i < truth.size(); ++i) {
    run.samples.push_back({.quantity = fmt::format("x[{}]", i),
                           .truth = truth[i],
                           .value = belief.mean[i],
                           .deviation = deviations[i]});
  }
}

void add_parameters(const OnlineVariationalFilter& filter, const ParameterVector& truth,
                    CalibrationRun& run) {
  const ParameterVector& theta = filter.model().parameters();
  const Eigen::VectorXd known = filter.learner().standard_deviations();
  const std::vector<ParameterStatus> statuses = filter.learner().statuses();
  for (int j = 0; j < theta.size(); ++j) {
    run.samples.push_back(
        {.quantity = theta.info(j).name,
         .truth = truth.values()[j],
         .value = filter.parameters()[j],
         .deviation = known[j],
         .positive = is_positive(theta.info(j)),
         .parameter = true,
         .identified = statuses[static_cast<std::size_t>(j)] == ParameterStatus::kIdentified});
  }
}

}  // namespace

Eigen::VectorXd draw_from_prior(const ParameterVector& start, const LearningConfig& config,
                                RandomStream& random) {
  Eigen::VectorXd numbers = start.unconstrained();
  for (int j = 0; j < start.size(); ++j) {
    const double own = start.info(j).prior_deviation;
    numbers[j] += (own > 0.0 ? own : config.prior_deviation) * random.normal();
  }
  Eigen::VectorXd values(start.size());
  start.to_natural(numbers, values);
  return values;
}

CalibrationRun run_calibration(const StateSpaceModel& truth, StateSpaceModel start,
                               const OnlineVariationalFilterConfig& config, int steps, int times,
                               RandomStream& random) {
  const SimulatedSequence sequence = simulate(truth, steps, random);
  OnlineVariationalFilter filter(std::move(start), config);
  CalibrationRun run;
  int compared = 0;
  for (int t = 1; t <= steps; ++t) {
    const StepResult& result = filter.step(sequence.observations.col(t - 1));
    if (!result.ok()) {
      return {.failure = fmt::format("observation {}: {}", t, result.reason)};
    }
    if (static_cast<long>(t) * times < static_cast<long>(compared + 1) * steps) continue;
    ++compared;
    add_states(filter.belief(), sequence.states.col(t - 1), run);
  }
  add_parameters(filter, truth.parameters(), run);
  return run;
}

}  // namespace ovf
