#include "ovf/evaluation/report_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evaluation/json.hpp"
#include "ovf/evaluation/html_page.hpp"

namespace ovf {
namespace {

Json table_json(const Table& table) {
  return {{"title", table.title},
          {"caption", table.caption},
          {"header", table.header},
          {"rows", table.rows}};
}

Json chart_json(const Chart& chart) {
  Json series = Json::array();
  for (const Series& s : chart.series) series.push_back(series_json(s));
  return {{"id", chart.id},           {"title", chart.title},     {"caption", chart.caption},
          {"x_label", chart.x_label}, {"y_label", chart.y_label}, {"log_x", chart.log_x},
          {"log_y", chart.log_y},     {"series", series}};
}

}  // namespace

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string results_json(const Report& report) {
  Json facts = Json::object();
  for (const auto& [key, value] : report.facts) facts[key] = value;
  Json values = Json::object();
  for (const auto& [key, value] : report.values) values[key] = number_or_null(value);
  Json tables = Json::array();
  for (const Table& table : report.tables) tables.push_back(table_json(table));
  Json pictures = Json::array();
  for (const Picture& picture : report.pictures) {
    pictures.push_back(
        {{"file", picture.id + ".png"}, {"title", picture.title}, {"caption", picture.caption}});
  }
  Json charts = Json::array();
  for (const Chart& chart : report.charts) charts.push_back(chart_json(chart));

  const Json root = {{"format", 1},
                     {"name", report.name},
                     {"title", report.title},
                     {"summary", report.summary},
                     {"values", values},
                     {"facts", facts},
                     {"configuration", report.configuration},
                     {"tables", tables},
                     {"pictures", pictures},
                     {"charts", charts}};
  // The long arrays of the charts stay on one line; everything else is for people too.
  std::string text = "{";
  for (const auto& [key, value] : root.items()) {
    text += fmt::format("{}\n\"{}\": {}", text.size() > 1 ? "," : "", key,
                        json_text(value, key == "charts" ? -1 : 2));
  }
  return text + "\n}\n";
}

std::string chart_csv(const Chart& chart) {
  const bool has_band = std::any_of(chart.series.begin(), chart.series.end(),
                                    [](const Series& s) { return s.style == "band"; });
  std::string text = has_band ? "series,x,y,lower,upper\n" : "series,x,y\n";
  for (const Series& series : chart.series) {
    const std::string name = csv_field(series.name);
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      text += fmt::format("{},{},{}", name, series.x[i], series.y[i]);
      if (series.style == "band") {
        text += fmt::format(",{},{}", series.lower[i], series.upper[i]);
      } else if (has_band) {
        text += ",,";
      }
      text += '\n';
    }
  }
  return text;
}

void write_report(const ResultFolder& folder, const Report& report) {
  check_report(report);
  folder.write("config.yaml", report.configuration);
  for (const Chart& chart : report.charts) folder.write(chart.id + ".csv", chart_csv(chart));
  for (const Picture& picture : report.pictures) {
    folder.write(picture.id + ".png",
                 {reinterpret_cast<const char*>(picture.png.data()), picture.png.size()});
  }
  for (const auto& [name, content] : report.files) folder.write(name, content);
  folder.write("results.json", results_json(report));
  folder.write("report.html", html_page(report));
}

}  // namespace ovf
