#include "ovf/evaluation/baseline.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ovf {
namespace {

TEST(Baseline, HoldsForTheFiguresItWasWrittenFrom) {
  const std::map<std::string, double> figures{
      {"position_rmse", 0.4}, {"anees_2", 1.1}, {"zero", 0.0}};
  const Baseline baseline = read_baseline(write_baseline(figures, 0.1), "b.json");
  EXPECT_EQ(baseline.size(), 3u);
  EXPECT_NEAR(baseline.at("position_rmse").tolerance, 0.04, 1e-12);
  EXPECT_EQ(baseline.at("zero").tolerance, 0.01);
  EXPECT_TRUE(check_baseline(baseline, figures).failed.empty());
}

TEST(Baseline, FailsForWhatLeftItsToleranceOrIsMissing) {
  const Baseline baseline{
      {"a", {1.0, 0.1}}, {"b", {1.0, 0.1}}, {"c", {1.0, 0.1}}, {"d", {1.0, 0.1}}};
  const auto check =
      check_baseline(baseline, {{"a", 1.09}, {"b", 1.2}, {"c", 0.8}, {"unknown", 7.0}});
  EXPECT_EQ(check.failed, (std::vector<std::string>{"b", "c", "d"}));
  EXPECT_EQ(check.table.rows.size(), 4u);
  EXPECT_EQ(check.table.rows[3][3], "missing");
}

TEST(Baseline, RefusesAnythingElse) {
  for (const char* text :
       {"", "[]", "{}", "nonsense", R"({"figures": 3})", R"({"figures": {}})",
        R"({"figures": {"a": 1}})", R"({"figures": {"a": {"value": "x", "tolerance": 1}}})",
        R"({"figures": {"a": {"value": 1}}})",
        R"({"figures": {"a": {"value": 1, "tolerance": -1}}})"}) {
    EXPECT_THROW(read_baseline(text, "b.json"), std::invalid_argument) << text;
  }
}

}  // namespace
}  // namespace ovf
