#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "evaluation/chaotic_rnn_settings.hpp"
#include "evaluation/tracking_run.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"
#include "ovf/filter/filter_schema.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 113;

Series online_series(const std::string& name, const TrackingRun& run) {
  Series series{.name = name, .y = run.online};
  for (std::size_t t = 1; t <= run.online.size(); ++t) {
    series.x.push_back(static_cast<double>(t));
  }
  return series;
}

}  // namespace

Report chaotic_rnn_elbo(const ChaoticRnnElboOptions& options, std::ostream& stream) {
  const auto problem = options.data.empty()
                           ? random_chaotic_rnn_problem(options.dim, options.steps, options.seed)
                           : load_chaotic_rnn_problem(options.data, options.steps);
  const auto model = make_chaotic_rnn(problem.spec);
  const auto steps = static_cast<std::size_t>(problem.steps());
  Report report;
  report.name = "crnn-elbo";
  report.title = "Online estimates of the ELBO and the true ELBO (Figure 2a)";
  Chart chart{.id = "elbo",
              .title = "ELBO over time",
              .x_label = "time step",
              .y_label = "nats",
              .caption =
                  "Lines: as estimated online. Points: the true ELBO of the same posterior. "
                  "No ELBO is above the log evidence."};
  Chart bias{.id = "bias",
             .title = "Online estimate minus true ELBO",
             .x_label = "time step",
             .y_label = "nats",
             .caption =
                 "How far the number that a filter can give while it runs is from the bound "
                 "that its posterior has."};
  Table table{.title = fmt::format("After {} steps, nats", steps),
              .header = {"method", "online estimate", "true ELBO", "standard error",
                         "online minus true", "log evidence minus true"}};

  Progress particle_progress("particle filter", steps, stream);
  const auto particles =
      track_particles(problem, options.particles, options.seed, particle_progress);
  particle_progress.finish();
  require_complete(particles, "particle filter");
  const double evidence = particles.online.back();
  chart.series.push_back(online_series("log evidence (particle filter)", particles));
  report.values["log_evidence"] = evidence;

  const int interval = std::max(1, problem.steps() / 10);
  for (auto& setting : chaotic_rnn_settings(problem.dim(), options.published)) {
    setting.config.seed = options.seed;
    report.configuration += write_filter_config(setting.config, setting.node);
    Progress progress(setting.name, steps, stream);
    RandomStream random(options.seed, kStream);
    Series truth{.name = setting.name + ", true", .style = "points"};
    PosteriorChain::Bound bound;
    const auto run = track_variational(problem, setting.config, options.draws, progress,
                                       [&](int t, const TrackingRun& so_far) {
                                         if ((t + 1) % interval != 0 && t + 1 != problem.steps())
                                           return;
                                         bound = so_far.chain.bound(model, options.draws, random);
                                         truth.x.push_back(t + 1);
                                         truth.y.push_back(bound.elbo);
                                       });
    progress.finish();
    require_complete(run, setting.name);
    const double online = run.online.back();
    chart.series.push_back(online_series(setting.name + ", online", run));
    chart.series.push_back(truth);
    Series difference{.name = setting.name, .x = truth.x};
    for (std::size_t i = 0; i < truth.x.size(); ++i) {
      difference.y.push_back(run.online[static_cast<std::size_t>(truth.x[i]) - 1] - truth.y[i]);
    }
    bias.series.push_back(difference);
    table.rows.push_back(
        {setting.name, fmt::format("{:.2f}", online), fmt::format("{:.2f}", bound.elbo),
         fmt::format("{:.2f}", bound.standard_error), fmt::format("{:+.2f}", online - bound.elbo),
         fmt::format("{:.2f}", evidence - bound.elbo)});
    report.values[setting.name + " online"] = online;
    report.values[setting.name + " elbo"] = bound.elbo;
  }
  report.tables = {table};
  report.charts = {chart, bias};
  report.summary = fmt::format(
      "d = {}, {} steps, known parameters. The online estimate is the RELBO of the settings that "
      "maximise the ELBO, and the objective itself of AELBO-1 and AELBO-2. The true ELBO takes {} "
      "draws of the whole x_1 ... x_t; the log evidence is that of {} particles. {}",
      problem.dim(), steps, options.draws, options.particles,
      sampled_settings_text(options.published));
  report.facts = {{"Seed", fmt::format("{}", options.seed)},
                  {"Data", options.data.empty() ? "drawn" : options.data}};
  return report;
}

}  // namespace ovf
