#include "ovf/evaluation/calibration_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <stdexcept>

#include "evaluation/calibration_report.hpp"
#include "evaluation/parallel_for.hpp"
#include "ovf/evaluation/progress.hpp"

namespace ovf {
namespace {

// Once, below the last table: a terminal shows nothing but tables.
constexpr const char* kCaption =
    "50, 90, 95 %: share of true values inside the stated central interval. z: error in stated "
    "standard deviations. Ranks: where the truth is in the stated posterior, in ten bins. Not "
    "identified: runs whose data have not reduced the uncertainty; they are not in the coverage. "
    "Verdicts: by the binomial distribution over runs, at 0.2 % for each interval.";

struct CalibratedModel {
  std::string group;  ///< as in CalibrationOptions::only
  std::string id;
  std::string title;
  std::function<CalibrationRun(std::uint64_t seed)> run;
};

void check(const CalibrationOptions& options) {
  for (const std::string& name : options.only) {
    if (name == "linear" || name == "network" || name == "robot") continue;
    throw std::invalid_argument(
        fmt::format("calibration: unknown model '{}'; expected linear, network or robot", name));
  }
}

std::vector<CalibrationRun> run_seeds(const CalibratedModel& model,
                                      const CalibrationOptions& options, std::ostream& stream) {
  std::vector<CalibrationRun> runs(static_cast<std::size_t>(options.seeds));
  Progress progress("calibration, " + model.id, runs.size(), stream);
  parallel_for(options.seeds, options.threads, [&](int i) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(i);
    CalibrationRun& run = runs[static_cast<std::size_t>(i)];
    run = model.run(seed);
    run.seed = seed;
    progress.advance();
  });
  progress.finish();
  return runs;
}

}  // namespace

Report calibration_study(const CalibrationOptions& options, const EstimatorConfig& robot,
                         std::ostream& progress) {
  check(options);
  const CalibratedModel models[] = {
      {"linear", "linear", "Linear-Gaussian model, one state: F, U and V learned",
       [&](std::uint64_t seed) { return calibrate_linear(options, seed); }},
      {"linear", "full_linear", "Linear-Gaussian model, four states: F and V learned",
       [&](std::uint64_t seed) { return calibrate_full_linear(options, seed); }},
      {"network", "network", "Chaotic network, five states: noise, scale and nu learned",
       [&](std::uint64_t seed) { return calibrate_network(options, seed); }},
      {"robot", "robot", "Simulated robot that is as its model says",
       [&](std::uint64_t seed) { return calibrate_robot(options, robot, seed); }},
  };
  Report report;
  report.name = "calibration";
  report.title = "Do the stated intervals hold the truth?";
  report.summary = fmt::format(
      "Simulation-based calibration: {} runs of each model, with true parameters drawn from the "
      "prior of the learner and data drawn from the model itself. {} observations of the "
      "linear-Gaussian models and of the chaotic network, {:g} s of the robot. States are compared "
      "with the truth {} times along each run, parameters at its end.",
      options.seeds, options.steps, options.seconds, options.times);
  report.facts = {
      {"Seeds", fmt::format("{} to {}", options.seed,
                            options.seed + static_cast<std::uint64_t>(options.seeds) - 1)}};
  report.configuration = write_estimator_config(robot);
  for (const CalibratedModel& model : models) {
    const bool wanted = options.only.empty() || std::find(options.only.begin(), options.only.end(),
                                                          model.group) != options.only.end();
    if (wanted) add_calibration(model.id, model.title, run_seeds(model, options, progress), report);
  }
  std::string& caption = report.tables.back().caption;
  caption += caption.empty() ? kCaption : std::string(" ") + kCaption;
  return report;
}

}  // namespace ovf
