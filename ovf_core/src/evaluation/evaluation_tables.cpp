#include "evaluation/evaluation_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "ovf/evaluation/uncertain_text.hpp"
#include "ovf/filter/filter.hpp"
#include "ovf/math/chi_square.hpp"

namespace ovf {
namespace {

std::string shown(double value, int digits = 3) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "–";
}

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f}", 100.0 * share) : "–";
}

double degrees(double radians) { return radians * 180.0 / M_PI; }

// Fewer independent samples than this say little.
constexpr double kFewestSamples = 20.0;

// "0.97 (0.80 to 1.20)".
std::string with_band(double value, const Band& band, double samples) {
  if (!std::isfinite(value)) return "–";
  if (!std::isfinite(band.low) || samples < kFewestSamples) {
    return fmt::format("{:.2f} (too short to judge)", value);
  }
  return fmt::format("{:.2f} ({:.2f} to {:.2f})", value, band.low, band.high);
}

std::vector<std::string> header(const char* first, const std::vector<RunEvaluation>& runs) {
  std::vector<std::string> names{first};
  for (const RunEvaluation& run : runs) names.push_back(run.record.name);
  return names;
}

using Cell = std::function<std::string(const RunEvaluation&)>;

void add_row(Table& table, const std::string& name, const std::vector<RunEvaluation>& runs,
             const Cell& cell) {
  std::vector<std::string> row{name};
  bool any = false;
  for (const RunEvaluation& run : runs) {
    row.push_back(cell(run));
    any = any || row.back() != "–";
  }
  if (any) table.rows.push_back(std::move(row));
}

const Nees* find_nees(const RunEvaluation& run, NeesKind kind) {
  for (const Nees& each : run.nees) {
    if (each.kind == kind) return &each;
  }
  return nullptr;
}

void add_nees_rows(Table& table, const std::vector<RunEvaluation>& runs) {
  for (const NeesKind kind : {NeesKind::kPlanarPosition, NeesKind::kPlanarPose, NeesKind::kPosition,
                              NeesKind::kAttitude, NeesKind::kPose}) {
    const auto of = [kind](const RunEvaluation& run, const auto& cell) {
      const Nees* found = find_nees(run, kind);
      return found == nullptr ? std::string("–") : cell(*found);
    };
    const std::string name = to_string(kind);
    add_row(table, fmt::format("ANEES of {} (ideal 1), 95 % band", name), runs,
            [&](const RunEvaluation& run) {
              return of(run, [](const Nees& n) {
                return with_band(n.anees, n.effective_band, n.effective_count);
              });
            });
    add_row(table, fmt::format("coverage of the 50 / 90 / 95 % ellipses of {}, %", name), runs,
            [&](const RunEvaluation& run) {
              return of(run, [](const Nees& n) {
                if (n.count == 0) return std::string("–");
                return fmt::format("{} / {} / {}", percent(n.coverage50), percent(n.coverage90),
                                   percent(n.coverage95));
              });
            });
  }
}

}  // namespace

Table overview_table(const std::vector<RunEvaluation>& runs) {
  const bool has_truth = !runs.empty() && runs.front().has_truth;
  Table table{.title = "At a glance",
              .caption =
                  "ELBO: log density of the measurements as predicted, in nats; more is better, on "
                  "the same recording and sensors.",
              .header = header("", runs)};
  if (has_truth) {
    table.caption +=
        " ANEES: mean error squared in units of its stated covariance, per number; above 1 the "
        "estimator is too sure of itself, below 1 too careful. Its band allows for errors of "
        "neighbouring times being alike.";
  }
  add_row(table, "position RMSE, m", runs,
          [](const RunEvaluation& run) { return shown(run.error.position.rmse); });
  add_row(table, "position RMSE in x and y alone, m", runs, [](const RunEvaluation& run) {
    return run.record.planar ? std::string("–") : shown(run.error.horizontal.rmse);
  });
  add_row(table, "position error, median / 95 % / largest, m", runs, [](const RunEvaluation& run) {
    const ErrorSummary& e = run.error.position;
    if (e.count == 0) return std::string("–");
    return fmt::format("{} / {} / {}", shown(e.median), shown(e.p95), shown(e.max));
  });
  add_row(table, "yaw RMSE, degrees", runs,
          [](const RunEvaluation& run) { return shown(degrees(run.error.yaw.rmse), 2); });
  add_row(table, "attitude error, RMSE / largest, degrees", runs, [](const RunEvaluation& run) {
    const ErrorSummary& e = run.error.rotation;
    if (run.record.planar || e.count == 0) return std::string("–");
    return fmt::format("{} / {}", shown(degrees(e.rmse), 2), shown(degrees(e.max), 2));
  });
  for (const double length : usual_segment_lengths()) {
    add_row(table, fmt::format("drift over {:g} m, %", length), runs,
            [length](const RunEvaluation& run) {
              for (const SegmentError& segment : run.relative.segments) {
                if (segment.length == length) return shown(segment.translation_percent, 2);
              }
              return std::string("–");
            });
  }
  add_nees_rows(table, runs);
  add_row(table, "ELBO per measurement, nats", runs,
          [](const RunEvaluation& run) { return shown(run.predictive.overall.mean); });
  add_row(table, "time in good health, %", runs, [](const RunEvaluation& run) {
    const auto& samples = run.record.health;
    if (samples.empty()) return std::string("–");
    const auto good = std::count_if(samples.begin(), samples.end(), [](const HealthSample& sample) {
      return sample.health == to_string(Health::kGood);
    });
    return percent(static_cast<double>(good) / static_cast<double>(samples.size()));
  });
  add_row(table, "measurements used", runs,
          [](const RunEvaluation& run) { return fmt::format("{}", run.predictive.overall.count); });
  add_row(table, "time per message, p50 / p95 / p99 / largest, us", runs,
          [](const RunEvaluation& run) {
            const MachineFigures& m = run.record.machine;
            if (m.p50 == 0.0) return std::string("–");
            return fmt::format("{:.0f} / {:.0f} / {:.0f} / {:.0f}", m.p50, m.p95, m.p99, m.max);
          });
  add_row(table, "times real time", runs, [](const RunEvaluation& run) {
    const double times = run.record.machine.times_real_time;
    return times == 0.0 ? std::string("–") : fmt::format("{:.0f}", times);
  });
  add_row(table, "peak memory, MB", runs, [](const RunEvaluation& run) {
    const double megabytes = run.record.machine.peak_megabytes;
    return megabytes == 0.0 ? std::string("–") : fmt::format("{:.0f}", megabytes);
  });
  return table;
}

Table rollout_table(const std::vector<RunEvaluation>& runs) {
  const bool has_truth = !runs.empty() && runs.front().has_truth;
  Table table{
      .title = "Predictions of the learned model (rollouts)",
      .caption = has_truth ? "Position errors against the truth. Standing and moving on start from "
                             "the true pose, which a robot does not know."
                           : "Position errors against what was estimated later on: there is no "
                             "ground truth.",
      .header = {"run", "seconds ahead", "rollouts", "RMSE, m",
                 "coverage of the 50 / 90 / 95 % ellipses, %", "standing, m", "moving on, m"}};
  for (const RunEvaluation& run : runs) {
    for (const HorizonError& horizon : run.rollouts) {
      if (horizon.count == 0) continue;
      table.rows.push_back({run.record.name, fmt::format("{:g}", horizon.horizon),
                            fmt::format("{}", horizon.count), shown(horizon.position.rmse),
                            fmt::format("{} / {} / {}", percent(horizon.coverage50),
                                        percent(horizon.coverage90), percent(horizon.coverage95)),
                            shown(horizon.standing.rmse), shown(horizon.constant_velocity.rmse)});
    }
  }
  return table;
}

namespace {

// Median NIS over that of a right filter; outliers of heavy-tailed sensors leave it alone.
double median_nis(const RunRecord& record, const std::string& sensor) {
  std::vector<double> ratios;
  for (const UpdateSample& update : record.updates) {
    if (update.sensor != sensor || update.outcome != "used" || update.innovation.size() == 0) {
      continue;
    }
    const auto degrees = static_cast<double>(update.innovation.size());
    ratios.push_back(update.nis / chi_square_quantile(0.5, degrees));
  }
  if (ratios.empty()) return std::nan("");
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

}  // namespace

Table sensor_table(const std::vector<RunEvaluation>& runs) {
  Table table{
      .title = "Sensors",
      .caption =
          "NIS: innovation squared in units of its covariance, per element, mean and median; ideal "
          "1; outliers of "
          "heavy-tailed sensors raise the mean alone. Whiteness: the smallest probability, over "
          "the sensor's numbers, "
          "that innovations are as correlated as they are by chance (Ljung-Box); near 0: there "
          "is something left to learn in them.",
      .header = {"run", "sensor", "used", "gated", "NIS ratio (band)", "median NIS",
                 "outside of 95 %, %", "whiteness", "ELBO per message"}};
  for (const RunEvaluation& run : runs) {
    for (const SensorConsistency& sensor : run.sensors) {
      double white = std::nan("");
      for (const InnovationComponent& component : sensor.components) {
        const double p = component.whiteness.p_value;
        if (std::isfinite(p) && !(p >= white)) white = p;
      }
      double elbo = std::nan("");
      for (const ElboFigures& figures : run.predictive.sensors) {
        if (figures.sensor == sensor.sensor) elbo = figures.mean;
      }
      table.rows.push_back(
          {run.record.name, sensor.sensor, fmt::format("{}", sensor.used),
           fmt::format("{}", sensor.gated),
           with_band(sensor.nis.ratio, sensor.nis.effective_band, sensor.nis.effective_count),
           shown(median_nis(run.record, sensor.sensor), 2), percent(sensor.nis.outside95),
           shown(white), shown(elbo)});
    }
  }
  return table;
}

namespace {

// A deviation only where it means something.
std::string parameter_text(const ParameterSample& sample, std::size_t i) {
  const ParameterStatus status =
      i < sample.status.size() ? sample.status[i] : ParameterStatus::kIdentified;
  if (status != ParameterStatus::kIdentified) {
    return fmt::format("{:.4g} ({})", sample.values[i], to_string(status));
  }
  const UncertainText text = uncertain_text(sample.values[i], sample.deviations[i]);
  return fmt::format("{} ± {}", text.value, text.deviation);
}

}  // namespace

Table parameter_table(const std::vector<RunEvaluation>& runs) {
  Table table{.title = "Learned parameters, ±1σ", .header = {"parameter"}};
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const RunEvaluation& run : runs) {
    table.header.push_back(run.record.name);
    if (run.record.parameters.empty()) continue;
    for (const std::string& name : run.record.parameters.back().names) {
      if (known.insert(name).second) names.push_back(name);
    }
  }
  for (const std::string& name : names) {
    add_row(table, name, runs, [&](const RunEvaluation& run) {
      if (run.record.parameters.empty()) return std::string("–");
      const ParameterSample& last = run.record.parameters.back();
      for (std::size_t i = 0; i < last.names.size(); ++i) {
        if (last.names[i] == name) return parameter_text(last, i);
      }
      return std::string("–");
    });
  }
  return table;
}

Table unused_table(const std::vector<RunEvaluation>& runs) {
  Table table{.title = "Unused messages", .header = header("sensor: reason", runs)};
  std::map<std::string, std::vector<long>> counts;
  const auto count = [&](const std::string& what, std::size_t run, long number) {
    auto& row = counts[what];
    row.resize(runs.size(), 0);
    row[run] += number;
  };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const UpdateSample& update : runs[i].record.updates) {
      if (update.outcome == "used" || update.outcome == "predicted") continue;
      const std::string sensor = update.sensor.empty() ? "control" : update.sensor;
      count(fmt::format("{}: {}", sensor, update.outcome), i, 1);
    }
    for (const UnusedSample& unused : runs[i].record.unused) {
      count(fmt::format("{}: {}", unused.sensor, unused.reason), i, unused.count);
    }
  }
  for (const auto& [what, row] : counts) {
    std::vector<std::string> cells{what};
    for (const long number : row) cells.push_back(fmt::format("{}", number));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace ovf
