#include "ovf/evaluation/html_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evaluation/html_text.hpp"
#include "evaluation/json.hpp"
#include "evaluation/page_files.hpp"
#include "evaluation/table_columns.hpp"
#include "ovf/evaluation/downsample.hpp"

namespace ovf {
namespace {

constexpr std::size_t kMaxDrawnPoints = 2000;

std::string table_row(const std::vector<std::string>& row, const std::vector<bool>& numeric,
                      bool header) {
  std::string html = "<tr>";
  for (std::size_t j = 0; j < numeric.size(); ++j) {
    const bool row_header = !header && j == 0 && !numeric[j];
    const char* element = header || row_header ? "th" : "td";
    const char* scope = header ? " scope=\"col\"" : row_header ? " scope=\"row\"" : "";
    html += fmt::format("<{}{}{}>{}</{}>", element, scope, numeric[j] ? " class=\"number\"" : "",
                        html_escape(cell_or_empty(row, j)), element);
  }
  return html + "</tr>\n";
}

std::string heading_html(const char* kind, std::size_t number, const std::string& title) {
  return fmt::format("<h3><span>{} {}</span> {}</h3>", kind, number, html_escape(title));
}

// The caption is text; the source, where the data lies, is HTML. Either may be empty.
std::string caption_html(const std::string& caption, const std::string& source) {
  if (caption.empty() && source.empty()) return "";
  return fmt::format("<figcaption>{} {}</figcaption>\n", html_escape(caption), source);
}

std::string table_html(const Table& table, std::size_t number) {
  std::vector<bool> numeric(column_count(table));
  for (std::size_t j = 0; j < numeric.size(); ++j) numeric[j] = is_numeric_column(table, j);

  std::string html = "<figure class=\"card\">\n" + heading_html("Table", number, table.title);
  html += "\n<div class=\"scroll\"><table>\n";
  if (!table.header.empty()) {
    html += "<thead>" + table_row(table.header, numeric, true) + "</thead>\n";
  }
  html += "<tbody>\n";
  for (const auto& row : table.rows) html += table_row(row, numeric, false);
  return html + "</tbody>\n</table></div>\n" + caption_html(table.caption, "") + "</figure>\n";
}

std::string picture_html(const Picture& picture, std::size_t number) {
  return fmt::format(
             "<figure class=\"card\" id=\"picture-{}\">\n{}\n"
             "<div class=\"scroll\"><img alt=\"{}\" src=\"data:image/png;base64,{}\"></div>\n",
             picture.id, heading_html("Picture", number, picture.title), html_escape(picture.title),
             base64(picture.png)) +
         caption_html(picture.caption, "") + "</figure>\n";
}

std::string chart_html(const Chart& chart, std::size_t number) {
  const auto is_long = [](const Series& s) { return s.x.size() > kMaxDrawnPoints; };
  const bool thinned = std::any_of(chart.series.begin(), chart.series.end(), is_long);
  const std::string source = fmt::format(
      "<span class=\"source\">{}Data: <a href=\"{}.csv\">{}.csv</a></span>",
      thinned ? "Long series are drawn thinned out, extremes kept. " : "", chart.id, chart.id);
  return fmt::format(
             "<figure class=\"card\" id=\"chart-{}\">\n<div class=\"bar\">{}"
             "<button type=\"button\" class=\"reset\" hidden>Reset zoom</button></div>\n"
             "<div class=\"legend\"></div>\n"
             "<div class=\"plot{}\" role=\"img\" aria-label=\"{}\"></div>\n",
             chart.id, heading_html("Figure", number, chart.title), chart.equal_axes ? " tall" : "",
             html_escape(chart.title)) +
         caption_html(chart.caption, source) + "</figure>\n";
}

template <typename Item>
std::string section(const char* heading, const char* note, const std::vector<Item>& items,
                    std::string (*to_html)(const Item&, std::size_t)) {
  if (items.empty()) return "";
  std::string html = fmt::format("<section>\n<h2>{}{}</h2>\n", heading, note);
  for (std::size_t i = 0; i < items.size(); ++i) html += to_html(items[i], i + 1);
  return html + "</section>\n";
}

std::string configuration_html(const Report& report) {
  if (report.configuration.empty()) return "";
  return fmt::format(
      "<section>\n<h2>Configuration</h2>\n<details class=\"card\"><summary>config.yaml</summary>\n"
      "<pre>{}</pre></details>\n</section>\n",
      html_escape(report.configuration));
}

std::string facts_html(const Report& report) {
  if (report.facts.empty()) return "";
  std::string html = "<section>\n<h2>About this run</h2>\n<dl class=\"card\">\n";
  for (const auto& [key, value] : report.facts) {
    html +=
        fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html_escape(key), html_escape(value));
  }
  return html + "</dl>\n</section>\n";
}

// What the page draws; texts around the charts are HTML already.
std::string page_data(const Report& report) {
  Json charts = Json::array();
  for (const Chart& chart : report.charts) {
    Json series = Json::array();
    for (const Series& s : chart.series) {
      series.push_back(series_json(downsampled(s, kMaxDrawnPoints, chart.log_x)));
    }
    charts.push_back({{"id", chart.id},
                      {"x_label", chart.x_label},
                      {"y_label", chart.y_label},
                      {"log_x", chart.log_x},
                      {"log_y", chart.log_y},
                      {"equal_axes", chart.equal_axes},
                      {"y_names", chart.y_names},
                      {"series", series}});
  }
  return script_escape(json_text({{"charts", charts}}, -1));
}

}  // namespace

std::string html_page(const Report& report) {
  check_report(report);
  const char* zoom_note = "<small>drag to zoom, double-click to go back</small>";
  const std::string name = html_escape(report.name);
  const std::string title = html_escape(report.title.empty() ? report.name : report.title);
  const std::string summary = html_paragraphs(report.summary);
  const std::string tables = section("Results", "", report.tables, table_html);
  const std::string pictures = section("Pictures", "", report.pictures, picture_html);
  const std::string charts = section("Figures", zoom_note, report.charts, chart_html);
  const std::string configuration = configuration_html(report);
  const std::string facts = facts_html(report);
  const std::string data = page_data(report);
  return fill_template(embedded::kPageHtml, {{"name", name},
                                             {"title", title},
                                             {"summary", summary},
                                             {"tables", tables},
                                             {"pictures", pictures},
                                             {"charts", charts},
                                             {"configuration", configuration},
                                             {"facts", facts},
                                             {"data", data},
                                             {"page_css", embedded::kPageCss},
                                             {"chart_js", embedded::kChartJs},
                                             {"axes_js", embedded::kAxesJs},
                                             {"series_js", embedded::kSeriesJs},
                                             {"zoom_js", embedded::kZoomJs},
                                             {"page_js", embedded::kPageJs}});
}

}  // namespace ovf
