#include <gtest/gtest.h>

#include <bit>

#include "config/robot_config.hpp"

namespace ovf {
namespace {

using test::mistakes_in;
using test::read_robot;
using test::RobotConfig;

const char* const kAllTypes = R"(
enabled: false
wheels: 6
speed: 1.0e-3
serial: 9223372036854775807
name: "a \"b\"\n"
ports: [3, 9]
drive: omnidirectional
motor:
  poles: 8
  gains: {p: 2, i: +.5}
)";

RobotConfig all_types() {
  RobotConfig config;
  config.enabled = false;
  config.wheels = 6;
  config.speed = 1e-3;
  config.serial = 9223372036854775807U;
  config.name = "a \"b\"\n";
  config.ports = {3, 9};
  config.drive = RobotConfig::Drive::kOmnidirectional;
  config.motor = {8, {2.0, 0.5}};
  return config;
}

TEST(ReadYaml, SetsFieldsOfEveryType) { EXPECT_EQ(read_robot(kAllTypes), all_types()); }

TEST(ReadYaml, KeepsFieldsThatAreAbsent) {
  RobotConfig expected;
  expected.motor.gains.i = 2.0;
  EXPECT_EQ(read_robot("motor: {gains: {i: 2.0}}"), expected);
  EXPECT_EQ(read_robot("{}"), RobotConfig());
  EXPECT_EQ(read_robot("motor: {}"), RobotConfig());
  EXPECT_EQ(read_robot("ovf:\n  ros__parameters: {}\n"), RobotConfig());
}

TEST(ReadYaml, TakesDottedKeysForNestedOnes) {
  RobotConfig expected;
  expected.motor = {8, {2.0, 0.5}};
  for (const char* text : {
           "motor.poles: 8\nmotor.gains.p: 2.0\nmotor.gains.i: 0.5\n",
           "motor:\n  poles: 8\n  gains.p: 2.0\n  gains.i: 0.5\n",
           "motor:\n  poles: 8\nmotor.gains:\n  p: 2.0\nmotor.gains.i: 0.5\n",
           "{motor: {poles: 8}, motor.gains: {p: 2.0, i: 0.5}}",
       }) {
    EXPECT_EQ(read_robot(text), expected) << text;
  }
}

TEST(ReadYaml, TakesARosParameterFileForTheBareParameters) {
  std::string indented;
  for (const char c : std::string(kAllTypes)) {
    indented += c;
    if (c == '\n') indented += "    ";
  }
  for (const char* node : {"/**", "ovf", "/robot/ovf", "any_name"}) {
    const std::string text = std::string(node) + ":\n  ros__parameters:\n" + indented + "\n";
    EXPECT_EQ(read_robot(text), all_types()) << text;
  }
}

TEST(ReadYaml, TakesWindowsLineEndsAndAByteOrderMark) {
  EXPECT_EQ(read_robot("\xef\xbb\xbfwheels: 5\r\nspeed: 0.25\r\n").wheels, 5);
  EXPECT_EQ(mistakes_in("wheels: 5\r\nspeed: 7.0\r\n").find("robot.yaml:2: speed is 7.0"), 0U);
}

TEST(ReadYaml, ReadsNumbersToTheLastBit) {
  const auto speed = [](const char* text) {
    return std::bit_cast<std::uint64_t>(read_robot(std::string("speed: ") + text).speed);
  };
  EXPECT_EQ(speed("0.1"), std::bit_cast<std::uint64_t>(0.1));
  EXPECT_EQ(speed("5.0e-324"), 1U);
  EXPECT_EQ(speed("0.30000000000000004"), std::bit_cast<std::uint64_t>(0.1 + 0.2));
  EXPECT_EQ(speed("1"), std::bit_cast<std::uint64_t>(1.0));
}

TEST(ReadYaml, ChangesNothingIfAnythingIsWrong) {
  const std::string good(kAllTypes);
  for (const char* bad :
       {"wheel: 5\n", "motor.gains.p: 2.0\n", "ports: [", "&a b: c\n", "---\nwheels: 5\n"}) {
    RobotConfig config;
    EXPECT_THROW(read_yaml(good + bad, "robot.yaml", test::fields_of(config)),
                 std::invalid_argument)
        << bad;
    EXPECT_EQ(config, RobotConfig()) << bad;
  }
  for (const char* bad : {"enabled: 1", "wheels: 0", "speed: 2.0", "serial: -1", "name: [a]",
                          "ports: [0]", "drive: legs"}) {
    RobotConfig config;
    const std::string text = std::string("motor: {poles: 8}\n") + bad + "\nmotor.gains.p: 3.0\n";
    EXPECT_THROW(read_yaml(text, "robot.yaml", test::fields_of(config)), std::invalid_argument)
        << bad;
    EXPECT_EQ(config, RobotConfig()) << bad;
  }
}

}  // namespace
}  // namespace ovf
