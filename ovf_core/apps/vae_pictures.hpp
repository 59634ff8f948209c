#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "ovf/evaluation/progress.hpp"
#include "ovf/recording/read_pictures.hpp"
#include "run_command.hpp"

/// The options that train-vae and test-vae share.
struct PictureArguments {
  std::vector<std::filesystem::path> paths;
  std::string topic;
  int every = 1;
};

inline void add_picture_arguments(CLI::App& command, PictureArguments& arguments) {
  command
      .add_option("pictures", arguments.paths,
                  "Folders with PNG or JPEG files, and recordings (rosbag2) with pictures")
      ->required();
  command.add_option("--topic", arguments.topic,
                     "Of recordings with pictures on several topics: which");
  command.add_option("--every", arguments.every, "Take only every n-th picture")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
}

/// Reads them all, saying what cannot be read. Throws if fewer than `least` are left.
inline ovf::Pictures read_all(const PictureArguments& arguments, ovf::ImageSize size,
                              std::size_t least) {
  ovf::Progress progress("pictures read", 0, std::cerr);
  ovf::Pictures pictures = ovf::read_pictures(
      arguments.paths,
      {.size = size, .topic = arguments.topic, .every = arguments.every, .progress = [&] {
         progress.advance();
       }});
  progress.finish();
  for (const std::string& warning : pictures.warnings) print_error(warning);
  if (pictures.bad > 0) {
    print_error(fmt::format("{} pictures could not be read and are left out", pictures.bad));
  }
  if (pictures.images.size() < least) {
    throw std::runtime_error(
        fmt::format("{} pictures; at least {} are needed", pictures.images.size(), least));
  }
  return pictures;
}

/// At the end, when what could be read was used.
inline void require_all_read(const ovf::Pictures& pictures) {
  if (pictures.bad == 0 && pictures.warnings.empty()) return;
  throw IncompleteInput(
      fmt::format("not all pictures could be read (see above): {} are left out", pictures.bad));
}
