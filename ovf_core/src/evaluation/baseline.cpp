#include "ovf/evaluation/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "ovf/config/printable.hpp"

namespace ovf {
namespace {

constexpr double kLeastTolerance = 0.01;

}  // namespace

Baseline read_baseline(const std::string& text, const std::string& source_name) {
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument(fmt::format(
        "{}: {}; expected {{\"figures\": {{NAME: {{\"value\": NUMBER, \"tolerance\": NUMBER}}}}}}",
        source_name, what));
  };
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("figures") || !json["figures"].is_object()) {
    fail("there are no figures in it");
  }
  Baseline baseline;
  for (const auto& item : json["figures"].items()) {
    const std::string& name = item.key();
    const auto& figure = item.value();
    const auto number = [&](const char* key) {
      const auto found = figure.is_object() ? figure.find(key) : figure.end();
      if (!figure.is_object() || found == figure.end() || !found->is_number()) {
        fail(fmt::format("{} has no {}", printable(name), key));
      }
      return found->get<double>();
    };
    BaselineFigure& entry = baseline[name];
    entry.value = number("value");
    entry.tolerance = number("tolerance");
    if (!(entry.tolerance >= 0.0))
      fail(fmt::format("{} has a negative tolerance", printable(name)));
  }
  if (baseline.empty()) fail("there are no figures in it");
  return baseline;
}

std::string write_baseline(const std::map<std::string, double>& figures, double share) {
  nlohmann::ordered_json json;
  for (const auto& [name, value] : figures) {
    json["figures"][name] = {{"value", value},
                             {"tolerance", std::max(kLeastTolerance, share * std::abs(value))}};
  }
  return json.dump(2) + "\n";
}

BaselineCheck check_baseline(const Baseline& baseline,
                             const std::map<std::string, double>& figures) {
  BaselineCheck check;
  check.table = {.title = "Against the baseline",
                 .header = {"figure", "baseline", "tolerance", "now", ""}};
  for (const auto& [name, expected] : baseline) {
    const auto found = figures.find(name);
    const bool there = found != figures.end();
    const bool holds = there && std::abs(found->second - expected.value) <= expected.tolerance;
    if (!holds) check.failed.push_back(printable(name));
    check.table.rows.push_back({name, fmt::format("{:.6g}", expected.value),
                                fmt::format("{:.2g}", expected.tolerance),
                                there ? fmt::format("{:.6g}", found->second) : "missing",
                                holds ? "" : "out of tolerance"});
  }
  return check;
}

}  // namespace ovf
