#include "ovf/evaluation/localisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "evaluation/localisation_run.hpp"
#include "ovf/estimator/config_of_method.hpp"
#include "ovf/evaluation/progress.hpp"
#include "ovf/evaluation/uncertain_text.hpp"

namespace ovf {
namespace {

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  const auto rank = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(rank),
                   values.end());
  return values[rank];
}

// `key` stands before the names of its values and files.
void add_run(const std::string& label, const std::string& key, LocalisationRun& run, Report& report,
             Table& scores) {
  const MachineFigures& machine = run.evaluation.record.machine;
  scores.rows.push_back(
      {label, fmt::format("{:.3f}", run.position_rmse()), fmt::format("{:.2f}", run.mean_nees()),
       fmt::format("{:.1f}", 100.0 * run.coverage()), fmt::format("{:.4f}", run.yaw_rmse()),
       fmt::format("{:.1f}", run.relbo), fmt::format("{:.0f}", machine.p50),
       fmt::format("{:.0f}", machine.p99), fmt::format("{:.0f}", machine.max)});
  const std::string prefix = key.empty() ? "" : key + ".";
  report.values[prefix + "position_rmse"] = run.position_rmse();
  report.values[prefix + "nees"] = run.mean_nees();
  report.values[prefix + "coverage90"] = run.coverage();
  report.values[prefix + "yaw_rmse"] = run.yaw_rmse();
  report.values[prefix + "relbo"] = run.relbo;
  const std::string file = key.empty() ? "trajectory" : "trajectory_" + key;
  report.files[file + ".tum"] = std::move(run.tum);
  report.files[file + ".csv"] = std::move(run.csv);
}

Table message_table(const LocalisationRun& run) {
  Table table{.title = "Messages", .header = {"what became of them, and what happened", "count"}};
  for (int i = 0; i < kOutcomes; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (run.counters.of(outcome) == 0) continue;
    table.rows.push_back({to_string(outcome), fmt::format("{}", run.counters.of(outcome))});
  }
  for (int i = 0; i < kEvents; ++i) {
    const auto event = static_cast<EventKind>(i);
    if (run.counters.of(event) == 0) continue;
    table.rows.push_back(
        {fmt::format("event: {}", to_string(event)), fmt::format("{}", run.counters.of(event))});
  }
  for (const SensorScore& sensor : run.sensors) {
    const double share = sensor.used > 0
                             ? static_cast<double>(sensor.inside) / static_cast<double>(sensor.used)
                             : 0.0;
    table.rows.push_back({fmt::format("{}: innovations inside their 95 % ellipse, %", sensor.name),
                          fmt::format("{:.1f}", 100.0 * share)});
  }
  return table;
}

Table parameter_table(const LocalisationRun& run) {
  Table table{.title = "Learned", .header = {"parameter", "start", "learned", "deviation"}};
  for (const ParameterTrack& track : run.parameters) {
    const UncertainText text = uncertain_text(track.value.back(), track.deviation.back());
    const bool identified = track.status == ParameterStatus::kIdentified;
    table.rows.push_back({track.name, fmt::format("{:.4g}", track.value.front()), text.value,
                          identified ? text.deviation : to_string(track.status)});
  }
  return table;
}

Table beacon_table(const LocalisationRun& run) {
  Table table{
      .title = "Range errors of the beacons, m",
      .caption =
          "Medians over the messages: learned scale and bias at the estimated distance, and "
          "range minus true distance.",
      .header = {"beacon", "messages", "learned", "true"}};
  for (const BeaconError& beacon : run.beacons) {
    table.rows.push_back({fmt::format("{}", beacon.id), fmt::format("{}", beacon.truth.size()),
                          fmt::format("{:.2f}", percentile(beacon.learned, 0.5)),
                          fmt::format("{:.2f}", percentile(beacon.truth, 0.5))});
  }
  return table;
}

Chart trajectory_chart(const LocalisationRun& run, const RobotLog& log) {
  Chart chart{.id = "path", .title = "Trajectory", .x_label = "x, m", .y_label = "y, m"};
  Series truth{.name = "truth"};
  Series estimate{.name = "estimate"};
  Series places{.name = "landmarks", .style = "points"};
  for (const PosePair& pair : run.evaluation.match.pairs) {
    truth.x.push_back(pair.true_position.x());
    truth.y.push_back(pair.true_position.y());
    estimate.x.push_back(pair.estimate.position.x());
    estimate.y.push_back(pair.estimate.position.y());
  }
  for (const Landmark& landmark : log.landmarks) {
    places.x.push_back(landmark.position.x());
    places.y.push_back(landmark.position.y());
  }
  chart.series = {truth, estimate};
  if (!places.x.empty()) chart.series.push_back(places);
  return chart;
}

Chart error_chart(const LocalisationRun& run, Stamp first, int axis) {
  const char* name = axis == 0 ? "x" : "y";
  Chart chart{.id = fmt::format("error_{}", name),
              .title = fmt::format("Error in {} and three standard deviations", name),
              .x_label = "time, s",
              .y_label = "m"};
  Series error{.name = "error", .style = "band"};
  for (const PosePair& pair : run.evaluation.match.pairs) {
    const double deviation = std::sqrt(pair.estimate.covariance(axis, axis));
    error.x.push_back(seconds_between(first, pair.estimate.stamp));
    error.y.push_back(pair.estimate.position[axis] - pair.true_position[axis]);
    error.lower.push_back(-3.0 * deviation);
    error.upper.push_back(3.0 * deviation);
  }
  chart.series.push_back(error);
  return chart;
}

void add_parameter_charts(const LocalisationRun& run, Report& report) {
  int number = 0;
  for (const ParameterTrack& track : run.parameters) {
    Chart chart{.id = fmt::format("parameter_{}", number++),
                .title = track.name,
                .x_label = "time, s",
                .y_label = "value and two standard deviations"};
    Series series{.name = track.name, .x = track.time, .y = track.value, .style = "band"};
    for (std::size_t i = 0; i < track.value.size(); ++i) {
      series.lower.push_back(track.value[i] - 2.0 * track.deviation[i]);
      series.upper.push_back(track.value[i] + 2.0 * track.deviation[i]);
    }
    chart.series.push_back(series);
    report.charts.push_back(chart);
  }
}

}  // namespace

void take_landmarks(const RobotLog& log, EstimatorConfig& config) {
  if (!config.landmark_ids.empty()) return;
  for (const Landmark& landmark : log.landmarks) {
    config.landmark_ids.push_back(landmark.id);
    config.landmark_x.push_back(landmark.position.x());
    config.landmark_y.push_back(landmark.position.y());
    config.landmark_z.push_back(landmark.position.z());
  }
}

Report localisation(const RobotLog& log, const EstimatorConfig& config,
                    const LocalisationOptions& options, std::ostream& stream) {
  if (log.messages.empty()) throw std::invalid_argument("the log has no messages");
  EstimatorConfig known = config;
  take_landmarks(log, known);
  known = config_of_method(options.method, known);

  Report report;
  report.name = options.name;
  report.title = "Localisation of a planar robot";
  report.configuration = write_estimator_config(known);
  if (known.initial.rule == InitialRule::kCall) {
    report.summary = "The first belief is the true pose with the configured deviations.";
  }
  Table scores{.title = "Against the truth",
               .caption =
                   "NEES: normalised error of the position, 2 on average if the stated uncertainty "
                   "is right. Coverage: true positions inside the 90 % ellipse.",
               .header = {"run", "position RMSE, m", "NEES", "coverage, %", "yaw RMSE, rad",
                          "RELBO", "p50, us", "p99, us", "max, us"}};
  const auto run_with = [&](const std::string& method, const std::string& label) {
    Progress progress(label, log.messages.size(), stream);
    LocalisationRun run = run_localisation(log, config_of_method(method, known), progress);
    progress.finish();
    return run;
  };
  const std::string label = options.method == "ovf" ? "learning on" : options.method;
  LocalisationRun run = run_with(options.method, label);
  add_run(label, "", run, report, scores);
  if (options.compare) {
    LocalisationRun off = run_with("no-learn", "learning off");
    add_run("learning off", "off", off, report, scores);
  }
  report.tables = {scores, message_table(run), parameter_table(run)};
  if (!run.beacons.empty()) report.tables.push_back(beacon_table(run));
  const Stamp first = stamp_of(log.messages.front());
  report.charts = {trajectory_chart(run, log), error_chart(run, first, 0),
                   error_chart(run, first, 1)};
  add_parameter_charts(run, report);
  return report;
}

}  // namespace ovf
