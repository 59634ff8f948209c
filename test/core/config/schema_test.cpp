#include "ovf/config/schema.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "config/robot_config.hpp"
#include "ovf/config/parameter_list.hpp"

namespace ovf {
namespace {

using test::RobotConfig;

TEST(IntRange, IncludesItsEnds) {
  const IntRange range{1, 5};
  EXPECT_TRUE(range.contains(1));
  EXPECT_TRUE(range.contains(5));
  EXPECT_FALSE(range.contains(0));
  EXPECT_FALSE(range.contains(6));
}

TEST(IntRange, CountsStepsFromTheLowestWithoutOverflow) {
  EXPECT_TRUE((IntRange{1, 9, 4}.contains(5)));
  EXPECT_FALSE((IntRange{1, 9, 4}.contains(4)));
  const IntRange all{.step = 2};
  EXPECT_TRUE(all.contains(std::numeric_limits<int>::min()));
  EXPECT_FALSE(all.contains(std::numeric_limits<int>::max()));
}

TEST(NumberRange, ExcludesTheLowestOnlyIfToldSo) {
  EXPECT_TRUE(at_least(0.0).contains(0.0));
  EXPECT_FALSE(above(0.0).contains(0.0));
  EXPECT_TRUE(above(0.0).contains(5e-324));
  EXPECT_TRUE(factor().contains(1.0));
  EXPECT_FALSE(factor().contains(std::nextafter(1.0, 2.0)));
}

TEST(NumberRange, NeverContainsNanOrInfinity) {
  for (const NumberRange& range : {NumberRange{}, at_least(0.0), above(0.0), factor()}) {
    EXPECT_FALSE(range.contains(NAN));
    EXPECT_FALSE(range.contains(INFINITY));
    EXPECT_FALSE(range.contains(-INFINITY));
  }
}

TEST(Ranges, SayWhatTheyContain) {
  EXPECT_EQ((IntRange{1, 5}.text()), "1 to 5");
  EXPECT_EQ((IntRange{2, 6, 2}.text()), "2 to 6 in steps of 2");
  EXPECT_EQ((IntRange{.lowest = 0}.text()), "at least 0");
  EXPECT_EQ((IntRange{.highest = 3}.text()), "up to 3");
  EXPECT_EQ(IntRange{}.text(), "");
  EXPECT_EQ(above(0.0).text(), "above 0.0");
  EXPECT_EQ(at_least(1e-6).text(), "at least 1.0e-06");
  EXPECT_EQ(factor().text(), "above 0.0 to 1.0");
  EXPECT_EQ((NumberRange{.highest = 2.0}.text()), "up to 2.0");
  EXPECT_EQ((IntListRange{{1, 9}, 3}.text()), "up to 3 numbers, each 1 to 9");
}

TEST(Choice, RefusesAValueWithoutAName) {
  RobotConfig config;
  config.drive = static_cast<RobotConfig::Drive>(7);
  EXPECT_THROW(list_parameters(test::fields_of(config)), std::invalid_argument);
}

TEST(ParameterList, HasEveryFieldInOrderWithDottedKeys) {
  RobotConfig config;
  std::vector<std::string> lines;
  for (const Parameter& p : list_parameters(test::fields_of(config))) {
    lines.push_back(p.key + " " + p.type + " " + p.value + " (" + p.range + ")");
  }
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "enabled bool true ()",
                       "wheels int 4 (at least 1)",
                       "speed double 0.5 (above 0.0 to 1.0)",
                       "serial int 7 (at least 0)",
                       "name string \"rover\" ()",
                       "ports int[] [1, 2] (up to 3 numbers, each 1 to 9)",
                       "drive string differential (differential, omnidirectional)",
                       "motor.poles int 4 (2 to 100 in steps of 2)",
                       "motor.gains.p double 1.5 (above 0.0)",
                       "motor.gains.i double 0.25 (at least 0.0)",
                   }));
}

TEST(ParameterReference, IsAMarkdownTable) {
  RobotConfig config;
  const std::string table = parameter_reference(test::fields_of(config));
  EXPECT_EQ(table.find("| Key | Type | Default | Range | Meaning |\n|---|---|---|---|---|\n"), 0U);
  EXPECT_NE(table.find("\n| `wheels` | int | `4` | at least 1 | How many. |\n"), std::string::npos);
  EXPECT_NE(table.find("Of the \\| fastest."), std::string::npos) << table;
}

}  // namespace
}  // namespace ovf
