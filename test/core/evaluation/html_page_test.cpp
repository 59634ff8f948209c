#include "ovf/evaluation/html_page.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ovf {
namespace {

Report hostile_report() {
  const std::string hostile = "</script><script>alert(\"1\")</script> & {{data}} 'x'";
  Report report;
  report.name = report.title = report.summary = report.configuration = hostile;
  report.facts = {{hostile, hostile}};
  report.tables = {{hostile, hostile, {hostile}, {{hostile}}}};
  report.charts = {{"first", hostile, hostile, hostile, hostile, false, false, {}},
                   {"second", "", "", "", "", true, true, {}}};
  report.charts[0].series = {{hostile, {1, 2}, {3, std::nan("")}}};
  return report;
}

// The part of the page between two marks.
std::string between(const std::string& page, const std::string& begin, const std::string& end) {
  const std::size_t from = page.find(begin) + begin.size();
  return page.substr(from, page.find(end, from) - from);
}

nlohmann::json page_data(const std::string& page) {
  return nlohmann::json::parse(between(page, "id=\"report-data\">", "</script>"));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++found;
  return found;
}

TEST(HtmlPage, EscapesEveryTextInHtml) {
  const std::string body = between(html_page(hostile_report()), "<main>", "</main>");
  EXPECT_EQ(count(body, "<script"), 0U);
  EXPECT_NE(body.find("&lt;/script&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; "
                      "{{data}} &#39;x&#39;"),
            std::string::npos);
}

TEST(HtmlPage, CannotBeLeftFromInsideTheData) {
  const std::string page = html_page(hostile_report());
  EXPECT_EQ(count(page, "alert(\"1\")"), 0U);
  EXPECT_EQ(page_data(page)["charts"][0]["series"][0]["name"],
            "</script><script>alert(\"1\")</script> & {{data}} 'x'");
  EXPECT_TRUE(page_data(page)["charts"][0]["series"][0]["y"][1].is_null());
}

TEST(HtmlPage, ContainsEveryChart) {
  const std::string page = html_page(hostile_report());
  const auto data = page_data(page);
  ASSERT_EQ(data["charts"].size(), 2U);
  EXPECT_EQ(data["charts"][0]["id"], "first");
  EXPECT_EQ(data["charts"][1]["id"], "second");
  EXPECT_EQ(count(page, "id=\"chart-first\""), 1U);
  EXPECT_EQ(count(page, "id=\"chart-second\""), 1U);
}

TEST(HtmlPage, LoadsNothingFromElsewhere) {
  const std::string page = html_page(hostile_report());
  // Chart.js names its home page in a comment, which loads nothing; look for what would.
  for (const char* attribute : {"src=", "href=", "action="}) {
    for (const char* quote : {"", "\"", "'"}) {
      for (const char* address : {"http:", "https:", "//"}) {
        const std::string reference = fmt::format("{}{}{}", attribute, quote, address);
        EXPECT_EQ(count(page, reference), 0U) << reference;
      }
    }
  }
  EXPECT_EQ(count(page, "@import"), 0U);
  EXPECT_EQ(count(page, "url("), 0U);
  EXPECT_EQ(count(page, "<script src"), 0U);
  EXPECT_NE(page.find("Content-Security-Policy"), std::string::npos);
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

TEST(HtmlPage, CarriesChartJsInside) {
  const std::string page = html_page(hostile_report());
  EXPECT_NE(page.find("Chart.js v3"), std::string::npos);
  EXPECT_GT(page.size(), 150'000U);
}

TEST(HtmlPage, AlignsColumnsOfNumbersOnly) {
  Report report;
  report.tables = {{"", "", {"Method", "Error"}, {{"OVF", "0.1 ± 0.02"}, {"Kalman", "–"}}}};
  const std::string page = html_page(report);
  EXPECT_NE(page.find("<th scope=\"row\">OVF</th><td class=\"number\">0.1 ± 0.02</td>"),
            std::string::npos);
  EXPECT_NE(page.find("<th scope=\"col\" class=\"number\">Error</th>"), std::string::npos);
}

TEST(HtmlPage, DrawsLongSeriesDownsampledAndSaysSo) {
  Report report;
  report.charts = {{.id = "long", .series = {{"s", {}, {}}}}};
  for (int i = 0; i < 50'000; ++i) {
    report.charts[0].series[0].x.push_back(i);
    report.charts[0].series[0].y.push_back(i == 31'234 ? 7.0 : 0.0);
  }
  const std::string page = html_page(report);
  const auto y = page_data(page)["charts"][0]["series"][0]["y"].get<std::vector<double>>();
  EXPECT_LE(y.size(), 2100U);
  EXPECT_EQ(*std::max_element(y.begin(), y.end()), 7.0);
  EXPECT_NE(page.find("thinned out"), std::string::npos);
}

TEST(HtmlPage, LeavesOutEmptySections) {
  Report report;
  report.name = "empty";
  const std::string body = between(html_page(report), "<main>", "</main>");
  EXPECT_EQ(count(body, "<section>"), 0U);
  EXPECT_NE(body.find("<h1>empty</h1>"), std::string::npos);
}

}  // namespace
}  // namespace ovf
