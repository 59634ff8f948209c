#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <ostream>
#include <stdexcept>

#include "evaluation/chaotic_rnn_settings.hpp"
#include "evaluation/run_statistics.hpp"
#include "evaluation/tracking_run.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"
#include "ovf/filter/filter_schema.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 112;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

enum Quantity {
  kFilterRmse,
  kSmoothingRmse,
  kElbo,
  kGain,
  kWeighted,
  kSampleSize,
  kOnline,
  kSeconds,
  kQuantities
};
constexpr std::array<const char*, kQuantities> kKeys = {
    "filter_rmse", "smoothing_rmse",        "elbo",   "elbo_over_aelbo2",
    "iw_bound",    "effective_sample_size", "online", "seconds_per_step"};
// As the tables show them: seconds become milliseconds.
constexpr std::array<int, kQuantities> kDecimals = {4, 4, 2, 2, 2, 0, 2, 3};

struct Method {
  std::string name;
  std::function<TrackingRun(const ChaoticRnnProblem&, std::uint64_t seed, Progress&)> run;
  std::array<std::vector<double>, kQuantities> measured{};  // over runs
  std::string failure{};                                    // the last one
};

class Comparison {
 public:
  Comparison(const ChaoticRnnComparisonOptions& options, std::ostream& progress)
      : options_(options), progress_(progress) {
    if (options.runs < 1) {
      throw std::invalid_argument(fmt::format("runs is {}; expected at least 1", options.runs));
    }
  }

  Report run();

 private:
  std::vector<Method> methods(int dim);
  void compare(const std::vector<ChaoticRnnProblem>& problems);
  void measure(const ChaoticRnnProblem& problem, std::uint64_t seed, const TrackingRun& run,
               Method& method) const;
  void add_table(int dim, const std::vector<Method>& methods);
  void add_points(int dim, const std::vector<Method>& methods);
  void add_sample_costs(ChaoticRnnProblem problem);

  ChaoticRnnComparisonOptions options_;
  std::ostream& progress_;
  Report report_;
  Chart elbo_{.id = "elbo",
              .title = "True ELBO per dimension",
              .x_label = "dimension",
              .y_label = "nats per dimension",
              .caption = "Mean over runs; higher is better.",
              .log_x = true};
  Chart time_{.id = "time",
              .title = "Time per step",
              .x_label = "dimension",
              .y_label = "seconds",
              .caption = "Wall time of a step alone, mean over runs, this machine.",
              .log_x = true,
              .log_y = true};
  Chart samples_{.id = "samples",
                 .title = "Time per step of the paper's algorithm against samples",
                 .x_label = "samples per inner iteration",
                 .y_label = "seconds",
                 .caption = "Mean over the first steps of the first data set.",
                 .log_x = true,
                 .log_y = true};
};

std::vector<Method> Comparison::methods(int dim) {
  const int particles = options_.particles;
  std::vector<Method> result{
      {.name = "EnKF",
       .run = [=](const auto& problem, auto seed,
                  auto& progress) { return track_ensemble(problem, particles, seed, progress); }},
      {.name = "bootstrap PF",
       .run = [=](const auto& problem, auto seed,
                  auto& progress) { return track_particles(problem, particles, seed, progress); }},
      {.name = "EKF",
       .run =
           [](const auto& problem, auto, auto& progress) {
             return track_kalman(problem, Linearisation::kTangent, progress);
           }},
      {.name = "UKF", .run = [](const auto& problem, auto, auto& progress) {
         return track_kalman(problem, Linearisation::kMoments, progress);
       }}};
  auto settings = chaotic_rnn_settings(dim, options_.published);
  settings.insert(settings.begin() + 3, fast_without_recursion());
  for (const auto& setting : settings) {
    report_.configuration +=
        write_filter_config(setting.config, fmt::format("{}_d{}", setting.node, dim));
    result.push_back({.name = setting.name,
                      .run = [config = setting.config, draws = options_.draws](
                                 const auto& problem, auto seed, auto& progress) mutable {
                        config.seed = seed;
                        return track_variational(problem, config, draws, progress);
                      }});
  }
  return result;
}

void Comparison::measure(const ChaoticRnnProblem& problem, std::uint64_t seed,
                         const TrackingRun& run, Method& method) const {
  std::array<double, kQuantities> values{};
  values.fill(kNone);
  if (run.failure.empty()) {
    values[kFilterRmse] = tracking_rmse(run.filtered, problem.states);
    if (run.smoothed.size() > 0) {
      values[kSmoothingRmse] =
          tracking_rmse(run.smoothed, problem.states.leftCols(run.smoothed.cols()));
    }
    if (run.chain.size() > 0) {
      RandomStream random(seed, kStream);
      const auto bound = run.chain.bound(make_chaotic_rnn(problem.spec), options_.draws, random);
      values[kElbo] = bound.elbo;
      values[kWeighted] = bound.importance_weighted;
      values[kSampleSize] = bound.effective_sample_size;
    }
    values[kOnline] = run.online.back();
    values[kSeconds] = run.seconds_per_step;
  } else {
    method.failure = run.failure;
  }
  for (int i = 0; i < kQuantities; ++i) method.measured[i].push_back(values[i]);
}

void Comparison::compare(const std::vector<ChaoticRnnProblem>& problems) {
  const int dim = problems.front().dim();
  auto compared = methods(dim);
  for (auto& method : compared) {
    Progress progress(fmt::format("d = {}, {}", dim, method.name),
                      static_cast<std::size_t>(options_.runs) *
                          static_cast<std::size_t>(problems.front().steps()),
                      progress_);
    for (int r = 0; r < options_.runs; ++r) {
      const auto& problem = problems[static_cast<std::size_t>(r) % problems.size()];
      const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(r);
      measure(problem, seed, method.run(problem, seed, progress), method);
    }
    progress.finish();
  }
  // Data sets differ by more than methods do: what a method gains is a difference on the same data.
  std::vector<double> base;
  for (const auto& method : compared) {
    if (method.name == kAelbo2Name) base = method.measured[kElbo];
  }
  for (auto& method : compared) {
    for (std::size_t r = 0; r < base.size(); ++r) {
      method.measured[kGain][r] = method.measured[kElbo][r] - base[r];
    }
  }
  add_table(dim, compared);
  add_points(dim, compared);
  add_sample_costs(problems.front());
}

void Comparison::add_table(int dim, const std::vector<Method>& methods) {
  Table table{
      .title = fmt::format("d = {}", dim),
      .caption =
          "Mean ± standard deviation over runs. Online estimate: of the particle filter the "
          "log evidence, of the Kalman filters the log evidence of their Gaussian "
          "approximation. – : the method has none.",
      .header = {"method", "filter RMSE", "1-step smoothing RMSE", "true ELBO",
                 "ELBO minus AELBO-2's", "importance-weighted bound", "effective sample size",
                 "online estimate", "time per step, ms"}};
  for (const auto& method : methods) {
    std::vector<std::string> row{method.name};
    for (int i = 0; i < kQuantities; ++i) {
      auto statistics = run_statistics(method.measured[i]);
      if (statistics.count > 0) {
        const auto key = fmt::format("d{} {} {}", dim, method.name, kKeys[i]);
        report_.values[key] = statistics.mean;
        report_.values[key + "_sd"] = statistics.deviation;
      }
      if (i == kSeconds) {
        statistics.mean *= 1e3;
        statistics.deviation *= 1e3;
      }
      row.push_back(statistics_text(statistics, kDecimals[i]));
    }
    table.rows.push_back(row);
    if (!method.failure.empty()) {
      table.caption += fmt::format(" {}: {} of {} runs stopped ({}) and are left out.", method.name,
                                   options_.runs - run_statistics(method.measured[kSeconds]).count,
                                   options_.runs, method.failure);
    }
  }
  report_.tables.push_back(table);
}

void Comparison::add_points(int dim, const std::vector<Method>& methods) {
  const auto add = [&](Chart& chart, const Method& method, double y) {
    auto series = std::find_if(chart.series.begin(), chart.series.end(),
                               [&](const Series& other) { return other.name == method.name; });
    if (series == chart.series.end()) {
      series = chart.series.insert(series, Series{.name = method.name});
    }
    series->x.push_back(dim);
    series->y.push_back(y);
  };
  for (const auto& method : methods) {
    add(time_, method, run_statistics(method.measured[kSeconds]).mean);
    const auto elbo = run_statistics(method.measured[kElbo]);
    if (elbo.count > 0) add(elbo_, method, elbo.mean / dim);
  }
}

void Comparison::add_sample_costs(ChaoticRnnProblem problem) {
  constexpr int kSteps = 10;
  const auto kept = std::min<Eigen::Index>(kSteps, problem.steps());
  problem.states.conservativeResize(Eigen::NoChange, kept);
  problem.observations.conservativeResize(Eigen::NoChange, kept);
  auto config =
      options_.published ? chaotic_rnn_published_config() : chaotic_rnn_paper_config(problem.dim());
  Series series{.name = fmt::format("d = {}", problem.dim())};
  for (const int samples : {5, 10, 20, 40, 80, 160}) {
    config.reparameterised.samples = samples;
    Progress progress("samples", static_cast<std::size_t>(kept), progress_, ProgressMode::kSilent);
    const auto run = track_variational(problem, config, options_.draws, progress);
    if (!run.failure.empty()) continue;
    series.x.push_back(samples);
    series.y.push_back(run.seconds_per_step);
  }
  samples_.series.push_back(series);
}

Report Comparison::run() {
  report_.name = "crnn";
  report_.title = "Filters on the chaotic recurrent network (Table 1)";
  int steps = options_.steps;
  if (options_.data.empty()) {
    for (const int dim : options_.dims) {
      std::vector<ChaoticRnnProblem> problems;
      problems.reserve(static_cast<std::size_t>(options_.runs));
      for (int r = 0; r < options_.runs; ++r) {
        problems.push_back(
            random_chaotic_rnn_problem(dim, steps, options_.seed + static_cast<std::uint64_t>(r)));
      }
      compare(problems);
    }
  } else {
    const auto problem = load_chaotic_rnn_problem(options_.data, steps);
    steps = problem.steps();
    compare({problem});
  }
  report_.summary = fmt::format(
      "State estimation with known parameters over {} steps, {} runs{}. RMSE: root mean square "
      "over "
      "dimensions, averaged over time without the first tenth. The true ELBO takes {} draws of the "
      "whole x_1 ... x_t; so does the importance-weighted bound, which comes near the log evidence "
      "where its effective sample size is large. EnKF and particle filter have {} members.\n\n"
      "{} \"fast without T\" is \"ours (fast)\" with AELBO-2 as its objective: the difference is "
      "what the backward recursion adds.",
      steps, options_.runs, options_.data.empty() ? ", each on data of its own" : " on given data",
      options_.draws, options_.particles, sampled_settings_text(options_.published));
  report_.charts = {elbo_, time_, samples_};
  report_.facts = {{"Seed", fmt::format("{}", options_.seed)},
                   {"Data", options_.data.empty() ? "drawn" : options_.data}};
  return report_;
}

}  // namespace

Report chaotic_rnn_comparison(const ChaoticRnnComparisonOptions& options, std::ostream& progress) {
  return Comparison(options, progress).run();
}

}  // namespace ovf
