#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include "evaluation/chaotic_rnn_learning.hpp"
#include "evaluation/chaotic_rnn_peers.hpp"
#include "evaluation/learning_run.hpp"
#include "evaluation/tracking_run.hpp"
#include "ovf/evaluation/chaotic_rnn_experiments.hpp"
#include "ovf/evaluation/chaotic_rnn_problem.hpp"
#include "ovf/filter/filter_schema.hpp"

namespace ovf {
namespace {

// A longer list of parameters shows the network's weights by their mean error alone.
constexpr int kLongestList = 40;
constexpr int kHorizons[] = {1, 5, 20};

class ParameterExperiment {
 public:
  ParameterExperiment(const ChaoticRnnParametersOptions& options, std::ostream& progress)
      : options_(options), progress_(progress), split_(split_problem(options)) {}

  Report run();

 private:
  void learn(const LearningCase& learning);
  /// `node`: the name of the configuration in the report.
  LearningRun learn(const LearningCase& learning, const std::string& name, const std::string& node,
                    OnlineVariationalFilterConfig config);
  std::vector<double> prediction_errors(const ChaoticRnnSpec& spec, const Eigen::VectorXd& theta,
                                        const std::string& label);
  void add_chart(const LearningCase& learning, const std::vector<LearningRun>& runs);
  void add_estimates(const LearningCase& learning, const std::vector<LearningRun>& runs);
  void add_predictions(const LearningCase& learning, const std::vector<LearningRun>& runs);

  ChaoticRnnParametersOptions options_;
  std::ostream& progress_;
  LearningSplit split_;
  Report report_;
};

LearningRun ParameterExperiment::learn(const LearningCase& learning, const std::string& name,
                                       const std::string& node,
                                       OnlineVariationalFilterConfig config) {
  config.seed = options_.seed;
  report_.configuration += write_filter_config(config, fmt::format("{}_{}", learning.id, node));
  OnlineVariationalFilter filter(make_chaotic_rnn(learning.start), config);
  auto run = run_learning(
      fmt::format("{}, {}", learning.id, name), filter,
      [&] { return filter.learner().standard_deviations(); }, split_.observations,
      static_cast<int>(split_.observations.cols()), progress_);
  run.name = name;
  return run;
}

// Errors of the state that the network reaches from the filtered mean, for each horizon.
std::vector<double> ParameterExperiment::prediction_errors(const ChaoticRnnSpec& spec,
                                                           const Eigen::VectorXd& theta,
                                                           const std::string& label) {
  auto model = make_chaotic_rnn(spec);
  model.set_parameters(theta);
  OnlineVariationalFilter filter(std::move(model), chaotic_rnn_fast_config());
  Progress progress(label, static_cast<std::size_t>(split_.test.steps()), progress_);
  const auto run = track(filter, split_.test, progress, {});
  progress.finish();
  require_complete(run, label);

  ChaoticRnn network(spec);
  network.set_parameters(theta.head(network.parameters().size()));
  std::vector<double> errors;
  Eigen::MatrixXd x = run.filtered;
  Eigen::MatrixXd next;
  int k = 0;
  for (const int horizon : kHorizons) {
    for (; k < horizon; ++k) {
      network.values({}, x, next);
      x.swap(next);
    }
    const int first = std::max(split_.first_target, horizon);
    const int count = split_.test.steps() - first;
    const Eigen::MatrixXd error =
        x.middleCols(first - horizon, count) - split_.test.states.rightCols(count);
    errors.push_back(error.cwiseAbs2().colwise().mean().cwiseSqrt().mean());
  }
  return errors;
}

void ParameterExperiment::add_chart(const LearningCase& learning,
                                    const std::vector<LearningRun>& runs) {
  const auto model = make_chaotic_rnn(learning.truth);
  const Eigen::VectorXd& truth = model.parameters().values();
  const Eigen::Index weights = learning.truth.learn_W ? learning.truth.W.size() : 0;
  Chart scalars{.id = learning.id + "_error",
                .title = learning.title,
                .x_label = "time step",
                .y_label = "relative error",
                .log_x = true,
                .log_y = true};
  Chart network{.id = learning.id + "_W",
                .title = "Error of W",
                .x_label = "time step",
                .y_label = "mean absolute error",
                .log_x = true,
                .log_y = true};
  for (const auto& run : runs) {
    for (Eigen::Index j = weights; j < truth.size(); ++j) {
      Series series{.name = fmt::format("{}, {}", model.parameters().info(static_cast<int>(j)).name,
                                        run.name),
                    .x = run.times};
      for (const auto& theta : run.parameters) {
        series.y.push_back(std::abs(theta[j] / truth[j] - 1.0));
      }
      scalars.series.push_back(series);
    }
    if (weights == 0) continue;
    Series series{.name = run.name, .x = run.times};
    for (const auto& theta : run.parameters) {
      series.y.push_back((theta - truth).head(weights).cwiseAbs().mean());
    }
    network.series.push_back(series);
  }
  report_.charts.push_back(scalars);
  if (weights > 0) report_.charts.push_back(network);
}

void ParameterExperiment::add_estimates(const LearningCase& learning,
                                        const std::vector<LearningRun>& runs) {
  const auto model = make_chaotic_rnn(learning.truth);
  const Eigen::VectorXd truth = model.parameters().values();
  const Eigen::VectorXd start = make_chaotic_rnn(learning.start).parameters().values();
  const Eigen::Index weights = learning.truth.learn_W ? learning.truth.W.size() : 0;
  Table table{
      .title = fmt::format("After {} observations: {}", split_.observations.cols(), learning.title),
      .caption =
          "Standard deviations as the learner gives them: of what is left to learn from "
          "data, without the bias of the approximate posterior.",
      .header = {"parameter", "truth", "start"}};
  for (const auto& run : runs) {
    table.header.push_back(run.name);
    table.header.emplace_back("standard deviation");
  }
  for (Eigen::Index j = truth.size() > kLongestList ? weights : 0; j < truth.size(); ++j) {
    const std::string& name = model.parameters().info(static_cast<int>(j)).name;
    std::vector<std::string> row{name, fmt::format("{:.4f}", truth[j]),
                                 fmt::format("{:.4f}", start[j])};
    for (const auto& run : runs) {
      row.push_back(fmt::format("{:.4f}", run.parameters.back()[j]));
      row.push_back(fmt::format("{:.4f}", run.deviations.back()[j]));
    }
    table.rows.push_back(row);
  }
  if (weights > 0) {
    std::vector<std::string> row{
        "W, mean absolute error", "0",
        fmt::format("{:.4f}", (start - truth).head(weights).cwiseAbs().mean())};
    for (const auto& run : runs) {
      row.push_back(
          fmt::format("{:.4f}", (run.parameters.back() - truth).head(weights).cwiseAbs().mean()));
      row.push_back(fmt::format("{:.4f}", run.deviations.back().head(weights).mean()));
    }
    table.rows.push_back(row);
  }
  report_.tables.push_back(table);
  for (const auto& run : runs) {
    const auto key = fmt::format("{} {} ", learning.id, run.name);
    for (Eigen::Index j = weights; j < truth.size(); ++j) {
      const std::string& name = model.parameters().info(static_cast<int>(j)).name;
      report_.values[key + name] = run.parameters.back()[j];
      report_.values[key + name + "_sd"] = run.deviations.back()[j];
    }
    if (weights > 0) {
      report_.values[key + "W_error"] =
          (run.parameters.back() - truth).head(weights).cwiseAbs().mean();
    }
    report_.values[key + "seconds_per_step"] = run.seconds_per_step;
  }
}

void ParameterExperiment::add_predictions(const LearningCase& learning,
                                          const std::vector<LearningRun>& runs) {
  Table table{.title = fmt::format("Prediction of held-out states: {}", learning.title),
              .caption =
                  "k steps ahead, from the filtered mean through the network: root mean square "
                  "over dimensions, averaged over time.",
              .header = {"parameters"}};
  for (const int horizon : kHorizons) table.header.push_back(fmt::format("k = {}", horizon));
  const auto add = [&](const std::string& name, const ChaoticRnnSpec& spec,
                       const Eigen::VectorXd& theta) {
    const auto errors =
        prediction_errors(spec, theta, fmt::format("{}, predictions, {}", learning.id, name));
    std::vector<std::string> row{name};
    for (std::size_t i = 0; i < errors.size(); ++i) {
      row.push_back(fmt::format("{:.4f}", errors[i]));
      report_.values[fmt::format("{} {} predict_{}", learning.id, name, kHorizons[i])] = errors[i];
    }
    table.rows.push_back(row);
  };
  add("start", learning.start, make_chaotic_rnn(learning.start).parameters().values());
  for (const auto& run : runs) add(run.name, learning.start, run.parameters.back());
  add("truth", learning.truth, make_chaotic_rnn(learning.truth).parameters().values());
  report_.tables.push_back(table);
}

void ParameterExperiment::learn(const LearningCase& learning) {
  const auto fast = OnlineVariationalFilterConfig::fast();
  auto aelbo_2 = fast;
  aelbo_2.objective = Objective::kAelbo2;
  std::vector<LearningRun> runs{learn(learning, "fast", "elbo", fast),
                                learn(learning, "fast, AELBO-2", "aelbo_2", aelbo_2)};
  if (options_.peers) {
    auto weights = fast;
    weights.score = RecursionMethod::kBackwardWeights;
    weights.score_samples = options_.draws;
    runs.push_back(
        learn(learning, "accurate", "accurate", OnlineVariationalFilterConfig::accurate()));
    runs.push_back(learn(learning, "backward weights", "backward_weights", weights));
  }
  add_chart(learning, runs);
  add_estimates(learning, runs);
  add_predictions(learning, runs);
  if (options_.peers) {
    add_peers(learning, runs, split_.test, options_.seed, progress_, report_);
  }
}

Report ParameterExperiment::run() {
  learn(dynamics_case(split_.test.spec));
  learn(network_case(split_.test.spec));
  report_.name = "crnn-parameters";
  report_.title = "Learning the chaotic recurrent network while filtering";
  report_.summary = fmt::format(
      "d = {}, {} observations, second-order learning from wrong starts: first gamma, tau and the "
      "noise with W known, then all of W and the noise with gamma and tau known. \"fast, AELBO-2\" "
      "drops the backward recursions V, T and S. Predictions are for {}.",
      split_.test.dim(), split_.observations.cols(),
      options_.data.empty() ? "a sequence of its own" : "the last fifth of the data");
  if (options_.peers) {
    report_.summary += fmt::format(
        " \"backward weights\" is fast with S at {} weighted draws (score: backward_weights).",
        options_.draws);
  }
  report_.facts = {{"Seed", fmt::format("{}", options_.seed)},
                   {"Data", options_.data.empty() ? "drawn" : options_.data}};
  return report_;
}

}  // namespace

Report chaotic_rnn_parameters(const ChaoticRnnParametersOptions& options, std::ostream& progress) {
  return ParameterExperiment(options, progress).run();
}

}  // namespace ovf
