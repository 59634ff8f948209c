#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "ovf/config/schema.hpp"
#include "ovf/config/yaml.hpp"

namespace ovf::test {

/// A configuration with a field of every type and two levels of groups.
struct RobotConfig {
  enum class Drive { kDifferential, kOmnidirectional };
  struct Gains {
    double p = 1.5;
    double i = 0.25;
    bool operator==(const Gains&) const = default;
  };
  struct Motor {
    int poles = 4;
    Gains gains;
    bool operator==(const Motor&) const = default;
  };

  bool enabled = true;
  int wheels = 4;
  double speed = 0.5;
  std::uint64_t serial = 7;
  std::string name = "rover";
  std::vector<int> ports{1, 2};
  Drive drive = Drive::kDifferential;
  Motor motor;

  bool operator==(const RobotConfig&) const = default;
};

inline void visit(ConfigVisitor& visitor, RobotConfig::Gains& gains) {
  visitor.field("p", gains.p, above(0.0), "Proportional gain.");
  visitor.field("i", gains.i, at_least(0.0), "Integral gain.");
}

inline void visit(ConfigVisitor& visitor, RobotConfig::Motor& motor) {
  visitor.field("poles", motor.poles, {2, 100, 2}, "Of the rotor.");
  visitor.group("gains", motor.gains, visit);
}

inline void visit(ConfigVisitor& visitor, RobotConfig& config) {
  visitor.field("enabled", config.enabled, "Whether it moves.");
  visitor.field("wheels", config.wheels, {.lowest = 1}, "How many.");
  visitor.field("speed", config.speed, factor(), "Of the | fastest.");
  visitor.field("serial", config.serial, "On the plate.");
  visitor.field("name", config.name, "What people call it.");
  visitor.field("ports", config.ports, {.element = {1, 9}, .longest = 3}, "In use.");
  visitor.choice("drive", config.drive,
                 {{"differential", RobotConfig::Drive::kDifferential},
                  {"omnidirectional", RobotConfig::Drive::kOmnidirectional}},
                 "How it turns.");
  visitor.group("motor", config.motor, visit);
}

inline VisitFields fields_of(RobotConfig& config) {
  return [&config](ConfigVisitor& visitor) { visit(visitor, config); };
}

inline RobotConfig read_robot(const std::string& text) {
  RobotConfig config;
  read_yaml(text, "robot.yaml", fields_of(config));
  return config;
}

/// The message of the exception; empty if the text was read.
inline std::string mistakes_in(const std::string& text) {
  try {
    read_robot(text);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace ovf::test
