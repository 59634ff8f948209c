#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "ovf/evaluation/benchmark.hpp"
#include "ovf/evaluation/report_files.hpp"

namespace ovf {
namespace {

std::string shown(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}

std::string results_csv(const std::vector<BenchmarkScore>& scores) {
  const auto number = [](double value) {
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
  };
  std::string text =
      "entry,method,position_rmse,nees,ideal_nees,coverage90,worst_second,attitude_rmse_degrees,"
      "microseconds_per_message,warnings,error\n";
  for (const BenchmarkScore& score : scores) {
    const bool good = score.error.empty();
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(score.entry),
                        csv_field(score.method), number(score.position_rmse), number(score.nees),
                        good ? fmt::format("{}", score.numbers) : "", number(score.coverage90),
                        number(score.worst_second), number(score.attitude_rmse),
                        number(score.microseconds), good ? fmt::format("{}", score.warnings) : "",
                        csv_field(score.error));
  }
  return text;
}

// An entry is a row, a method a colour.
Chart comparison_chart(const std::vector<BenchmarkScore>& scores, Chart chart,
                       const std::function<double(const BenchmarkScore&)>& figure) {
  chart.log_x = true;
  for (const BenchmarkScore& score : scores) {
    if (!score.error.empty() || !(figure(score) > 0.0)) continue;
    auto row = std::find(chart.y_names.begin(), chart.y_names.end(), score.entry);
    if (row == chart.y_names.end()) row = chart.y_names.insert(row, score.entry);
    auto series = std::find_if(chart.series.begin(), chart.series.end(),
                               [&](const Series& each) { return each.name == score.method; });
    if (series == chart.series.end()) {
      series = chart.series.insert(series, {.name = score.method, .style = "points"});
    }
    series->x.push_back(figure(score));
    series->y.push_back(static_cast<double>(row - chart.y_names.begin()));
  }
  return chart;
}

}  // namespace

std::vector<std::string> benchmark_header() {
  return {"entry",           "method",        "position RMSE, m", "NEES (ideal)", "90 % ellipse, %",
          "worst second, m", "attitude, deg", "us/message",       "warnings"};
}

std::vector<std::string> benchmark_row(const BenchmarkScore& score) {
  if (!score.error.empty()) {
    return {score.entry, score.method.empty() ? "–" : score.method, "error: " + score.error};
  }
  return {score.entry,
          score.method,
          shown(score.position_rmse, 3),
          fmt::format("{} ({})", shown(score.nees, 2), score.numbers),
          shown(100.0 * score.coverage90, 1),
          shown(score.worst_second, 3),
          shown(score.attitude_rmse, 2),
          shown(score.microseconds, 0),
          fmt::format("{}", score.warnings)};
}

Report benchmark_report(const std::vector<BenchmarkScore>& scores) {
  Report report{.name = "benchmark", .title = "Benchmark"};
  Table table{
      .title = "Scoreboard",
      .caption =
          "NEES: position error squared in units of its stated covariance, on average the "
          "number in brackets if the stated uncertainty is right, more if the estimator is "
          "too sure of itself. 90 % ellipse: share of true positions in it. Worst second: "
          "largest position error averaged over a second. Attitude: RMSE, in the plane that "
          "of yaw. Warnings: of the recording, and events of the estimator that tell of "
          "trouble.",
      .header = benchmark_header()};
  for (const BenchmarkScore& score : scores) {
    table.rows.push_back(benchmark_row(score));
    if (!score.error.empty()) continue;
    const std::string name = fmt::format("{}.{}.", score.entry, score.method);
    report.values[name + "position_rmse"] = score.position_rmse;
    report.values[name + "nees"] = score.nees;
    report.values[name + "coverage90"] = score.coverage90;
    report.values[name + "worst_second"] = score.worst_second;
  }
  report.tables.push_back(std::move(table));
  for (Chart& chart : std::vector<Chart>{
           comparison_chart(
               scores,
               {.id = "position_rmse", .title = "Position RMSE", .x_label = "m, less is better"},
               [](const BenchmarkScore& score) { return score.position_rmse; }),
           comparison_chart(scores,
                            {.id = "nees",
                            .title = "NEES over its ideal value",
                            .x_label = "1 is right, more is too sure"},
                            [](const BenchmarkScore& s) { return s.nees / s.numbers; })}) {
    if (!chart.series.empty()) report.charts.push_back(std::move(chart));
  }
  report.files["results.csv"] = results_csv(scores);
  return report;
}

}  // namespace ovf
