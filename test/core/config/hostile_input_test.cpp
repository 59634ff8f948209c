#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "config/robot_config.hpp"

namespace ovf {
namespace {

using test::mistakes_in;
using test::RobotConfig;
using namespace std::string_literals;

std::string repeat(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

// Aliases of aliases: a few lines that stand for 9^9 values.
std::string alias_bomb() {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string alias = fmt::format("*a{}", i - 1);
    text += fmt::format("a{0}: &a{0} [{1}{2}]\n", i, repeat(alias + ", ", 8), alias);
  }
  return text;
}

struct HostileInput {
  const char* what;
  std::string text;
  /// Part of the message.
  const char* message;
};

const std::vector<HostileInput>& hostile_inputs() {
  static const std::vector<HostileInput> inputs{
      {"a NUL byte", "wheels: 4\n\0speed: 0.5\n"s, "robot.yaml:2: has the byte 0x00"},
      {"only NUL bytes", std::string(1000, '\0'), "robot.yaml:1: has the byte 0x00"},
      {"the byte that ends yaml-cpp's input", "wheels: 4\n\x04wheels: 5\n", "has the byte 0x04"},
      {"an escape sequence of a terminal", "wheels: \x1b[2J4\n", "has the byte 0x1b"},
      {"a delete character", "wheels: 4\x7f\n", "has the byte 0x7f"},
      {"a lone continuation byte", "wheels: \x80\n", "has the byte 0x80"},
      {"an overlong slash", "wheels: \xc0\xaf\n", "has the byte 0xc0"},
      {"an overlong character of three bytes", "wheels: \xe0\x80\xaf\n", "has the byte 0xe0"},
      {"half of a surrogate pair", "wheels: \xed\xa0\x80\n", "has the byte 0xed"},
      {"a character beyond Unicode", "wheels: \xf4\x90\x80\x80\n", "has the byte 0xf4"},
      {"a character that is cut off", "name: \xe2\x82", "has the byte 0xe2"},
      {"UTF-16", "\xff\xfew\0:\0"s, "robot.yaml:1: has the byte 0xff"},
      {"UTF-16 without a mark",
       "\0w\0:\0 \0"
       "4"s,
       "has the byte 0x00"},
      {"2 MiB of comment", repeat("#\n", 1 << 20), "has 2097152 bytes; expected at most 1048576"},
      {"2 MiB of one key", std::string(2 << 20, 'a'), "expected at most 1048576"},
      {"deep lists", std::string(100000, '['), "robot.yaml:1:"},
      {"deep closed lists", "ports: " + repeat("[", 40) + repeat("]", 40), "nested deeper than 16"},
      {"deep closed mappings", repeat("{a: ", 40) + repeat("}", 40), "nested deeper than 16"},
      {"deep mappings", repeat("{a: ", 100000), "robot.yaml:1:"},
      {"deep block lists", repeat("- ", 100000), "is nested deeper than 16"},
      {"deep complex keys", repeat("? ", 100000), "as a key; expected a name"},
      {"deep lists as keys", repeat("[? ", 100000), "robot.yaml:1:"},
      {"closing without opening", std::string(100000, ']'), "robot.yaml:1:"},
      {"an alias bomb", alias_bomb(), "robot.yaml:1: has the anchor &a0"},
      {"an alias of itself", "&a [*a]", "has the anchor &a"},
      {"an alias without anchor", "wheels: *a", "robot.yaml:1: is not YAML"},
      {"a merge key", "motor: {<<: {poles: 4}}", "unknown key motor.<<.poles"},
      {"a tag", "wheels: !!python/object:os.system 4", "has the tag tag:yaml.org,2002:python"},
      {"a tag of a mapping", "motor: !x {poles: 4}", "has the tag !x"},
      {"too many values", "ports: [" + repeat("1,", 100000) + "]", "has more than 10000 values"},
      {"too many keys", repeat("{}: ", 10) + "1", "robot.yaml:1:"},
      {"a list as a key", "? [a, b]\n: 1", "robot.yaml:1: has a list or a mapping as a key"},
      {"an empty key", "~: 1", "robot.yaml:1: has an empty key"},
      {"a colon alone", ":", "robot.yaml:1: has an empty key"},
      {"two documents", "wheels: 4\n---\nwheels: 5\n",
       "robot.yaml:2: is not part of the document before it"},
      {"an open bracket", "ports: [1, 2\nwheels: 4\n", "is not YAML"},
      {"an open quote", "name: \"abc\nwheels: 4\n", "is not YAML: a quote is still open here"},
      {"an open quote at the very end", "wheels: 4\nname: 'abc", "is not YAML: a quote is"},
      {"a tab for indentation", "motor:\n\tpoles: 4\n", "robot.yaml:"},
      {"an unknown escape", "name: \"\\q\"", "robot.yaml:1: is not YAML"},
      {"an escape that is no character", "name: \"\\ud800\"", "robot.yaml:1: is not YAML"},
      {"a directive of another version", "%YAML 9.9\n---\nwheels: 4\n", "is not YAML"},
      {"brackets that hung older yaml-cpp", "{# ke\ny{:", "robot.yaml:"},
      {"a colon in a list", "[:]", "robot.yaml:"},
      {"a tag in a block scalar's head", "> !2\n", "robot.yaml:"},
      {"a number of a million digits", "wheels: " + std::string(1000000, '9'), "wheels is 9999"},
      {"a number of many small digits", "speed: 0." + std::string(1000000, '0') + "1",
       "speed is 0.000"},
      {"a key of a million letters", std::string(1000000, 'w') + ": 1", "robot.yaml:1:"},
      {"a long key above many others",
       [] {
         std::string keys;
         for (int i = 0; i < 4000; ++i) keys += fmt::format("\n  k{}: 1", i);
         return "? " + std::string(900'000, 'k') + "\n:" + keys;
       }(),
       "has a key longer than 1000"},
      {"a key of a million dots", "? " + std::string(1000000, '.') + "\n: 1",
       "robot.yaml:1: has a key longer than 1000"},
  };
  return inputs;
}

TEST(HostileInput, IsRefusedWithAMessageAndChangesNothing) {
  for (const auto& [what, text, part] : hostile_inputs()) {
    RobotConfig config;
    try {
      read_yaml(text, "robot.yaml", test::fields_of(config));
      ADD_FAILURE() << what << " was read";
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(part), std::string::npos) << what << ": " << message;
      EXPECT_EQ(message.find("robot.yaml:"), 0U) << what << ": " << message;
      EXPECT_LT(message.size(), 2000U) << what;
    }
    EXPECT_EQ(config, RobotConfig()) << what;
  }
}

// Whatever the bytes, reading ends, with the values or with std::invalid_argument.
TEST(HostileInput, OfRandomPiecesEndsInValuesOrAMessage) {
  const std::vector<std::string> pieces{"wheels",
                                        "motor",
                                        "gains.p",
                                        "ports",
                                        "ros__parameters",
                                        ": ",
                                        ":",
                                        "\n",
                                        "\n  ",
                                        "- ",
                                        "? ",
                                        "[",
                                        "]",
                                        "{",
                                        "}",
                                        ", ",
                                        "\"",
                                        "'",
                                        "#",
                                        " #",
                                        "&a ",
                                        "*a",
                                        "!x ",
                                        "|\n",
                                        ">-\n",
                                        "%YAML 1.2",
                                        "---\n",
                                        "...\n",
                                        "\t",
                                        "\r\n",
                                        "~",
                                        "4",
                                        "0.5",
                                        "\\x",
                                        "\\u12",
                                        "\xc3\xa9",
                                        "\xef\xbb\xbf",
                                        "\0"s,
                                        "\x80",
                                        "@",
                                        "`",
                                        "<<",
                                        "=",
                                        " "};
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const auto length = random() % 24;
    for (unsigned j = 0; j < length; ++j) text += pieces[random() % pieces.size()];
    try {
      test::read_robot(text);
    } catch (const std::invalid_argument& error) {
      ASSERT_EQ(std::string(error.what()).find("robot.yaml:"), 0U) << error.what();
    }
  }
}

// Every beginning of a good file, and every file with one byte replaced.
TEST(HostileInput, OfDamagedFilesEndsInValuesOrAMessage) {
  RobotConfig config;
  const std::string good = write_yaml("ovf", test::fields_of(config));
  for (std::size_t i = 0; i < good.size(); ++i) {
    mistakes_in(good.substr(0, i));
    for (const char byte : {'\0', '\n', ':', '[', '{', '"', '#', '&', '\x80', '-'}) {
      std::string damaged = good;
      damaged[i] = byte;
      mistakes_in(damaged);
    }
  }
}

}  // namespace
}  // namespace ovf
