#include "evaluation/calibration_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// Scores beyond this are drawn at the edge of the chart.
constexpr double kEdge = 10.0;

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.0f}", 100.0 * share) : "–";
}

std::string score(double value) {
  if (!std::isfinite(value)) return "–";
  return std::abs(value) < 100.0 ? fmt::format("{:.2f}", value) : fmt::format("{:.3g}", value);
}

// A histogram as ten characters.
std::string bars(const QuantityCalibration& found) {
  static const char* const kBars[] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const long most = *std::max_element(found.ranks.begin(), found.ranks.end());
  std::string text;
  for (const long count : found.ranks) {
    const long height = most == 0 ? 0 : (8 * count + most - 1) / most;
    text += kBars[static_cast<std::size_t>(height)];
  }
  return text;
}

void add_row(const QuantityCalibration& found, Table& table) {
  table.rows.push_back({found.quantity, fmt::format("{}", found.runs), percent(found.coverage50),
                        percent(found.coverage90), percent(found.coverage95), score(found.rms_z),
                        score(found.mean_z), found.samples > 0 ? bars(found) : "–",
                        fmt::format("{}", found.not_identified),
                        found.samples > 0 ? to_string(found.verdict) : "not identified"});
}

void add_values(const std::string& id, const QuantityCalibration& found, Report& report) {
  const std::string key = fmt::format("{} {} ", id, found.quantity);
  auto& values = report.values;
  values[key + "runs"] = static_cast<double>(found.runs);
  values[key + "not_identified"] = static_cast<double>(found.not_identified);
  if (found.samples == 0) return;
  values[key + "coverage50"] = found.coverage50;
  values[key + "coverage90"] = found.coverage90;
  values[key + "coverage95"] = found.coverage95;
  values[key + "rms_z"] = found.rms_z;
  values[key + "mean_z"] = found.mean_z;
  values[key + "overconfident"] = found.verdict == CalibrationVerdict::kOverconfident ? 1.0 : 0.0;
  for (std::size_t i = 0; i < found.ranks.size(); ++i) {
    values[fmt::format("{}rank_{}", key, i)] = static_cast<double>(found.ranks[i]);
  }
}

Series rank_series(const QuantityCalibration& found) {
  Series series{.name = found.quantity, .style = "steps"};
  for (int i = 0; i < kRankBins; ++i) {
    series.x.push_back(static_cast<double>(i) / kRankBins);
    series.y.push_back(static_cast<double>(found.ranks[static_cast<std::size_t>(i)]) /
                       static_cast<double>(std::max(found.samples, 1L)));
  }
  // The end of the last bin.
  series.x.push_back(1.0);
  series.y.push_back(series.y.back());
  return series;
}

Chart rank_chart(const std::string& id, const std::string& title,
                 const std::vector<QuantityCalibration>& pooled) {
  Chart chart{.id = id + "_ranks",
              .title = title + ": ranks of the truth",
              .x_label = "probability below the true value, in the stated posterior",
              .y_label = "share of true values",
              .caption =
                  "0.1 everywhere if the posteriors are right; high at both ends if they are too "
                  "narrow, high in the middle if they are too wide, sloped if they are biased."};
  for (const QuantityCalibration& found : pooled) {
    if (found.samples > 0) chart.series.push_back(rank_series(found));
  }
  return chart;
}

Chart coverage_chart(const std::string& id, const std::string& title,
                     const std::vector<QuantityCalibration>& all) {
  Chart chart{.id = id + "_coverage",
              .title = title + ": coverage",
              .x_label = "true values inside the interval, %",
              .y_label = "",
              .caption = "Each point should be at the number in its name."};
  Series within50{.name = "50 %", .style = "points"};
  Series within90{.name = "90 %", .style = "points"};
  Series within95{.name = "95 %", .style = "points"};
  for (const QuantityCalibration& found : all) {
    const auto y = static_cast<double>(chart.y_names.size());
    chart.y_names.push_back(found.quantity);
    for (auto [series, coverage] :
         {std::pair(&within50, found.coverage50), std::pair(&within90, found.coverage90),
          std::pair(&within95, found.coverage95)}) {
      series->x.push_back(100.0 * coverage);
      series->y.push_back(y);
    }
  }
  chart.series = {within50, within90, within95};
  return chart;
}

Chart score_chart(const std::string& id, const std::string& title,
                  const std::vector<QuantityCalibration>& all,
                  const std::vector<CalibrationRun>& runs) {
  Chart chart{.id = id + "_z",
              .title = title + ": errors in standard deviations",
              .x_label = "(truth - value) / standard deviation",
              .y_label = "",
              .caption = fmt::format("In the logarithm for positive parameters. 95 % of the points "
                                     "should be between -2 and 2; those beyond {:g} are drawn "
                                     "there.",
                                     kEdge)};
  Series series{.name = "z", .style = "points"};
  for (const QuantityCalibration& found : all) {
    const auto y = static_cast<double>(chart.y_names.size());
    chart.y_names.push_back(found.quantity);
    for (const CalibrationRun& run : runs) {
      for (const CalibrationSample& sample : run.samples) {
        if (sample.quantity != found.quantity || !sample.identified) continue;
        series.x.push_back(std::clamp(z_score(sample), -kEdge, kEdge));
        series.y.push_back(y);
      }
    }
  }
  chart.series = {series};
  return chart;
}

bool failed(const CalibrationRun& run) { return !run.failure.empty(); }

std::string caption_of(const std::vector<CalibrationRun>& runs) {
  const auto first = std::find_if(runs.begin(), runs.end(), failed);
  if (first == runs.end()) return "";
  return fmt::format("{} of {} runs failed and are left out; the first: seed {}, {}.",
                     std::count_if(runs.begin(), runs.end(), failed), runs.size(), first->seed,
                     first->failure);
}

}  // namespace

void add_calibration(const std::string& id, const std::string& title,
                     const std::vector<CalibrationRun>& runs, Report& report) {
  const std::vector<QuantityCalibration> all = calibration_by_quantity(runs);
  const std::vector<QuantityCalibration> pooled{calibration_of_all(runs, false, "all states"),
                                                calibration_of_all(runs, true, "all parameters")};
  Table table{.title = title,
              .caption = caption_of(runs),
              .header = {"quantity", "runs", "50 %", "90 %", "95 %", "rms z", "mean z", "ranks",
                         "not identified", "verdict"}};
  for (const auto* list : {&pooled, &all}) {
    for (const QuantityCalibration& found : *list) {
      add_row(found, table);
      add_values(id, found, report);
    }
  }
  report.values[id + " failed"] = static_cast<double>(std::count_if(
      runs.begin(), runs.end(), [](const CalibrationRun& run) { return !run.failure.empty(); }));
  report.tables.push_back(table);
  report.charts.push_back(rank_chart(id, title, pooled));
  report.charts.push_back(coverage_chart(id, title, all));
  report.charts.push_back(score_chart(id, title, all, runs));
}

}  // namespace ovf
