#include <fmt/format.h>
#include <gtest/gtest.h>

#include "config/robot_config.hpp"

namespace ovf {
namespace {

using test::mistakes_in;

struct Mistake {
  const char* text;
  const char* message;
};

void expect_messages(const std::vector<Mistake>& mistakes) {
  for (const auto& [text, message] : mistakes) EXPECT_EQ(mistakes_in(text), message) << text;
}

TEST(ConfigMistakes, NameTheNearestKnownKey) {
  expect_messages({
      {"\nwheel: 5", "robot.yaml:2: unknown key wheel; did you mean wheels?"},
      {"motor: {gain: {p: 1.0}}",
       "robot.yaml:1: unknown key motor.gain.p; did you mean motor.gains.p?"},
      {"motor:\n  gains:\n    q.x: 1.0\n",
       "robot.yaml:3: unknown key motor.gains.q.x; did you mean motor.gains.p?"},
      {"poles: 4", "robot.yaml:1: unknown key poles; did you mean motor.poles?"},
      {"weather: sunny", "robot.yaml:1: unknown key weather"},
      {"motor..poles: 4", "robot.yaml:1: unknown key motor..poles; did you mean motor.poles?"},
      {"\"\": 4", "robot.yaml:1: unknown key "},
      {"\"\": {wheels: 4}", "robot.yaml:1: unknown key .wheels; did you mean wheels?"},
      {"wheels: {x: 4}", "robot.yaml:1: unknown key wheels.x; did you mean wheels?"},
      {"wheels: {}", "robot.yaml:1: wheels is a mapping; expected an integer (at least 1)"},
  });
}

TEST(ConfigMistakes, NameTheValueAndWhatWasExpected) {
  expect_messages({
      {"enabled: yes", "robot.yaml:1: enabled is yes; expected true or false"},
      {"enabled: \"true\"", "robot.yaml:1: enabled is \"true\"; expected true or false"},
      {"wheels: many", "robot.yaml:1: wheels is many; expected an integer (at least 1)"},
      {"wheels: 4.0", "robot.yaml:1: wheels is 4.0; expected an integer (at least 1)"},
      {"wheels: '4'", "robot.yaml:1: wheels is \"4\"; expected an integer (at least 1)"},
      {"wheels: 0x4", "robot.yaml:1: wheels is 0x4; expected an integer (at least 1)"},
      {"wheels: +-4", "robot.yaml:1: wheels is +-4; expected an integer (at least 1)"},
      {"wheels:", "robot.yaml:1: wheels is empty; expected an integer (at least 1)"},
      {"wheels: [4]", "robot.yaml:1: wheels is [4]; expected an integer (at least 1)"},
      {"speed: fast", "robot.yaml:1: speed is fast; expected a number (above 0.0 to 1.0)"},
      {"name: {}", "robot.yaml:1: name is a mapping; expected text"},
      {"drive: legs", "robot.yaml:1: drive is legs; expected one of differential, omnidirectional"},
      {"drive:\n  - legs",
       "robot.yaml:1: drive is [legs]; expected one of differential, omnidirectional"},
      {"motor: 4", "robot.yaml:1: motor is 4; expected a mapping with keys such as poles"},
      {"motor:", "robot.yaml:1: motor is empty; expected a mapping with keys such as poles"},
  });
}

TEST(ConfigMistakes, NameTheRange) {
  const std::string list = "; expected a list of integers (up to 3 numbers, each 1 to 9)";
  expect_messages({
      {"wheels: 0", "robot.yaml:1: wheels is 0; expected an integer (at least 1)"},
      {"wheels: 99999999999999999999",
       "robot.yaml:1: wheels is 99999999999999999999; expected an integer (at least 1)"},
      {"motor: {poles: 5}",
       "robot.yaml:1: motor.poles is 5; expected an integer (2 to 100 in steps of 2)"},
      {"speed: 0.0", "robot.yaml:1: speed is 0.0; expected a number (above 0.0 to 1.0)"},
      {"speed: 1.0000000000000002",
       "robot.yaml:1: speed is 1.0000000000000002; expected a number (above 0.0 to 1.0)"},
      {"motor.gains.p: .nan", "robot.yaml:1: motor.gains.p is .nan; expected a number (above 0.0)"},
      {"motor.gains.p: nan", "robot.yaml:1: motor.gains.p is nan; expected a number (above 0.0)"},
      {"motor.gains.p: .inf", "robot.yaml:1: motor.gains.p is .inf; expected a number (above 0.0)"},
      {"motor.gains.p: inf", "robot.yaml:1: motor.gains.p is inf; expected a number (above 0.0)"},
      {"motor.gains.p: 1e999",
       "robot.yaml:1: motor.gains.p is 1e999; expected a number (above 0.0)"},
      {"motor.gains.p: 1e-999",
       "robot.yaml:1: motor.gains.p is 1e-999; expected a number (above 0.0)"},
      {"serial: -1", "robot.yaml:1: serial is -1; expected an integer (0 to 9223372036854775807)"},
      {"serial: 9223372036854775808",
       "robot.yaml:1: serial is 9223372036854775808; expected an integer (0 to "
       "9223372036854775807)"},
  });
  EXPECT_EQ(mistakes_in("ports: [1, 10]"), "robot.yaml:1: ports is [1, 10]" + list);
  EXPECT_EQ(mistakes_in("ports: [1, x]"), "robot.yaml:1: ports is [1, x]" + list);
  EXPECT_EQ(mistakes_in("ports: [[1]]"), "robot.yaml:1: ports is [a list]" + list);
  EXPECT_EQ(mistakes_in("ports: [1, 2, 3, 4]"), "robot.yaml:1: ports is [1, 2, 3, 4]" + list);
  EXPECT_EQ(mistakes_in("ports: 1"), "robot.yaml:1: ports is 1" + list);
}

TEST(ConfigMistakes, NameDuplicateKeys) {
  expect_messages({
      {"wheels: 4\nwheels: 4", "robot.yaml:2: duplicate key wheels"},
      {"motor: {poles: 2}\nspeed: 0.5\nmotor: {}", "robot.yaml:3: duplicate key motor"},
      {"motor:\n  poles: 2\nmotor.poles: 2",
       "robot.yaml:3: duplicate key motor.poles, first in line 2"},
  });
}

TEST(ConfigMistakes, NameWhatIsWrongWithTheRosForm) {
  expect_messages({
      {"a:\n  ros__parameters: {}\nb: 1",
       "robot.yaml:3: b stands beside a; expected one node with ros__parameters and nothing else"},
      {"a:\n  ros__parameters: {}\n  b: 1",
       "robot.yaml:3: b stands beside ros__parameters; expected one node with ros__parameters and "
       "nothing else"},
      {"a:\n  ros__parameters:\n",
       "robot.yaml:2: ros__parameters is empty; expected a mapping of parameters, `key: value`"},
      {"a:\n  ros__parameters: 5\n",
       "robot.yaml:2: ros__parameters is 5; expected a mapping of parameters, `key: value`"},
      {"ros__parameters: {wheels: 4}",
       "robot.yaml:1: unknown key ros__parameters.wheels; expected ros__parameters directly below "
       "one node name"},
      {"a:\n  b:\n    ros__parameters:\n      wheels: 4",
       "robot.yaml:4: unknown key a.b.ros__parameters.wheels; expected ros__parameters directly "
       "below one node name"},
      {"a:\n  ros__parameters:\n    wheel: 4",
       "robot.yaml:3: unknown key wheel; did you mean wheels?"},
  });
}

TEST(ConfigMistakes, NameATopLevelThatIsNoMapping) {
  expect_messages({
      {"", "robot.yaml: the file is empty; expected a mapping of parameters, `key: value`"},
      {"# nothing\n",
       "robot.yaml: the file is empty; expected a mapping of parameters, `key: value`"},
      {"- wheels: 4",
       "robot.yaml:1: the file is a list; expected a mapping of parameters, `key: value`"},
      {"wheels 4",
       "robot.yaml:1: the file is wheels 4; expected a mapping of parameters, `key: value`"},
  });
}

TEST(ConfigMistakes, AreReportedTogetherInTheOrderOfTheFile) {
  EXPECT_EQ(mistakes_in("motor: {poles: 1}\nwheel: 1\nspeed: 2.0\n"),
            "robot.yaml:1: motor.poles is 1; expected an integer (2 to 100 in steps of 2)\n"
            "robot.yaml:2: unknown key wheel; did you mean wheels?\n"
            "robot.yaml:3: speed is 2.0; expected a number (above 0.0 to 1.0)");
}

TEST(ConfigMistakes, EndAfterTheFirstTen) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += fmt::format("wheel{}: 1\n", i);
  const std::string message = mistakes_in(text);
  EXPECT_NE(message.find("robot.yaml:10: unknown key wheel9"), std::string::npos) << message;
  EXPECT_TRUE(message.ends_with("\nrobot.yaml:11: more mistakes from here on")) << message;
}

TEST(ConfigMistakes, ShowForeignTextShortAndHarmless) {
  const std::string message = mistakes_in("name: [\"\\e[2J\"]\n" + std::string(500, 'x') + ": 1\n");
  EXPECT_EQ(message,
            "robot.yaml:1: name is [\"\\x1b[2J\"]; expected text\nrobot.yaml:2: unknown key " +
                std::string(80, 'x') + "...");
  // The cut does not split a character of two bytes.
  std::string accents = "x";
  for (int i = 0; i < 100; ++i) accents += "\xc3\xa9";
  EXPECT_EQ(mistakes_in(accents + ": 1"),
            "robot.yaml:1: unknown key " + accents.substr(0, 79) + "...");
}

}  // namespace
}  // namespace ovf
