#include "ovf/evaluation/localisation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>

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

void add_run(const std::string& label, const LocalisationRun& run, Report& report, Table& scores) {
  const auto micro = [&](double share) { return 1e6 * percentile(run.seconds, share); };
  scores.rows.push_back(
      {label, fmt::format("{:.3f}", run.position_rmse()), fmt::format("{:.2f}", run.mean_nees()),
       fmt::format("{:.1f}", 100.0 * run.coverage(0.9)), fmt::format("{:.4f}", run.yaw_rmse()),
       fmt::format("{:.1f}", run.relbo), fmt::format("{:.0f}", micro(0.5)),
       fmt::format("{:.0f}", micro(0.99)), fmt::format("{:.0f}", micro(1.0))});
  const std::string key = label == "learning on" ? "" : label == "learning off" ? "off." : label;
  report.values[key + "position_rmse"] = run.position_rmse();
  report.values[key + "nees"] = run.mean_nees();
  report.values[key + "coverage90"] = run.coverage(0.9);
  report.values[key + "yaw_rmse"] = run.yaw_rmse();
  report.values[key + "relbo"] = run.relbo;
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
  Chart chart{.id = "trajectory", .title = "Trajectory", .x_label = "x, m", .y_label = "y, m"};
  Series truth{.name = "truth"};
  Series estimate{.name = "estimate"};
  Series places{.name = "landmarks", .style = "points"};
  for (const ScoredPose& pose : run.poses) {
    truth.x.push_back(pose.truth.x());
    truth.y.push_back(pose.truth.y());
    estimate.x.push_back(pose.estimate.x());
    estimate.y.push_back(pose.estimate.y());
  }
  for (const Landmark& landmark : log.landmarks) {
    places.x.push_back(landmark.position.x());
    places.y.push_back(landmark.position.y());
  }
  chart.series = {truth, estimate};
  if (!places.x.empty()) chart.series.push_back(places);
  return chart;
}

Chart error_chart(const LocalisationRun& run, int axis) {
  const char* name = axis == 0 ? "x" : "y";
  Chart chart{.id = fmt::format("error_{}", name),
              .title = fmt::format("Error in {} and three standard deviations", name),
              .x_label = "time, s",
              .y_label = "m"};
  Series error{.name = "error", .style = "band"};
  for (const ScoredPose& pose : run.poses) {
    const double deviation = std::sqrt(pose.covariance(axis, axis));
    error.x.push_back(pose.time);
    error.y.push_back(pose.estimate[axis] - pose.truth[axis]);
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
  const auto run_with = [&](bool learning) {
    Progress progress(learning ? "learning on" : "learning off", log.messages.size(), stream);
    LocalisationRun run =
        run_localisation(log, config_of_method(learning ? "ovf" : "no-learn", known), progress);
    progress.finish();
    return run;
  };
  const LocalisationRun run = run_with(options.learning);
  add_run(options.learning ? "learning on" : "learning off", run, report, scores);
  if (options.compare) add_run("learning off", run_with(false), report, scores);
  report.tables = {scores, message_table(run), parameter_table(run)};
  if (!run.beacons.empty()) report.tables.push_back(beacon_table(run));
  report.charts = {trajectory_chart(run, log), error_chart(run, 0), error_chart(run, 1)};
  add_parameter_charts(run, report);
  return report;
}

}  // namespace ovf
