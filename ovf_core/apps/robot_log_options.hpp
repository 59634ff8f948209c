#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "ovf/evaluation/robot_log_kind.hpp"

/// Which log of a planar robot a command reads.
struct RobotLogOptions {
  std::string folder;
  std::string kind = "log";
  int robot = 1;
};

inline void add_robot_log_options(CLI::App& command, RobotLogOptions& options) {
  command
      .add_option("--kind", options.kind, "Format of the log: log (ovf simulate), plaza, mrclam")
      ->check(CLI::IsMember(ovf::robot_log_kinds()))
      ->capture_default_str();
  command.add_option("--robot", options.robot, "Which robot of a mrclam folder")
      ->check(CLI::Range(1, 5))
      ->capture_default_str();
}

inline ovf::RobotLog read_log(const RobotLogOptions& options) {
  return ovf::read_robot_log(options.kind, options.folder, options.robot);
}
