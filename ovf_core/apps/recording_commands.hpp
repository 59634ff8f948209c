#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "ovf/recording/recording_info.hpp"
#include "run_command.hpp"

/// `info`: what is in a recording.
inline void add_info_command(CLI::App& parent) {
  const auto path = std::make_shared<std::string>();
  auto* command =
      parent.add_subcommand("info", "Topics, rates, gaps and damage of a recording, without ROS");
  command->add_option("recording", *path, "A rosbag2 folder, or a .mcap or .db3 file")
      ->required()
      ->check(CLI::ExistingPath);
  command->callback([path] {
    const ovf::RecordingInfo info = ovf::inspect_recording(*path);
    fmt::print("{}", ovf::to_text(info));
    if (!info.warnings.empty()) {
      throw IncompleteInput(
          fmt::format("{}: not all of the recording can be read; see the warnings ({})", *path,
                      info.warnings.size()));
    }
  });
}
