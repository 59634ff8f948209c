#include "evaluation/parameter_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <set>

namespace ovf {
namespace {

// A parameter of which nothing is known would hide all others of its chart.
constexpr double kMaxFactor = 10.0;
constexpr std::size_t kMaxFileName = 80;

// Noise levels and degrees of freedom are uncertain by a factor.
bool is_positive(const std::string& name) {
  return name.find(".noise") != std::string::npos || name.ends_with(".nu") ||
         name.ends_with(".drift");
}

// Two standard deviations around a value.
void add_band(const std::string& name, double value, double deviation, Series& out) {
  if (is_positive(name) && value > 0.0) {
    const double factor = std::min(kMaxFactor, std::exp(2.0 * deviation / value));
    out.lower.push_back(value / factor);
    out.upper.push_back(value * factor);
  } else {
    out.lower.push_back(value - 2.0 * deviation);
    out.upper.push_back(value + 2.0 * deviation);
  }
}

// Of a chart and its file: the parameter's name as far as a file may have it.
std::string chart_id(const std::string& parameter, std::set<std::string>& taken) {
  std::string name = "parameter_" + parameter.substr(0, kMaxFileName);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  std::string id = name;
  for (int again = 2; !taken.insert(id).second; ++again) id = fmt::format("{}_{}", name, again);
  return id;
}

}  // namespace

std::vector<Chart> parameter_charts(const std::vector<RunEvaluation>& runs, Stamp origin) {
  std::map<std::string, Chart> by_name;
  std::vector<std::string> order;
  for (const RunEvaluation& run : runs) {
    std::map<std::string, Series> tracks;
    for (const ParameterSample& sample : run.record.parameters) {
      for (std::size_t i = 0; i < sample.names.size(); ++i) {
        const std::string& name = sample.names[i];
        Series& track = tracks[name];
        track.name = run.record.name;
        track.style = "band";
        track.x.push_back(seconds_between(origin, sample.stamp));
        track.y.push_back(sample.values[i]);
        add_band(name, sample.values[i], sample.deviations[i], track);
        if (by_name.try_emplace(name).second) order.push_back(name);
      }
    }
    for (auto& [name, track] : tracks) by_name[name].series.push_back(std::move(track));
  }
  std::vector<Chart> charts;
  std::set<std::string> taken;
  for (const std::string& name : order) {
    Chart& chart = by_name[name];
    chart.id = chart_id(name, taken);
    chart.title = name;
    chart.x_label = "time, s";
    chart.y_label = "value, ±2σ";
    charts.push_back(std::move(chart));
  }
  return charts;
}

}  // namespace ovf
