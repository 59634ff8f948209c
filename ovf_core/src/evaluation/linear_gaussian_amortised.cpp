#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "evaluation/run_statistics.hpp"
#include "ovf/evaluation/linear_gaussian_experiments.hpp"
#include "ovf/evaluation/linear_gaussian_problem.hpp"
#include "ovf/evaluation/progress.hpp"
#include "ovf/filter/filter_schema.hpp"
#include "ovf/filter/kalman_filter.hpp"
#include "ovf/filter/online_variational_filter.hpp"

namespace ovf {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kStream = 117;
constexpr int kIterations = 100;
constexpr int kBetween = 25;
constexpr int kPoints = kIterations / kBetween + 1;
// Windows of the curves.
constexpr int kWindows = 60;

using Errors =
    std::array<double, kPoints>;  // before the inner loop, and after every 25 of its steps

struct Setting {
  std::string name;
  std::string node;
  OnlineVariationalFilterConfig config;
};

std::vector<Setting> settings() {
  auto config = OnlineVariationalFilterConfig::amortised_start();
  config.learning.rule = LearningRule::kNone;
  config.amortised.memory = AmortisedMemory::kRecurrent;
  config.amortised.teacher = AmortisedTeacher::kElbo;
  config.amortised.iterations = kIterations;
  config.amortised.samples = 10;
  // The rate falls, so that the networks come to rest.
  config.amortised.schedule = {.rate = 1e-3, .scale = 20.0, .power = 1.0};
  auto plain = config;
  plain.amortised.path_derivative = plain.amortised.antithetic = false;
  return {{"plain gradients", "plain_gradients", plain},
          {"path derivatives", "path_derivatives", config}};
}

struct Run {
  std::vector<Errors> windows;  // mean errors, window by window
  double seconds_per_step = 0.0;
};

Run follow(const LinearGaussianSpec& spec, const Eigen::MatrixXd& observations,
           const OnlineVariationalFilterConfig& config, Progress& progress) {
  OnlineVariationalFilter filter(make_linear_gaussian(spec), config);
  KalmanFilter exact(make_linear_gaussian(spec));
  Errors sum{};
  filter.observe_iterations([&](int iteration, const StepRecord& record) {
    if (iteration % kBetween != 0) return;
    sum[static_cast<std::size_t>(iteration / kBetween)] +=
        (record.marginal.gaussian().mean - exact.belief().mean).cwiseAbs().mean();
  });
  const Eigen::Index length = std::max<Eigen::Index>(1, observations.cols() / kWindows);
  Run run;
  Clock::duration spent{};
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    exact.step(observations.col(t));
    const auto start = Clock::now();
    const StepResult& result = filter.step(observations.col(t));
    spent += Clock::now() - start;
    if (!result.ok()) {
      throw std::runtime_error(fmt::format("observation {}: {}", t + 1, result.reason));
    }
    progress.advance();
    if ((t + 1) % length != 0) continue;
    for (double& error : sum) error /= static_cast<double>(length);
    run.windows.push_back(sum);
    sum = {};
  }
  run.seconds_per_step =
      std::chrono::duration<double>(spent).count() / static_cast<double>(observations.cols());
  return run;
}

// Mean over runs of the windows first ... first + count - 1.
Errors mean_errors(const std::vector<Run>& runs, std::size_t first, std::size_t count) {
  Errors mean{};
  for (const Run& run : runs) {
    for (std::size_t w = first; w < first + count; ++w) {
      for (int i = 0; i < kPoints; ++i) mean[i] += run.windows[w][i];
    }
  }
  for (double& error : mean) error /= static_cast<double>(count * runs.size());
  return mean;
}

std::string point_name(int i) {
  return i == 0 ? std::string("zero shot") : fmt::format("after {} steps", i * kBetween);
}

Chart make_chart(const Setting& setting, const std::vector<Run>& runs, Eigen::Index steps) {
  Chart chart{.id = setting.node,
              .title = fmt::format("Error of the mean, {}", setting.name),
              .x_label = "observations",
              .y_label = "absolute error, mean over dimensions",
              .caption =
                  "Against the Kalman filter. Lines: mean over runs; points: the zero shot of "
                  "each run. Every value is a mean over a window of observations.",
              .log_y = true};
  const std::size_t count = runs.front().windows.size();
  const auto at = [&](std::size_t w) {
    return static_cast<double>(steps) * (static_cast<double>(w) + 0.5) / static_cast<double>(count);
  };
  for (int i = 0; i < kPoints; ++i) {
    Series series{.name = point_name(i)};
    for (std::size_t w = 0; w < count; ++w) {
      series.x.push_back(at(w));
      series.y.push_back(mean_errors(runs, w, 1)[i]);
    }
    chart.series.push_back(series);
  }
  Series single{.name = "zero shot of each run", .style = "points"};
  for (const Run& run : runs) {
    for (std::size_t w = 0; w < count; ++w) {
      single.x.push_back(at(w));
      single.y.push_back(run.windows[w][0]);
    }
  }
  chart.series.push_back(single);
  return chart;
}

}  // namespace

Report linear_gaussian_amortised(const LinearGaussianAmortisedOptions& options,
                                 std::ostream& progress) {
  if (options.runs < 1 || options.steps < kWindows) {
    throw std::invalid_argument(fmt::format("{} runs of {} steps; expected at least 1 of {}",
                                            options.runs, options.steps, kWindows));
  }
  Report report;
  report.name = "linear-gaussian-amortised";
  report.title = "A recurrent network that learns where each posterior is (Appendix D.3)";
  Table table{.title = "Absolute error of the mean, first and last tenth of the run",
              .header = {"setting", "observations"}};
  for (int i = 0; i < kPoints; ++i) table.header.push_back(point_name(i));
  table.header.insert(table.header.end(), {"zero shot / optimised", "ms per step"});

  double deviation = 0.0;
  for (const Setting& setting : settings()) {
    Progress bar(setting.name, static_cast<std::size_t>(options.runs * options.steps), progress);
    std::vector<Run> runs;
    std::vector<double> seconds;
    for (int r = 0; r < options.runs; ++r) {
      const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(r);
      RandomStream random(seed, kStream);
      const double variance = 0.1 * 0.1;
      const auto spec = random_linear_gaussian(options.dim, false, variance, variance, random);
      const auto observations =
          simulate(make_linear_gaussian(spec), options.steps, random).observations;
      auto config = setting.config;
      config.seed = seed;
      runs.push_back(follow(spec, observations, config, bar));
      seconds.push_back(runs.back().seconds_per_step);
      KalmanFilter exact(make_linear_gaussian(spec));
      for (Eigen::Index t = 0; t < std::min(options.steps, 100); ++t)
        exact.step(observations.col(t));
      deviation += exact.belief().factor.standard_deviations().mean() / (2.0 * options.runs);
    }
    bar.finish();
    const std::size_t count = runs.front().windows.size();
    const std::size_t tenth = std::max<std::size_t>(1, count / 10);
    for (const std::size_t first : {std::size_t{0}, count - tenth}) {
      const Errors errors = mean_errors(runs, first, tenth);
      const double ratio = errors.front() / errors.back();
      std::vector<std::string> row{setting.name, first == 0 ? "first" : "last"};
      for (const double error : errors) row.push_back(fmt::format("{:.3g}", error));
      row.push_back(fmt::format("{:.2f}", ratio));
      row.push_back(fmt::format("{:.2f}", run_statistics(seconds).mean * 1e3));
      table.rows.push_back(row);
      const std::string key = setting.node + (first == 0 ? " first " : " last ");
      report.values[key + "zero_shot"] = errors.front();
      report.values[key + "optimised"] = errors.back();
      report.values[key + "ratio"] = ratio;
    }
    report.values[setting.node + " seconds_per_step"] = run_statistics(seconds).mean;
    report.charts.push_back(make_chart(setting, runs, options.steps));
    report.configuration += write_filter_config(setting.config, setting.node);
  }
  table.caption = fmt::format(
      "Against the exact mean, whose own standard deviation is {:.3f}. Zero shot: the posterior as "
      "the network gives it, before it has learned anything from the observation.",
      deviation);
  report.values["deviation"] = deviation;
  report.tables = {table};
  report.summary = fmt::format(
      "A linear-Gaussian model (d = {}, {} observations, {} runs). At each observation a gated "
      "recurrent network over the observations (window of {} steps) gives q_t, and {} Adam steps "
      "on "
      "the ELBO improve its weights, which the next observation starts from: the zero shot falls "
      "as "
      "the work of earlier steps pays. \"plain gradients\": reparameterised ones, as in the paper. "
      "With "
      "path "
      "derivatives and mirrored samples the gradient's noise vanishes at the optimum, and so do "
      "both "
      "errors.",
      options.dim, options.steps, options.runs, settings().front().config.amortised.window,
      kIterations);
  report.facts = {{"Seed", fmt::format("{}", options.seed)}};
  return report;
}

}  // namespace ovf
