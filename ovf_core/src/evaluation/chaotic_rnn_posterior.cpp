#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <utility>

#include "evaluation/chaotic_rnn_settings.hpp"
#include "evaluation/run_statistics.hpp"
#include "evaluation/tracking_run.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"
#include "ovf/filter/bootstrap_particle_filter.hpp"
#include "ovf/filter/filter_schema.hpp"

namespace ovf {
namespace {

// For means of posteriors that are not Gaussian: their noise stays below the errors measured.
constexpr int kDraws = 10000;

using Track = std::function<TrackingRun(std::uint64_t seed, Progress& progress)>;

struct Reference {
  TrackingRun run;
  double smallest_sample_size = 0.0;
};

Reference reference_posterior(const ChaoticRnnProblem& problem,
                              const ChaoticRnnPosteriorOptions& options, std::ostream& stream) {
  BootstrapParticleFilter filter(make_chaotic_rnn(problem.spec),
                                 {.particles = options.particles, .seed = options.seed});
  Progress progress(fmt::format("{} particles", options.particles),
                    static_cast<std::size_t>(problem.steps()), stream);
  Reference reference;
  reference.smallest_sample_size = options.particles;
  Eigen::MatrixXd smoothed(problem.dim(), problem.steps() - 1);
  reference.run = track(filter, problem, progress, [&](int t, TrackingRun&) {
    if (t > 0) smoothed.col(t - 1) = filter.smoothed_previous();
    reference.smallest_sample_size =
        std::min(reference.smallest_sample_size, filter.effective_sample_size());
  });
  reference.run.smoothed = smoothed;
  progress.finish();
  require_complete(reference.run, "particle filter");
  return reference;
}

}  // namespace

Report chaotic_rnn_posterior(const ChaoticRnnPosteriorOptions& options, std::ostream& stream) {
  const auto problem = options.data.empty()
                           ? random_chaotic_rnn_problem(options.dim, options.steps, options.seed)
                           : load_chaotic_rnn_problem(options.data, options.steps);
  Report report;
  report.name = "crnn-posterior";
  report.title = "Posterior means of the chaotic recurrent network (Table 2)";
  const auto reference = reference_posterior(problem, options, stream);

  std::vector<std::pair<std::string, Track>> methods;
  for (auto& setting : chaotic_rnn_settings(problem.dim(), options.published)) {
    report.configuration += write_filter_config(setting.config, setting.node);
    methods.emplace_back(setting.name, [&problem, config = setting.config](
                                           std::uint64_t seed, Progress& progress) mutable {
      config.seed = seed;
      return track_variational(problem, config, kDraws, progress);
    });
  }
  methods.emplace_back("EKF", [&](std::uint64_t, Progress& progress) {
    return track_kalman(problem, Linearisation::kTangent, progress);
  });
  methods.emplace_back("UKF", [&](std::uint64_t, Progress& progress) {
    return track_kalman(problem, Linearisation::kMoments, progress);
  });
  methods.emplace_back("EnKF", [&](std::uint64_t seed, Progress& progress) {
    return track_ensemble(problem, options.members, seed, progress);
  });

  Table table{.title = "Distance of posterior means to those of the particle filter",
              .caption =
                  "Root mean square over dimensions, averaged over time without the first "
                  "tenth; mean ± standard deviation over runs.",
              .header = {"method", "E[x_t | y^t]", "E[x_(t-1) | y^t]"}};
  Chart chart{.id = "error",
              .title = "Distance of the filter mean to the particle filter's",
              .x_label = "time step",
              .y_label = "root mean square over dimensions",
              .caption = "First run of each method.",
              .log_y = true};
  for (const auto& [name, run_method] : methods) {
    Progress progress(
        name, static_cast<std::size_t>(options.runs) * static_cast<std::size_t>(problem.steps()),
        stream);
    std::vector<double> filtered;
    std::vector<double> smoothed;
    for (int r = 0; r < options.runs; ++r) {
      const auto run = run_method(options.seed + static_cast<std::uint64_t>(r), progress);
      require_complete(run, name);
      filtered.push_back(tracking_rmse(run.filtered, reference.run.filtered));
      if (run.smoothed.size() > 0) {
        smoothed.push_back(tracking_rmse(run.smoothed, reference.run.smoothed));
      }
      if (r > 0) continue;
      Series series{.name = name};
      for (int t = 0; t < problem.steps(); ++t) {
        series.x.push_back(t + 1);
        series.y.push_back((run.filtered - reference.run.filtered).col(t).norm() /
                           std::sqrt(static_cast<double>(problem.dim())));
      }
      chart.series.push_back(series);
    }
    progress.finish();
    const auto filter_error = run_statistics(filtered);
    const auto smoothing_error = run_statistics(smoothed);
    table.rows.push_back(
        {name, statistics_text(filter_error, 4), statistics_text(smoothing_error, 4)});
    report.values[name + " filter_rmse"] = filter_error.mean;
    if (smoothing_error.count > 0) report.values[name + " smoothing_rmse"] = smoothing_error.mean;
  }
  report.values["smallest_effective_sample_size"] = reference.smallest_sample_size;
  report.values["log_evidence"] = reference.run.online.back();
  report.tables = {table};
  report.charts = {chart};
  report.summary = fmt::format(
      "d = {}, {} steps, known parameters, {} runs of each algorithm on the same data. The "
      "reference "
      "is a bootstrap particle filter with {} particles; its effective sample size never fell "
      "below "
      "{:.0f}. {}",
      problem.dim(), problem.steps(), options.runs, options.particles,
      reference.smallest_sample_size, sampled_settings_text(options.published));
  report.facts = {{"Seed", fmt::format("{}", options.seed)},
                  {"Data", options.data.empty() ? "drawn" : options.data}};
  return report;
}

}  // namespace ovf
