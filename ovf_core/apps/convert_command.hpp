#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "ovf/evaluation/robot_log_kind.hpp"
#include "ovf/recording/robot_log_recording.hpp"
#include "robot_log_options.hpp"
#include "simulate_command.hpp"

/// `convert`: the log of a robot as a recording.
inline void add_convert_command(CLI::App& parent) {
  struct Options {
    RobotLogOptions log;
    std::string recording;
  };
  const auto options = std::make_shared<Options>();
  auto* command = parent.add_subcommand(
      "convert", "Make a rosbag2 recording of the log of a planar robot, with the ground truth");
  command->add_option("log", options->log.folder, "Folder of the log")
      ->required()
      ->check(CLI::ExistingDirectory);
  command->add_option("recording", options->recording, "New or empty folder for the recording")
      ->required();
  add_robot_log_options(*command, options->log);
  command->callback([options] {
    const ovf::RobotLog log = read_log(options->log);
    const ovf::RobotLogRecordingOptions recording{.start = ovf::start_of_recording(log)};
    const std::filesystem::path folder = options->recording;
    ovf::write_recording(folder, log, recording);
    simulate_command::write_beside(folder / "landmarks.yaml",
                                   ovf::landmarks_yaml(log, recording.origin));
    fmt::print("{} messages, {} true poses, {} landmarks\nrecording: {}\n", log.messages.size(),
               log.truth.size(), log.landmarks.size(),
               std::filesystem::absolute(folder).lexically_normal().string());
  });
}
