#include "evaluation/evaluation_charts.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "evaluation/parameter_charts.hpp"
#include "ovf/filter/filter.hpp"
#include "ovf/math/chi_square.hpp"

namespace ovf {
namespace {

using Runs = std::vector<RunEvaluation>;

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
// As many as a person can tell apart.
constexpr std::size_t kEllipses = 40;
constexpr std::size_t kDrawnRollouts = 60;
constexpr int kEllipsePoints = 24;

// All runs have one time axis: seconds since the first pose of any.
Stamp origin_of(const Runs& runs) {
  Stamp first = std::numeric_limits<Stamp>::max();
  for (const RunEvaluation& run : runs) {
    for (const PoseSample& pose : run.record.poses) first = std::min(first, pose.stamp);
    for (const UpdateSample& update : run.record.updates) first = std::min(first, update.stamp);
  }
  return first;
}

std::string labelled(const Runs& runs, const RunEvaluation& run, const std::string& name) {
  return runs.size() == 1 ? name : fmt::format("{}: {}", run.record.name, name);
}

void add_ellipse(const PoseSample& pose, double radius, Series& out) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(
      Eigen::Matrix2d(pose.covariance.topLeftCorner<2, 2>()));
  const Eigen::Matrix2d axes =
      solver.eigenvectors() * solver.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  for (int i = 0; i <= kEllipsePoints; ++i) {
    const double angle = 2.0 * M_PI * i / kEllipsePoints;
    const Eigen::Vector2d edge =
        pose.position.head<2>() + radius * axes * Eigen::Vector2d(std::cos(angle), std::sin(angle));
    out.x.push_back(edge.x());
    out.y.push_back(edge.y());
  }
  out.x.push_back(kGap);
  out.y.push_back(kGap);
}

Chart trajectory_chart(const Runs& runs, const GroundTruth& truth) {
  Chart chart{.id = "trajectory",
              .title = "Trajectory, with 95 % ellipses",
              .x_label = "x, m",
              .y_label = "y, m",
              .equal_axes = true};
  if (!truth.poses.empty()) {
    Series series{.name = fmt::format("truth ({})", truth.source)};
    for (const PoseSample& pose : truth.poses) {
      series.x.push_back(pose.position.x());
      series.y.push_back(pose.position.y());
    }
    chart.series.push_back(std::move(series));
  }
  const double radius = std::sqrt(chi_square_quantile(0.95, 2.0));
  for (const RunEvaluation& run : runs) {
    Series path{.name = labelled(runs, run, "estimate")};
    Series ellipses{.name = labelled(runs, run, "95 % ellipses")};
    const auto& poses = run.record.poses;
    const std::size_t stride = std::max<std::size_t>(1, poses.size() / kEllipses);
    for (std::size_t i = 0; i < poses.size(); ++i) {
      const PoseSample pose = aligned(poses[i], run.error.alignment);
      path.x.push_back(pose.position.x());
      path.y.push_back(pose.position.y());
      if (i % stride == stride - 1) add_ellipse(pose, radius, ellipses);
    }
    chart.series.push_back(std::move(path));
    chart.series.push_back(std::move(ellipses));
  }
  if (!runs.empty() && !runs.front().record.landmarks.empty()) {
    Series places{.name = "landmarks", .style = "points"};
    for (const Landmark& landmark : runs.front().record.landmarks) {
      places.x.push_back(landmark.position.x());
      places.y.push_back(landmark.position.y());
    }
    chart.series.push_back(std::move(places));
  }
  return chart;
}

Chart rollout_paths_chart(const RunEvaluation& run, const GroundTruth& truth) {
  Chart chart{.id = "rollout_paths",
              .title = "Rollouts, and what happened",
              .x_label = "x, m",
              .y_label = "y, m",
              .caption = fmt::format("{}: some of the rollouts, each from the belief of its time.",
                                     run.record.name),
              .equal_axes = true};
  Series happened{.name = truth.poses.empty() ? "estimate" : "truth"};
  for (const PoseSample& pose : truth.poses.empty() ? run.record.poses : truth.poses) {
    happened.x.push_back(pose.position.x());
    happened.y.push_back(pose.position.y());
  }
  Series paths{.name = "rollouts"};
  const auto& rollouts = run.record.rollouts;
  const std::size_t stride = std::max<std::size_t>(1, rollouts.size() / kDrawnRollouts);
  for (std::size_t i = 0; i < rollouts.size(); i += stride) {
    for (const PoseSample& pose : aligned(rollouts[i], run.error.alignment).poses) {
      paths.x.push_back(pose.position.x());
      paths.y.push_back(pose.position.y());
    }
    paths.x.push_back(kGap);
    paths.y.push_back(kGap);
  }
  // The first is drawn on top.
  chart.series = {std::move(paths), std::move(happened)};
  return chart;
}

void add_error_charts(const Runs& runs, Stamp origin, std::vector<Chart>& charts) {
  const bool planar = runs.front().record.planar;
  const bool oriented = runs.front().match.has_orientation;
  for (int axis = 0; axis < 4; ++axis) {
    if (axis == 2 && planar) continue;
    if (axis == 3 && !oriented) continue;
    const char* name = std::array{"x", "y", "z", "yaw"}[static_cast<std::size_t>(axis)];
    Chart chart{.id = fmt::format("error_{}", name),
                .title = fmt::format("Error in {}, and three standard deviations", name),
                .x_label = "time, s",
                .y_label = axis == 3 ? "rad" : "m"};
    for (const RunEvaluation& run : runs) {
      Series series{.name = run.record.name, .style = "band"};
      for (std::size_t i = 0; i < run.error.series.size(); ++i) {
        const ErrorPoint& point = run.error.series[i];
        const auto& covariance = run.match.pairs[i].estimate.covariance;
        const int row = axis == 3 ? 5 : axis;
        const double deviation = std::sqrt(std::max(0.0, covariance(row, row)));
        series.x.push_back(seconds_between(origin, point.stamp));
        series.y.push_back(axis == 3 ? point.yaw : point.difference[axis]);
        series.lower.push_back(-3.0 * deviation);
        series.upper.push_back(3.0 * deviation);
      }
      chart.series.push_back(std::move(series));
    }
    charts.push_back(std::move(chart));
  }
}

// The level below which 95 % of the values of a right filter are.
Series level(const Series& like, double value, const char* name) {
  Series out{.name = name};
  if (like.x.empty()) return out;
  out.x = {like.x.front(), like.x.back()};
  out.y = {value, value};
  return out;
}

Chart nees_chart(const Runs& runs, Stamp origin) {
  Chart chart{.id = "nees", .x_label = "time, s", .y_label = "NEES", .log_y = true};
  for (const RunEvaluation& run : runs) {
    if (run.nees.empty()) continue;
    const Nees& nees = run.nees.front();
    chart.title = fmt::format("NEES of {}", to_string(nees.kind));
    Series series{.name = run.record.name};
    for (const NeesPoint& point : nees.series) {
      series.x.push_back(seconds_between(origin, point.stamp));
      series.y.push_back(point.nees);
    }
    chart.series.push_back(std::move(series));
  }
  if (chart.series.empty()) return chart;
  const int degrees = degrees_of_freedom(runs.front().nees.front().kind);
  chart.series.push_back(
      level(chart.series.front(), chi_square_quantile(0.95, degrees), "95 % of a right filter"));
  chart.series.push_back(level(chart.series.front(), degrees, "mean of a right filter"));
  return chart;
}

void add_nis_charts(const Runs& runs, Stamp origin, std::vector<Chart>& charts) {
  std::set<std::string> names;
  for (const RunEvaluation& run : runs) {
    for (const SensorConsistency& sensor : run.sensors) names.insert(sensor.sensor);
  }
  for (const std::string& name : names) {
    Chart chart{.id = "nis_" + name,
                .title = fmt::format("NIS of {}", name),
                .x_label = "time, s",
                .y_label = "NIS",
                .log_y = true};
    double degrees = 0.0;
    for (const RunEvaluation& run : runs) {
      Series series{.name = run.record.name, .style = "points"};
      for (const UpdateSample& update : run.record.updates) {
        if (update.sensor != name || update.innovation.size() == 0) continue;
        series.x.push_back(seconds_between(origin, update.stamp));
        series.y.push_back(update.nis);
        degrees = static_cast<double>(update.innovation.size());
      }
      if (!series.x.empty()) chart.series.push_back(std::move(series));
    }
    if (chart.series.empty()) continue;
    chart.series.push_back(
        level(chart.series.front(), chi_square_quantile(0.95, degrees), "95 % of a right filter"));
    charts.push_back(std::move(chart));
  }
}

void add_rollout_charts(const Runs& runs, std::vector<Chart>& charts) {
  Chart error{.id = "rollout_error",
              .title = "Error of rollouts",
              .x_label = "seconds ahead",
              .y_label = "position RMSE, m"};
  Chart coverage{.id = "rollout_coverage",
                 .title = "Is the uncertainty of rollouts right?",
                 .x_label = "seconds ahead",
                 .y_label = "share inside their 90 % ellipse"};
  Series standing{.name = "standing, from the true pose"};
  Series moving{.name = "moving on, from the true pose"};
  for (const RunEvaluation& run : runs) {
    Series errors{.name = run.record.name};
    Series shares{.name = run.record.name};
    for (const HorizonError& horizon : run.rollouts) {
      if (horizon.count == 0) continue;
      errors.x.push_back(horizon.horizon);
      errors.y.push_back(horizon.position.rmse);
      shares.x.push_back(horizon.horizon);
      shares.y.push_back(horizon.coverage90);
      if (&run != &runs.front()) continue;
      standing.x.push_back(horizon.horizon);
      standing.y.push_back(horizon.standing.rmse);
      moving.x.push_back(horizon.horizon);
      moving.y.push_back(horizon.constant_velocity.rmse);
    }
    if (errors.x.empty()) continue;
    error.series.push_back(std::move(errors));
    coverage.series.push_back(std::move(shares));
  }
  if (error.series.empty()) return;
  coverage.series.push_back(level(coverage.series.front(), 0.9, "right"));
  if (runs.front().has_truth) {
    error.series.push_back(std::move(standing));
    error.series.push_back(std::move(moving));
  }
  charts.push_back(std::move(error));
  charts.push_back(std::move(coverage));
}

Chart latency_chart(const Runs& runs) {
  Chart chart{.id = "latency",
              .title = "Time per message",
              .x_label = "microseconds",
              .y_label = "messages",
              .log_x = true};
  for (const RunEvaluation& run : runs) {
    const MachineFigures& machine = run.record.machine;
    if (machine.counts.empty()) continue;
    Series series{
        .name = run.record.name, .x = machine.edges, .y = machine.counts, .style = "steps"};
    series.y.push_back(0.0);
    chart.series.push_back(std::move(series));
  }
  return chart;
}

// Rows from bad to good, as the filter names them.
Chart health_chart(const Runs& runs, Stamp origin) {
  Chart chart{.id = "health", .title = "Health of the belief", .x_label = "time, s"};
  std::map<std::string, double> rows;
  for (const Health health : {Health::kRestarted, Health::kInconsistent, Health::kOverconfident,
                              Health::kPoorFit, Health::kAmbiguous, Health::kGood}) {
    rows[to_string(health)] = static_cast<double>(chart.y_names.size());
    chart.y_names.emplace_back(to_string(health));
  }
  for (const RunEvaluation& run : runs) {
    Series series{.name = run.record.name, .style = "points"};
    for (const HealthSample& sample : run.record.health) {
      const auto row = rows.find(sample.health);
      if (row == rows.end()) continue;
      series.x.push_back(seconds_between(origin, sample.stamp));
      series.y.push_back(row->second);
    }
    if (!series.x.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

Chart event_chart(const Runs& runs, Stamp origin) {
  Chart chart{.id = "events", .title = "What happened", .x_label = "time, s"};
  std::map<std::string, double> rows;
  const auto what = [](const std::string& text) {
    // The value at the end is different each time.
    const auto last = text.rfind(' ');
    const bool number = last != std::string::npos && last + 1 < text.size() &&
                        text.find_first_not_of("0123456789.e+-", last + 1) == std::string::npos;
    return number ? text.substr(0, last) : text;
  };
  for (const RunEvaluation& run : runs) {
    for (const EventSample& event : run.record.events) rows[what(event.text)] = 0.0;
  }
  for (auto& [name, row] : rows) {
    row = static_cast<double>(chart.y_names.size());
    chart.y_names.push_back(name);
  }
  for (const RunEvaluation& run : runs) {
    Series series{.name = run.record.name, .style = "points"};
    for (const EventSample& event : run.record.events) {
      series.x.push_back(seconds_between(origin, event.stamp));
      series.y.push_back(rows[what(event.text)]);
    }
    if (!series.x.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::vector<Chart> evaluation_charts(const Runs& runs, const GroundTruth& truth) {
  std::vector<Chart> charts;
  if (runs.empty()) return charts;
  const Stamp origin = origin_of(runs);
  const auto add = [&](Chart chart) {
    if (!chart.series.empty()) charts.push_back(std::move(chart));
  };
  if (!runs.front().record.poses.empty()) add(trajectory_chart(runs, truth));
  if (runs.front().has_truth) {
    add_error_charts(runs, origin, charts);
    add(nees_chart(runs, origin));
  }
  if (!runs.front().record.rollouts.empty()) add(rollout_paths_chart(runs.front(), truth));
  add_rollout_charts(runs, charts);
  add_nis_charts(runs, origin, charts);
  for (Chart& chart : parameter_charts(runs, origin)) charts.push_back(std::move(chart));
  add(health_chart(runs, origin));
  add(event_chart(runs, origin));
  add(latency_chart(runs));
  return charts;
}

}  // namespace ovf
