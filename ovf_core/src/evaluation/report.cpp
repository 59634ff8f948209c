#include "ovf/evaluation/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

namespace ovf {
namespace {

bool is_identifier(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

void check_series(const Chart& chart, const Series& series) {
  const auto fail = [&](const std::string& what) {
    throw std::invalid_argument(
        fmt::format("chart '{}', series '{}': {}", chart.id, series.name, what));
  };
  const std::size_t size = series.x.size();
  if (series.y.size() != size) {
    fail(fmt::format("x has {} values but y has {}", size, series.y.size()));
  }
  if (series.style == "band") {
    if (series.lower.size() != size || series.upper.size() != size) {
      fail(fmt::format("a band of {} points has {} lower and {} upper values", size,
                       series.lower.size(), series.upper.size()));
    }
  } else if (series.style != "line" && series.style != "points" && series.style != "steps") {
    fail(fmt::format("unknown style '{}', expected line, points, steps or band", series.style));
  } else if (!series.lower.empty() || !series.upper.empty()) {
    fail("lower and upper values need the style band");
  }
}

}  // namespace

void check_report(const Report& report) {
  std::set<std::string> seen;
  const auto check_id = [&](const char* kind, const std::string& id) {
    if (!is_identifier(id)) {
      throw std::invalid_argument(
          fmt::format("{} id '{}' cannot name a file: use letters, digits, '-' and '_'", kind, id));
    }
    if (!seen.insert(id).second) {
      throw std::invalid_argument(fmt::format("two {}s have the id '{}'", kind, id));
    }
  };
  for (const Chart& chart : report.charts) {
    check_id("chart", chart.id);
    for (const Series& series : chart.series) check_series(chart, series);
  }
  for (const Picture& picture : report.pictures) check_id("picture", picture.id);
  for (const auto& file : report.files) {
    const std::string& name = file.first;
    const auto point = name.find('.');
    const std::string stem = name.substr(0, point);
    if (!is_identifier(stem) || point == std::string::npos ||
        !is_identifier(std::string_view(name).substr(point + 1))) {
      throw std::invalid_argument(
          fmt::format("file '{}' has no name like results.csv: letters, digits, '-' and '_', then "
                      "one point",
                      name));
    }
    const auto is_its_chart = [&](const Chart& chart) { return chart.id + ".csv" == name; };
    if (std::any_of(report.charts.begin(), report.charts.end(), is_its_chart)) {
      throw std::invalid_argument(fmt::format("file '{}' is also that of a chart", name));
    }
  }
}

}  // namespace ovf
