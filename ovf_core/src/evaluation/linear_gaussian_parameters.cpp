#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <ostream>

#include "evaluation/learning_run.hpp"
#include "ovf/evaluation/linear_gaussian_experiments.hpp"
#include "ovf/evaluation/linear_gaussian_problem.hpp"
#include "ovf/filter/filter_schema.hpp"
#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/filter/recursive_maximum_likelihood.hpp"

namespace ovf {
namespace {

constexpr const char* kSecondOrder = "fast (second order)";
constexpr const char* kExact = "exact RMLE";
// Of the starts' errors: truth and start are both drawn uniformly between 0.5 and 1.
constexpr double kStartDeviation = 0.2;

// "fast (second order)" as the name of a node in a parameter file: fast_second_order.
std::string node_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      result += c;
    } else if (!result.empty() && result.back() != '_') {
      result += '_';
    }
  }
  if (!result.empty() && result.back() == '_') result.pop_back();
  return result;
}

class Experiment {
 public:
  Experiment(const ParametersOptions& options, std::ostream& progress)
      : options_(options),
        progress_(progress),
        problem_(options.data.empty()
                     ? random_learning_problem(options.dim, options.steps, options.seed)
                     : load_learning_problem(options.data, options.steps)) {
    if (!options.config.empty()) own_ = load_filter_config(options.config);
    problem_.start.learn_F = problem_.start.learn_G = Learned::kDiagonal;
    truth_.resize(2 * problem_.truth.F.rows());
    truth_ << problem_.truth.F.diagonal(), problem_.truth.G.diagonal();
  }

  Report run();

 private:
  using Config = OnlineVariationalFilterConfig;

  LearningRun learn(const std::string& name, const LinearGaussianSpec& start, const Config& config,
                    int steps);
  LearningRun exact_rmle();
  Config sampled_config() const;
  void add_batch_estimate();
  void add_noise();
  void add_charts();
  void add_table();

  // Mean absolute error of F (half = 0) or G (half = 1).
  double error(const Eigen::VectorXd& theta, int half) const {
    const auto d = truth_.size() / 2;
    return (theta - truth_).segment(half * d, d).cwiseAbs().mean();
  }

  ParametersOptions options_;
  std::ostream& progress_;
  LinearGaussianProblem problem_;
  Config own_;  // of options_.config
  Eigen::VectorXd truth_;
  std::vector<LearningRun> runs_;
  Report report_;
};

LearningRun Experiment::learn(const std::string& name, const LinearGaussianSpec& start,
                              const Config& config, int steps) {
  OnlineVariationalFilter filter(make_linear_gaussian(start), config);
  report_.configuration += write_filter_config(config, node_name(name));
  return run_learning(
      name, filter, [&] { return filter.learner().standard_deviations(); }, problem_.observations,
      steps, progress_);
}

// The paper's algorithm.
OnlineVariationalFilterConfig Experiment::sampled_config() const {
  auto config = Config::paper();
  config.seed = options_.seed;
  if (!options_.published) return config;
  config.reparameterised.start_deviation = 1.0;
  config.score_regression.regressor.kernel_ridge.ridge_times_points = false;
  return config;
}

LearningRun Experiment::exact_rmle() {
  LearningConfig config;
  config.rule = LearningRule::kGradient;
  RecursiveMaximumLikelihood filter(make_linear_gaussian(problem_.start), config);
  return run_learning(kExact, filter, {}, problem_.observations, options_.steps, progress_);
}

// The best that any learner could do with all observations at hand, started at the online estimate.
void Experiment::add_batch_estimate() {
  auto model = make_linear_gaussian(problem_.start);
  model.set_parameters(runs_.front().parameters.back());
  maximise_likelihood(model, problem_.observations);
  const Eigen::VectorXd& theta = model.parameters().values();
  runs_.push_back({.name = "batch maximum likelihood",
                   .times = {static_cast<double>(problem_.observations.cols())},
                   .parameters = {theta}});
}

// U and V from four times their truth. G is known here: only G'UG is identifiable, so learning G
// and U together would have no answer.
void Experiment::add_noise() {
  auto start = problem_.truth;
  start.learn_U = start.learn_V = Learned::kDiagonal;
  start.U *= 4.0;
  start.V *= 4.0;
  auto config = Config::fast();
  config.seed = options_.seed;
  const auto run = learn("fast (noise)", start, config, options_.steps);
  const auto d = problem_.truth.U.rows();
  Chart chart{.id = "noise",
              .title = "Noise covariances learned from four times too large",
              .x_label = "time step",
              .y_label = "learned variance / truth (mean over dimensions)",
              .caption = "The paper takes U and V as known.",
              .log_x = true};
  Table table{
      .title = "Noise covariances, started four times too large",
      .header = {"", "mean ratio to truth", "mean relative error", "largest relative error"}};
  const Eigen::VectorXd variances[] = {problem_.truth.U.diagonal(), problem_.truth.V.diagonal()};
  for (int half = 0; half < 2; ++half) {
    Series series{.name = half == 0 ? "U" : "V", .x = run.times};
    Eigen::ArrayXd ratio;
    for (const auto& theta : run.parameters) {
      ratio = theta.segment(half * d, d).array() / variances[half].array();
      series.y.push_back(ratio.mean());
    }
    chart.series.push_back(series);
    const Eigen::ArrayXd relative = (ratio - 1.0).abs();
    table.rows.push_back({series.name, fmt::format("{:.3f}", ratio.mean()),
                          fmt::format("{:.3f}", relative.mean()),
                          fmt::format("{:.3f}", relative.maxCoeff())});
    report_.values[fmt::format("noise_{}_mean_relative_error", series.name)] = relative.mean();
  }
  report_.charts.push_back(chart);
  report_.tables.push_back(table);
}

void Experiment::add_charts() {
  for (int half = 0; half < 2; ++half) {
    const char* matrix = half == 0 ? "F" : "G";
    Chart chart{.id = fmt::format("error_{}", matrix),
                .title = fmt::format("Error of {}", matrix),
                .x_label = "time step",
                .y_label = "mean absolute error",
                .caption = "Figure 1b. The sampled settings are run for fewer steps.",
                .log_x = true,
                .log_y = true};
    for (const auto& run : runs_) {
      Series series{.name = run.name, .x = run.times};
      series.style = run.times.size() == 1 ? "points" : "line";
      for (const auto& theta : run.parameters) series.y.push_back(error(theta, half));
      chart.series.push_back(series);
    }
    report_.charts.push_back(chart);
  }
  const LearningRun& second_order = runs_.front();
  Chart band{.id = "uncertainty",
             .title = "Learned parameters with their uncertainty",
             .x_label = "time step",
             .y_label = "value",
             .caption = "Second order: mean and two standard deviations, beside the truth.",
             .log_x = true};
  const auto d = truth_.size() / 2;
  for (const Eigen::Index j : {Eigen::Index{0}, d}) {
    const std::string name = j == 0 ? "F[0,0]" : "G[0,0]";
    Series series{.name = name, .x = second_order.times, .style = "band"};
    for (std::size_t i = 0; i < second_order.times.size(); ++i) {
      const double value = second_order.parameters[i][j];
      const double spread = 2.0 * second_order.deviations[i][j];
      series.y.push_back(value);
      series.lower.push_back(value - spread);
      series.upper.push_back(value + spread);
    }
    const Series truth{.name = name + ", truth",
                       .x = {second_order.times.front(), second_order.times.back()},
                       .y = {truth_[j], truth_[j]}};
    band.series.push_back(series);
    band.series.push_back(truth);
  }
  report_.charts.push_back(band);
}

void Experiment::add_table() {
  Table table{.title = "Mean absolute error of F / G",
              .caption = "– : not run that far. Time: one step including learning, this machine."};
  std::vector<int> times;
  for (const int t : {100, 250, 1000, 5000, 20000}) {
    if (t < options_.steps) times.push_back(t);
  }
  times.push_back(static_cast<int>(problem_.observations.cols()));
  table.header = {"method"};
  for (const int t : times) table.header.push_back(fmt::format("t = {}", t));
  table.header.emplace_back("time per step, µs");
  for (const auto& run : runs_) {
    std::vector<std::string> row{run.name};
    for (const int t : times) {
      // The last logged time at or before t, if the run came that far.
      const auto after = std::upper_bound(run.times.begin(), run.times.end(), t);
      const bool reached =
          !run.times.empty() && run.times.back() >= t && after != run.times.begin();
      if (!reached) {
        row.emplace_back("–");
        continue;
      }
      const auto& theta = run.parameters[static_cast<std::size_t>(after - run.times.begin()) - 1];
      row.push_back(fmt::format("{:.4f} / {:.4f}", error(theta, 0), error(theta, 1)));
    }
    row.push_back(run.seconds_per_step > 0.0 ? fmt::format("{:.1f}", run.seconds_per_step * 1e6)
                                             : "–");
    table.rows.push_back(row);
    report_.values[run.name + " F"] = error(run.parameters.back(), 0);
    report_.values[run.name + " G"] = error(run.parameters.back(), 1);
    report_.values[run.name + " steps"] = run.times.back();
    report_.values[run.name + " seconds per step"] = run.seconds_per_step;
  }
  report_.tables.insert(report_.tables.begin(), table);
}

Report Experiment::run() {
  auto fast = Config::fast();
  fast.seed = options_.seed;
  fast.learning.prior_deviation = kStartDeviation;
  auto gradient = fast;
  gradient.learning.rule = LearningRule::kGradient;
  const auto paper = sampled_config();
  auto aelbo_2 = paper;
  aelbo_2.objective = Objective::kAelbo2;
  auto aelbo_1 = paper;
  aelbo_1.objective = Objective::kAelbo1;
  const auto& start = problem_.start;
  runs_.push_back(learn(kSecondOrder, start, fast, options_.steps));
  runs_.push_back(learn("fast (gradient)", start, gradient, options_.steps));
  runs_.push_back(exact_rmle());
  auto sampled_start = start;
  if (options_.published) {
    sampled_start.prior.factor =
        CovarianceFactor::from_covariance(start.U, CovarianceForm::kDiagonal);
  }
  const int sampled_steps = options_.sampled_steps;
  runs_.push_back(
      learn(options_.published ? "published" : "paper", sampled_start, paper, sampled_steps));
  runs_.push_back(learn("AELBO-2", sampled_start, aelbo_2, sampled_steps));
  runs_.push_back(learn("AELBO-1", sampled_start, aelbo_1, sampled_steps));
  if (options_.peers) {
    for (auto config : {fast, gradient}) {
      const bool second_order = config.learning.rule == LearningRule::kSecondOrder;
      config.score = RecursionMethod::kBackwardWeights;
      config.score_samples = options_.draws;
      runs_.push_back(
          learn(fmt::format("backward weights ({})", second_order ? "second order" : "gradient"),
                start, config, options_.sampled_steps));
    }
  }
  if (!options_.config.empty()) {
    const bool sampled = own_.inference == InferenceMethod::kReparameterised;
    runs_.push_back(learn(std::filesystem::path(options_.config).stem().string(), start, own_,
                          sampled ? options_.sampled_steps : options_.steps));
  }
  add_batch_estimate();

  report_.name = "linear-gaussian-parameters";
  report_.title = "Learning F and G of a linear-Gaussian model (Figure 1b)";
  report_.summary = fmt::format(
      "d = {}, diagonal F and G learned from a wrong start over {} observations{}. \"fast "
      "(gradient)\" takes the steps of exact RMLE and coincides with it; \"fast (second order)\" "
      "divides the same score by the accumulated Fisher information and needs no step size; {}",
      start.F.rows(), problem_.observations.cols(),
      options_.data.empty() ? "" : " of a recorded data set",
      options_.published
          ? "\"published\" and the two AELBOs have the authors' samples, Adam, kernel ridge, "
            "random "
            "starts and prior; S is fitted as in Algorithm 2 (their program fits it one step late)."
          : "\"paper\" and the two AELBOs follow the same algorithm with samples, kernel ridge and "
            "Adam, from the prior and the closed-form kernel (--published: from the authors' "
            "starts).");
  if (options_.peers) {
    report_.summary += fmt::format(
        " \"backward weights\" is fast with S at {} weighted draws (score: backward_weights).",
        options_.draws);
  }
  add_table();
  add_charts();
  add_noise();
  report_.facts = {
      {"Seed", fmt::format("{}", options_.seed)},
      {"Data", options_.data.empty() ? "drawn from the seed"
                                     : std::filesystem::path(options_.data).filename().string()}};
  return report_;
}

}  // namespace

Report linear_gaussian_parameters(const ParametersOptions& options, std::ostream& progress) {
  return Experiment(options, progress).run();
}

}  // namespace ovf
