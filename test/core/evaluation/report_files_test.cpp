#include "ovf/evaluation/report_files.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "evaluation/temporary_folder.hpp"

namespace ovf {
namespace {

using test::read_text;
using test::TemporaryFolder;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Report small_report() {
  Report report;
  report.name = "small";
  report.title = "Small";
  report.configuration = "seed: 1\n";
  report.facts = {{"Seed", "1"}, {"Command", "ovf experiment small"}};
  report.values = {{"rmse", 0.125}, {"missing", kNan}};
  report.tables = {{"Errors", "Caption", {"Method", "RMSE"}, {{"OVF", "0.1"}}}};
  report.charts = {{.id = "error", .series = {{"a, \"b\"", {1, 2.5, 3}, {0.1, kNan, -kInf}}}}};
  return report;
}

TEST(ResultsJson, HoldsValuesTablesAndSeries) {
  const auto json = nlohmann::json::parse(results_json(small_report()));
  EXPECT_EQ(json["name"], "small");
  EXPECT_EQ(json["values"]["rmse"], 0.125);
  EXPECT_EQ(json["facts"]["Command"], "ovf experiment small");
  EXPECT_EQ(json["configuration"], "seed: 1\n");
  EXPECT_EQ(json["tables"][0]["rows"][0][1], "0.1");
  EXPECT_EQ(json["charts"][0]["id"], "error");
  EXPECT_EQ(json["charts"][0]["series"][0]["x"], nlohmann::json({1.0, 2.5, 3.0}));
}

TEST(ResultsJson, WritesNonFiniteNumbersAsNull) {
  const auto json = nlohmann::json::parse(results_json(small_report()));
  EXPECT_TRUE(json["values"]["missing"].is_null());
  const auto& y = json["charts"][0]["series"][0]["y"];
  EXPECT_EQ(y[0], 0.1);
  EXPECT_TRUE(y[1].is_null());
  EXPECT_TRUE(y[2].is_null());
}

TEST(ResultsJson, SurvivesTextThatIsNotUtf8) {
  Report report = small_report();
  report.title = "bad \xff byte";
  EXPECT_EQ(nlohmann::json::parse(results_json(report))["title"], "bad \uFFFD byte");
}

TEST(ResultsJson, KeepsEveryPointOfALongSeries) {
  Report report = small_report();
  report.charts[0].series[0].x.assign(5000, 1.0);
  report.charts[0].series[0].y.assign(5000, 2.0);
  const auto json = nlohmann::json::parse(results_json(report));
  EXPECT_EQ(json["charts"][0]["series"][0]["y"].size(), 5000U);
}

TEST(ChartCsv, HasOneLinePerPointAndQuotesNames) {
  EXPECT_EQ(chart_csv(small_report().charts[0]),
            "series,x,y\n"
            "\"a, \"\"b\"\"\",1,0.1\n"
            "\"a, \"\"b\"\"\",2.5,nan\n"
            "\"a, \"\"b\"\"\",3,-inf\n");
}

TEST(ChartCsv, AddsColumnsForABand) {
  Chart chart;
  chart.series = {{"mean", {1}, {2}, "band", {1.5}, {2.5}}, {"truth", {1}, {2}}};
  EXPECT_EQ(chart_csv(chart), "series,x,y,lower,upper\nmean,1,2,1.5,2.5\ntruth,1,2,,\n");
}

TEST(ChartCsv, LosesNoPrecision) {
  Chart chart;
  chart.series = {{"s", {0.1}, {1.0 / 3.0}}};
  EXPECT_EQ(chart_csv(chart), "series,x,y\ns,0.1,0.3333333333333333\n");
}

TEST(WriteReport, WritesAllFiles) {
  const TemporaryFolder out;
  const Report report = small_report();
  const ResultFolder folder(out.path(), report.name);
  write_report(folder, report);
  EXPECT_EQ(read_text(folder.path() / "config.yaml"), "seed: 1\n");
  EXPECT_EQ(read_text(folder.path() / "results.json"), results_json(report));
  EXPECT_EQ(read_text(folder.path() / "error.csv"), chart_csv(report.charts[0]));
  EXPECT_TRUE(read_text(folder.path() / "report.html").starts_with("<!DOCTYPE html>"));
}

TEST(WriteReport, RefusesABadReportBeforeWritingAnything) {
  const TemporaryFolder out;
  const ResultFolder folder(out.path(), "bad");
  const auto expect_refused = [&](auto change) {
    Report report = small_report();
    change(report.charts[0]);
    EXPECT_THROW(write_report(folder, report), std::invalid_argument);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  };
  expect_refused([](Chart& chart) { chart.id = "../escape"; });
  expect_refused([](Chart& chart) { chart.id = ""; });
  expect_refused([](Chart& chart) { chart.series[0].y.pop_back(); });
  expect_refused([](Chart& chart) { chart.series[0].style = "bars"; });
  expect_refused([](Chart& chart) { chart.series[0].style = "band"; });
  expect_refused([](Chart& chart) { chart.series[0].lower = {1, 2, 3}; });
}

TEST(CheckReport, RefusesTwoChartsWithOneIdAndNamesIt) {
  Report report = small_report();
  report.charts.push_back(report.charts[0]);
  try {
    check_report(report);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("'error'"), std::string::npos) << error.what();
  }
}

TEST(ReportFiles, HasFilesOfItsOwn) {
  const TemporaryFolder scratch;
  Report report = small_report();
  report.files["path.tum"] = "1 2 3\n";
  const ResultFolder folder(scratch.path(), "small");
  write_report(folder, report);
  EXPECT_EQ(read_text(folder.path() / "path.tum"), "1 2 3\n");
  for (const char* name : {"error.csv", "../path.tum", "path", ".tum", "a.b.c"}) {
    report.files = {{name, ""}};
    EXPECT_THROW(check_report(report), std::invalid_argument) << name;
  }
}

}  // namespace
}  // namespace ovf
