#include <fmt/format.h>

#include <array>
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

constexpr std::uint64_t kStream = 116;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

enum Quantity {
  kTrainRmse,
  kTrainRatio,
  kTestRmse,
  kTestRatio,
  kTrainElbo,
  kTestElbo,
  kTrainSeconds,
  kTestSeconds,
  kQuantities
};
constexpr std::array<const char*, kQuantities> kKeys = {
    "train_rmse", "train_ratio", "test_rmse",          "test_ratio",
    "train_elbo", "test_elbo",   "train_seconds_step", "test_seconds_step"};
// As the table shows them: seconds become milliseconds.
constexpr std::array<int, kQuantities> kDecimals = {4, 3, 4, 3, 1, 1, 3, 3};

struct Method {
  ChaoticRnnSetting setting;
  std::array<std::vector<double>, kQuantities> measured{};  // over runs
  std::string failure{};                                    // the last one
};

bool has_networks(const OnlineVariationalFilterConfig& config) {
  return config.inference == InferenceMethod::kAmortised;
}

// The four of Table 3, then what a robot would use: a start for natural gradients, and what does
// without networks.
std::vector<Method> methods(const ChaoticRnnAmortisedOptions& options, int dim) {
  auto networks = chaotic_rnn_amortised_config(dim);
  networks.amortised.iterations = options.iterations;
  auto aelbo_1 = networks;
  aelbo_1.objective = Objective::kAelbo1;
  auto aelbo_2 = networks;
  aelbo_2.objective = Objective::kAelbo2;
  auto by_t = networks;
  by_t.amortised.joint_kernel = false;
  auto start = OnlineVariationalFilterConfig::amortised_start();
  start.learning.rule = LearningRule::kNone;
  std::vector<Method> result;
  const auto add = [&](const char* name, const char* node, const auto& config) {
    result.push_back({.setting = {name, node, config}});
  };
  add("networks by AELBO-1", "networks_aelbo_1", aelbo_1);
  add("networks by AELBO-2", "networks_aelbo_2", aelbo_2);
  add("networks by T", "networks_t", by_t);
  add("networks by TU", "networks_tu", networks);
  add("network and natural gradient", "network_start", start);
  add("paper", "paper", chaotic_rnn_paper_config(dim));
  add("fast", "fast", chaotic_rnn_fast_config());
  return result;
}

class Amortised {
 public:
  Amortised(const ChaoticRnnAmortisedOptions& options, std::ostream& progress)
      : options_(options), progress_(progress) {
    if (options.runs < 1) {
      throw std::invalid_argument(fmt::format("runs is {}; expected at least 1", options.runs));
    }
  }

  Report run();

 private:
  ChaoticRnnProblem problem(int r) const;
  void measure(const ChaoticRnnProblem& problem, double optimum, int r, Progress& progress,
               Method& method) const;
  double true_elbo(const ChaoticRnnProblem& problem, const TrackingRun& run, int r) const;
  void add_tables(const std::vector<Method>& compared, const std::vector<double>& optima);

  ChaoticRnnAmortisedOptions options_;
  std::ostream& progress_;
  Report report_;
};

ChaoticRnnProblem Amortised::problem(int r) const {
  if (!options_.data.empty()) return load_chaotic_rnn_problem(options_.data, options_.steps);
  return random_chaotic_rnn_problem(options_.dim, options_.steps,
                                    options_.seed + static_cast<std::uint64_t>(r));
}

double Amortised::true_elbo(const ChaoticRnnProblem& problem, const TrackingRun& run, int r) const {
  RandomStream random(options_.seed + static_cast<std::uint64_t>(r), kStream);
  return run.chain.bound(make_chaotic_rnn(problem.spec), options_.draws, random).elbo;
}

void Amortised::measure(const ChaoticRnnProblem& problem, double optimum, int r, Progress& progress,
                        Method& method) const {
  std::array<double, kQuantities> values{};
  values.fill(kNone);
  OnlineVariationalFilterConfig config = method.setting.config;
  config.seed = options_.seed + static_cast<std::uint64_t>(r);
  const auto follow = [&](OnlineVariationalFilter& filter) {
    auto run = track(filter, problem, progress,
                     [&](int, TrackingRun& taken) { taken.chain.append(filter.record()); });
    if (!run.failure.empty()) method.failure = run.failure;
    return run;
  };
  OnlineVariationalFilter filter(make_chaotic_rnn(problem.spec), config);
  const TrackingRun train = follow(filter);
  if (train.failure.empty()) {
    values[kTrainRmse] = tracking_rmse(train.filtered, problem.states);
    values[kTrainRatio] = values[kTrainRmse] / optimum;
    values[kTrainElbo] = true_elbo(problem, train, r);
    values[kTrainSeconds] = train.seconds_per_step;
  }
  if (train.failure.empty() && has_networks(config)) {
    // The same data once more from the start, the networks as they are.
    Archive::Bytes learned;
    Archive writer = Archive::writer(learned);
    filter.archive(writer);
    config.amortised.iterations = 0;
    OnlineVariationalFilter tested(make_chaotic_rnn(problem.spec), config);
    Archive reader = Archive::reader(learned);
    tested.archive(reader);
    tested.restart(make_chaotic_rnn(problem.spec).prior());
    const TrackingRun test = follow(tested);
    if (test.failure.empty()) {
      values[kTestRmse] = tracking_rmse(test.filtered, problem.states);
      values[kTestRatio] = values[kTestRmse] / optimum;
      values[kTestElbo] = true_elbo(problem, test, r);
      values[kTestSeconds] = test.seconds_per_step;
    }
  }
  for (int i = 0; i < kQuantities; ++i) method.measured[i].push_back(values[i]);
}

void Amortised::add_tables(const std::vector<Method>& compared, const std::vector<double>& optima) {
  Table errors{
      .title = "Error",
      .caption = fmt::format(
          "Mean ± standard deviation over runs. Train: each observation's posterior after the "
          "networks have learned from it. Test: the same data from the start, nothing is learned. "
          "\"of optimum\": divided by the error of a particle filter with {} particles on the same "
          "data. The paper's Table 3, on data of its own whose particle filter has 0.1026: AELBO-1 "
          "0.1158 and 0.1170 (train and test), AELBO-2 0.1039 and 0.1064, T 0.1032 and 0.1048 "
          "(1.006 and 1.021 of optimum), TU 0.1031 and 0.1056 (1.005 and 1.029). –: the method "
          "has no test time.",
          options_.particles),
      .header = {"method", "train RMSE", "of optimum", "test RMSE", "of optimum"}};
  Table costs{
      .title = "ELBO and time",
      .header = {"method", "train ELBO", "test ELBO", "train, ms per step", "test, ms per step"}};
  for (const auto& method : compared) {
    errors.rows.push_back({method.setting.name});
    costs.rows.push_back({method.setting.name});
    for (int i = 0; i < kQuantities; ++i) {
      auto statistics = run_statistics(method.measured[i]);
      if (statistics.count > 0) {
        const auto key = fmt::format("{} {}", method.setting.name, kKeys[i]);
        report_.values[key] = statistics.mean;
        report_.values[key + "_sd"] = statistics.deviation;
      }
      if (i == kTrainSeconds || i == kTestSeconds) {
        statistics.mean *= 1e3;
        statistics.deviation *= 1e3;
      }
      auto& row = (i <= kTestRatio ? errors : costs).rows.back();
      row.push_back(statistics_text(statistics, kDecimals[i]));
    }
    if (!method.failure.empty()) {
      errors.caption += fmt::format(" {}: a run stopped ({}) and is left out.", method.setting.name,
                                    method.failure);
    }
  }
  const auto optimum = run_statistics(optima);
  errors.rows.push_back({"bootstrap PF", statistics_text(optimum, 4), "1.000", "–", "–"});
  report_.values["bootstrap PF train_rmse"] = optimum.mean;
  report_.tables.push_back(errors);
  report_.tables.push_back(costs);
}

Report Amortised::run() {
  const ChaoticRnnProblem first = problem(0);
  auto compared = methods(options_, first.dim());
  std::vector<double> optima;
  {
    Progress progress("bootstrap PF", static_cast<std::size_t>(options_.runs * first.steps()),
                      progress_);
    for (int r = 0; r < options_.runs; ++r) {
      const auto data = problem(r);
      const auto run = track_particles(data, options_.particles,
                                       options_.seed + static_cast<std::uint64_t>(r), progress);
      require_complete(run, "bootstrap PF");
      optima.push_back(tracking_rmse(run.filtered, data.states));
    }
    progress.finish();
  }
  for (auto& method : compared) {
    const int passes = has_networks(method.setting.config) ? 2 : 1;
    Progress progress(method.setting.name,
                      static_cast<std::size_t>(passes * options_.runs * first.steps()), progress_);
    for (int r = 0; r < options_.runs; ++r) {
      measure(problem(r), optima[static_cast<std::size_t>(r)], r, progress, method);
    }
    progress.finish();
    report_.configuration += write_filter_config(method.setting.config, method.setting.node);
  }

  report_.name = "crnn-amortised";
  report_.title = "Networks that learn to filter, on the chaotic recurrent network (Table 3)";
  report_.summary = fmt::format(
      "A forward network gives q_t from the statistics of q_(t-1) and the observation, a backward "
      "network the kernel from the same statistics and x_t; both have two hidden layers of 100 and "
      "learn online, {} steps of Adam for each of {} observations (d = {}), {} runs{}. \"by T\" "
      "maximises each step's ELBO, \"by TU\" the backward network's joint one over time, AELBO-1 "
      "and "
      "AELBO-2 leave out what T says of the past.\n\n"
      "\"network and natural gradient\": the forward network alone, a full covariance and the "
      "closed-form kernel; it starts the natural gradients of `fast` and learns from their result. "
      "\"paper\" and \"fast\" have no networks that last.",
      options_.iterations, first.steps(), first.dim(), options_.runs,
      options_.data.empty() ? ", each on data of its own" : " on given data");
  add_tables(compared, optima);
  report_.facts = {{"Seed", fmt::format("{}", options_.seed)},
                   {"Data", options_.data.empty() ? "drawn" : options_.data}};
  return report_;
}

}  // namespace

Report chaotic_rnn_amortised(const ChaoticRnnAmortisedOptions& options, std::ostream& progress) {
  return Amortised(options, progress).run();
}

}  // namespace ovf
