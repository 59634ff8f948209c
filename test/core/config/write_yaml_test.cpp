#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>

#include "config/robot_config.hpp"
#include "evaluation/temporary_folder.hpp"

namespace ovf {
namespace {

using test::fields_of;
using test::RobotConfig;

TEST(WriteYaml, WritesARosParameterFileWithMeanings) {
  RobotConfig config;
  EXPECT_EQ(write_yaml("ovf", fields_of(config)),
            "ovf:\n"
            "  ros__parameters:\n"
            "    enabled: true  # Whether it moves.\n"
            "    wheels: 4  # How many. [at least 1]\n"
            "    speed: 0.5  # Of the | fastest. [above 0.0 to 1.0]\n"
            "    serial: 7  # On the plate. [at least 0]\n"
            "    name: \"rover\"  # What people call it.\n"
            "    ports: [1, 2]  # In use. [up to 3 numbers, each 1 to 9]\n"
            "    drive: differential  # How it turns. [differential, omnidirectional]\n"
            "    motor:\n"
            "      poles: 4  # Of the rotor. [2 to 100 in steps of 2]\n"
            "      gains:\n"
            "        p: 1.5  # Proportional gain. [above 0.0]\n"
            "        i: 0.25  # Integral gain. [at least 0.0]\n");
}

TEST(WriteYaml, IsReadBackBitForBit) {
  for (const double p : {1.0, 0.1, 0.1 + 0.2, 1e-6, 1e22, 123456789012345680.0, 5e-324,
                         1.7976931348623157e308, M_PI}) {
    RobotConfig config;
    config.enabled = false;
    config.serial = kLargestUnsigned;
    config.name = "a \"quoted\" \\ name: with # everything\t\n\x01 and \xc3\xa9";
    config.ports = {};
    config.drive = RobotConfig::Drive::kOmnidirectional;
    config.motor.gains = {p, std::nextafter(p, 0.0)};
    EXPECT_EQ(test::read_robot(write_yaml("/**", fields_of(config))), config) << p;
  }
}

TEST(WriteYaml, KeepsTheSignOfZero) {
  RobotConfig config;
  config.motor.gains.i = -0.0;
  EXPECT_TRUE(std::signbit(test::read_robot(write_yaml("ovf", fields_of(config))).motor.gains.i));
}

// ROS takes 1 for an integer, Python's YAML takes 1e-06 for a string.
TEST(WriteYaml, GivesEveryNumberADecimalPoint) {
  RobotConfig config;
  config.motor.gains = {1e-6, 3.0};
  const std::string text = write_yaml("ovf", fields_of(config));
  EXPECT_NE(text.find("p: 1.0e-06 "), std::string::npos) << text;
  EXPECT_NE(text.find("i: 3.0 "), std::string::npos) << text;
}

TEST(WriteYaml, RefusesANodeNameThatIsNone) {
  RobotConfig config;
  for (const char* name : {"", "a b", "a: b", "*a", "1", "a#", "a\n", "{a}"}) {
    EXPECT_THROW(write_yaml(name, fields_of(config)), std::invalid_argument) << name;
  }
}

TEST(WriteYaml, WritesAConfigurationWithoutFields) {
  const VisitFields nothing = [](ConfigVisitor&) {};
  EXPECT_NO_THROW(read_yaml(write_yaml("ovf", nothing), "empty.yaml", nothing));
}

std::string reading_error(const std::filesystem::path& path) {
  try {
    read_config_file(path);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(ReadConfigFile, GivesTheWholeFile) {
  const test::TemporaryFolder folder;
  const std::string text("a: 1\r\n\0b", 8);
  std::ofstream(folder.path() / "file.yaml", std::ios::binary) << text;
  EXPECT_EQ(read_config_file(folder.path() / "file.yaml"), text);
}

TEST(ReadConfigFile, SaysWhyAFileCannotBeRead) {
  const test::TemporaryFolder folder;
  const auto path = folder.path() / "file.yaml";
  const std::string start = "cannot read the configuration file " + path.string() + ": ";
  EXPECT_EQ(reading_error(path), start + "No such file or directory");
  std::filesystem::create_directory(path);
  EXPECT_EQ(reading_error(path), start + "it is a folder");
  std::filesystem::remove(path);
  std::ofstream(path) << std::string(kLargestConfigBytes + 1, '#');
  EXPECT_EQ(reading_error(path), start + "it has more than 1048576 bytes");
}

TEST(ReadConfigFile, EndsOnAFileWithoutEnd) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no /dev/zero here";
  EXPECT_NE(reading_error("/dev/zero").find("it is no plain file"), std::string::npos);
}

// It would wait for a writer.
TEST(ReadConfigFile, RefusesANamedPipe) {
  const test::TemporaryFolder folder;
  const std::filesystem::path pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(reading_error(pipe).find("it is no plain file"), std::string::npos);
}

}  // namespace
}  // namespace ovf
