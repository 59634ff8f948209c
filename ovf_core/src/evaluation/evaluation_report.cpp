#include <fmt/format.h>

#include "evaluation/evaluation_charts.hpp"
#include "evaluation/evaluation_tables.hpp"
#include "ovf/config/printable.hpp"
#include "ovf/evaluation/run_evaluation.hpp"

namespace ovf {
namespace {

std::string summary_of(const std::vector<RunEvaluation>& runs, const GroundTruth& truth,
                       const RunEvaluationOptions& options) {
  if (runs.empty()) return {};
  const RunEvaluation& first = runs.front();
  std::string text;
  if (first.has_truth) {
    const TrajectoryMatch& match = first.match;
    text = fmt::format("{} estimates over {:.0f} m and {:.0f} s against {} true poses ({}).",
                       match.pairs.size(), first.error.path_length, first.error.duration,
                       truth.poses.size(), truth.source);
    if (match.before + match.after + match.in_gaps > 0) {
      text += fmt::format(
          " Not compared: {} before the truth begins, {} after it ends, {} in its gaps of more "
          "than "
          "{:g} s.",
          match.before, match.after, match.in_gaps, first.longest_gap);
    }
    text += options.alignment == AlignmentKind::kNone
                ? " Nothing was aligned: estimates and truth are taken to be in the same frame."
                : fmt::format(" Estimates were aligned with the truth first ({}).",
                              to_string(options.alignment));
  } else {
    text =
        "There is no ground truth: measurements and later estimates are compared with their "
        "predictions.";
  }
  for (const RunEvaluation& run : runs) {
    for (const std::string& warning : run.record.warnings) {
      text += fmt::format("\n\nNot complete: {}", printable(warning, 2000));
    }
  }
  for (const std::string& warning : truth.warnings) {
    text += fmt::format("\n\nGround truth not complete: {}", printable(warning, 2000));
  }
  if (!first.record.recording.empty()) text += "\n\nRecording: " + first.record.recording;
  return text;
}

}  // namespace

Report evaluation_report(const std::vector<RunEvaluation>& runs, const GroundTruth& truth,
                         const RunEvaluationOptions& options) {
  Report report{.name = "evaluation",
                .title = runs.size() > 1 ? "Runs side by side" : "Evaluation of a run",
                .summary = summary_of(runs, truth, options)};
  for (const auto make :
       {overview_table, rollout_table, sensor_table, parameter_table, unused_table}) {
    Table table = make(runs);
    if (!table.rows.empty()) report.tables.push_back(std::move(table));
  }
  report.charts = evaluation_charts(runs, truth);
  if (!runs.empty()) report.configuration = runs.front().record.configuration;
  for (const RunEvaluation& run : runs) {
    for (const auto& [name, value] : run.figures()) {
      report.values[runs.size() == 1 ? name : fmt::format("{}.{}", run.record.name, name)] = value;
    }
  }
  return report;
}

}  // namespace ovf
