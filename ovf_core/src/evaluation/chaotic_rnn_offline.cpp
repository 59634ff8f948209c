#include <fmt/format.h>

#include <cmath>
#include <ostream>
#include <utility>

#include "evaluation/chaotic_rnn_settings.hpp"
#include "evaluation/tracking_run.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"
#include "ovf/filter/filter_schema.hpp"
#include "ovf/filter/offline_trainer.hpp"
#include "ovf/posterior/mlp_kernel.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 114;

// One q(x_{1:t}) of a sequence.
struct Fit {
  std::string name;
  PosteriorChain::Bound bound;
  PosteriorChain::Marginals marginals;
};

std::vector<StepRecord> copies(const std::vector<StepRecord>& records) {
  std::vector<StepRecord> result;
  result.reserve(records.size());
  for (const StepRecord& record : records) result.push_back(record.copy());
  return result;
}

// The published family where no fit has been: a standard normal, and one random network for all
// kernels.
std::vector<StepRecord> random_start(const StateSpaceModel& model, const ChaoticRnnProblem& problem,
                                     std::uint64_t seed) {
  const auto config = chaotic_rnn_published_config();
  const FilterMarginal marginal(standard_gaussian(problem.dim(), config.marginal));
  const MlpKernel kernel(problem.dim(), config.kernel_layers, config.kernel_activation,
                         config.kernel_noise, config.reparameterised.start_deviation, seed);
  return make_records(model, problem.observations, marginal, kernel);
}

class OfflineComparison {
 public:
  OfflineComparison(ChaoticRnnOfflineOptions options, std::ostream& progress)
      : options_(std::move(options)), progress_(progress) {}

  Report run();

 private:
  void compare(const ChaoticRnnProblem& problem, const std::string& id, const std::string& title,
               std::uint64_t seed);
  OnlineVariationalFilterConfig online_config(int dim) const {
    return options_.published ? chaotic_rnn_published_config() : chaotic_rnn_paper_config(dim);
  }
  std::vector<StepRecord> filter(const ChaoticRnnProblem& problem,
                                 OnlineVariationalFilterConfig config, const std::string& label,
                                 std::uint64_t seed);
  PosteriorChain train(const StateSpaceModel& model, std::vector<StepRecord> start,
                       int warm_iterations, const std::string& label, std::uint64_t seed);
  void add_rows(const std::string& id, const std::string& title, const std::vector<Fit>& fits);
  void add_charts(const ChaoticRnnProblem& problem, const std::string& id, const std::string& title,
                  const std::vector<Fit>& fits);

  ChaoticRnnOfflineOptions options_;
  std::ostream& progress_;
  Report report_;
  Table table_{.title = "Online and offline",
               .caption =
                   "Distances to the offline fit, in its standard deviations of each x_k: "
                   "root mean square over time and dimensions.",
               .header = {"sequence", "q(x_1 ... x_t)", "true ELBO", "standard error",
                          "ELBO minus offline", "distance of means", "ratio of deviations"}};
};

std::vector<StepRecord> OfflineComparison::filter(const ChaoticRnnProblem& problem,
                                                  OnlineVariationalFilterConfig config,
                                                  const std::string& label, std::uint64_t seed) {
  config.seed = seed;
  OnlineVariationalFilter filter(make_chaotic_rnn(problem.spec), config);
  std::vector<StepRecord> records;
  Progress progress(label, static_cast<std::size_t>(problem.steps()), progress_);
  const auto run = track(filter, problem, progress,
                         [&](int, TrackingRun&) { records.push_back(filter.record().copy()); });
  progress.finish();
  require_complete(run, label);
  return records;
}

PosteriorChain OfflineComparison::train(const StateSpaceModel& model, std::vector<StepRecord> start,
                                        int warm_iterations, const std::string& label,
                                        std::uint64_t seed) {
  OfflineTrainerConfig config;
  config.iterations = options_.iterations;
  config.warm_iterations = warm_iterations;
  // A hundredth of the learning rate at the end.
  config.decay = std::pow(0.01, 1.0 / options_.iterations);
  config.path_derivative = true;
  config.antithetic = true;
  config.seed = seed;
  OfflineTrainer trainer(config);
  Progress progress(label,
                    static_cast<std::size_t>(options_.iterations) +
                        start.size() * static_cast<std::size_t>(warm_iterations),
                    progress_);
  trainer.observe([&](int, int, double) { progress.advance(); });
  auto result = trainer.train(model, std::move(start));
  progress.finish();
  return std::move(result.chain);
}

void OfflineComparison::compare(const ChaoticRnnProblem& problem, const std::string& id,
                                const std::string& title, std::uint64_t seed) {
  const auto model = make_chaotic_rnn(problem.spec);
  const auto online_name = fmt::format("online ({})", options_.published ? "published" : "paper");
  const auto online = filter(problem, online_config(problem.dim()),
                             fmt::format("{}, {}", title, online_name), seed);
  const auto fast = filter(problem, chaotic_rnn_fast_config(), title + ", fast", seed);
  const auto chain_of = [](const std::vector<StepRecord>& records) {
    PosteriorChain chain;
    for (const StepRecord& record : records) chain.append(record);
    return chain;
  };
  std::vector<std::pair<std::string, PosteriorChain>> chains;
  chains.emplace_back("offline", train(model, random_start(model, problem, seed),
                                       options_.warm_iterations, title + ", offline", seed));
  chains.emplace_back("offline, started online",
                      train(model, copies(online), 0, title + ", offline from online", seed));
  chains.emplace_back(online_name, chain_of(online));
  chains.emplace_back("online (fast)", chain_of(fast));

  std::vector<Fit> fits;
  fits.reserve(chains.size());
  RandomStream random(seed, kStream);
  for (const auto& [name, chain] : chains) {
    fits.push_back({name, chain.bound(model, options_.draws, random),
                    chain.smoothed(model, options_.draws, random)});
  }
  add_rows(id, title, fits);
  add_charts(problem, id, title, fits);
}

void OfflineComparison::add_rows(const std::string& id, const std::string& title,
                                 const std::vector<Fit>& fits) {
  const Fit& offline = fits.front();
  for (const Fit& fit : fits) {
    const Eigen::ArrayXXd shift =
        (fit.marginals.mean - offline.marginals.mean).array() / offline.marginals.deviation.array();
    const double distance = std::sqrt(shift.square().mean());
    const double ratio =
        (fit.marginals.deviation.array() / offline.marginals.deviation.array()).mean();
    const bool itself = &fit == &offline;
    table_.rows.push_back(
        {title, fit.name, fmt::format("{:.2f}", fit.bound.elbo),
         fmt::format("{:.2f}", fit.bound.standard_error),
         itself ? "–" : fmt::format("{:+.2f}", fit.bound.elbo - offline.bound.elbo),
         itself ? "–" : fmt::format("{:.3f}", distance),
         itself ? "–" : fmt::format("{:.3f}", ratio)});
    const auto key = fmt::format("{} {} ", id, fit.name);
    report_.values[key + "elbo"] = fit.bound.elbo;
    report_.values[key + "distance"] = distance;
    report_.values[key + "deviation_ratio"] = ratio;
  }
}

void OfflineComparison::add_charts(const ChaoticRnnProblem& problem, const std::string& id,
                                   const std::string& title, const std::vector<Fit>& fits) {
  std::vector<double> times;
  for (int t = 1; t <= problem.steps(); ++t) times.push_back(t);
  for (int i = 0; i < problem.dim(); ++i) {
    Chart chart{.id = fmt::format("{}_x{}", id, i),
                .title = fmt::format("{}, dimension {}", title, i + 1),
                .x_label = "time step",
                .y_label = "state",
                .caption = "Mean and one standard deviation of x_k given all observations."};
    Series truth{.name = "true state", .x = times};
    for (int t = 0; t < problem.steps(); ++t) truth.y.push_back(problem.states(i, t));
    chart.series.push_back(truth);
    for (const Fit& fit : fits) {
      Series band{.name = fit.name, .x = times, .style = "band"};
      for (int t = 0; t < problem.steps(); ++t) {
        const double mean = fit.marginals.mean(i, t);
        const double deviation = fit.marginals.deviation(i, t);
        band.y.push_back(mean);
        band.lower.push_back(mean - deviation);
        band.upper.push_back(mean + deviation);
      }
      chart.series.push_back(band);
    }
    report_.charts.push_back(chart);
  }
}

Report OfflineComparison::run() {
  const bool drawn = options_.data.empty();
  const auto problem_of = [&](int steps, std::uint64_t seed) {
    return drawn ? random_chaotic_rnn_problem(options_.dim, steps, seed)
                 : load_chaotic_rnn_problem(options_.data, steps);
  };
  for (int s = 0; s < (drawn ? options_.seeds : 1); ++s) {
    const std::uint64_t seed = options_.seed + static_cast<std::uint64_t>(s);
    const auto problem = problem_of(options_.steps, seed);
    compare(problem, fmt::format("seed{}", s + 1),
            fmt::format("{} steps, seed {}", problem.steps(), seed), seed);
  }
  if (options_.long_steps > 0) {
    const auto problem = problem_of(options_.long_steps, options_.seed);
    compare(problem, "long", fmt::format("{} steps", problem.steps()), options_.seed);
  }
  report_.name = "crnn-offline";
  report_.title = "Posteriors fitted online and offline (Figure 2b)";
  report_.summary = fmt::format(
      "q(x_1 ... x_t) fitted step by step with earlier factors held fixed, or offline to the ELBO "
      "of "
      "the whole sequence ({} iterations; before that {} on each shorter sequence). \"offline\" "
      "has "
      "the published family and nothing of the online run: it starts at random networks. "
      "\"offline, started online\" continues from the online factors: what it gains is the price "
      "of "
      "being online. The online run {}. \"online (fast)\" has full covariances, a larger family.",
      options_.iterations, options_.warm_iterations,
      options_.published
          ? "is as published, in the same family"
          : "is that of `paper`, whose kernels are networks on top of the closed form "
            "(--published: networks alone, as the offline fit has)");
  report_.tables = {table_};
  report_.configuration = write_filter_config(online_config(options_.dim), "online") +
                          write_filter_config(chaotic_rnn_fast_config(), "fast");
  report_.facts = {{"Seed", fmt::format("{}", options_.seed)},
                   {"Data", drawn ? "drawn" : options_.data}};
  return report_;
}

}  // namespace

Report chaotic_rnn_offline(const ChaoticRnnOfflineOptions& options, std::ostream& progress) {
  return OfflineComparison(options, progress).run();
}

}  // namespace ovf
