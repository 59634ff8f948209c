#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ovf/evaluation/progress.hpp"
#include "ovf/recording/camera_recording.hpp"
#include "ovf/vision/contact_sheet.hpp"
#include "ovf/vision/image_file.hpp"
#include "ovf/vision/image_folder.hpp"
#include "ovf/vision/maze_run.hpp"
#include "parse_size.hpp"

namespace simulate_maze_command {

struct Options {
  std::string out;
  ovf::MazeRunConfig run;
  std::uint64_t agent_seed = 1;
  std::size_t frames = 4000;
  std::size_t unordered = 0;
  std::string size = "32";
  std::string what = "both";
  int cells = 13;
};

// Of the sheet that shows what there is.
constexpr std::size_t kShown = 24;
constexpr int kColumns = 6;
constexpr int kSheetWidth = 1200;

inline void write_map(const std::filesystem::path& path, const ovf::Maze& maze) {
  std::ofstream file(path, std::ios::binary);
  file << maze.text();
  file.close();
  if (file.fail()) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

inline void write_sheet(const std::filesystem::path& path, const std::vector<ovf::Image>& images) {
  const int scale = std::max(1, kSheetWidth / kColumns / images.front().width);
  try {
    ovf::write_image(path, ovf::contact_sheet(images, kColumns, scale));
  } catch (const ovf::ImageError& error) {
    fmt::print(stderr, "ovf: no contact sheet: {}\n", error.what());
  }
}

inline void run(Options options) {
  const bool is_unordered = options.unordered > 0;
  const std::size_t frames = is_unordered ? options.unordered : options.frames;
  options.run.camera.size = parse_size(options.size);
  options.run.maze.width = options.run.maze.height = options.cells;
  options.run.is_unordered = is_unordered;
  ovf::MazeRun maze_run(options.run);

  const std::filesystem::path out = options.out;
  if (std::filesystem::exists(out) &&
      !(std::filesystem::is_directory(out) && std::filesystem::is_empty(out))) {
    throw std::runtime_error(fmt::format("{}: not an empty folder", out.string()));
  }
  std::filesystem::create_directories(out);
  std::optional<ovf::ImageFolder> images;
  std::optional<ovf::CameraRecording> recording;
  if (options.what != "recording") images.emplace(out / "images");
  if (options.what != "images") recording.emplace(out / "recording");
  write_map(out / "maze.txt", maze_run.maze());

  ovf::Progress progress("frames", frames, std::cerr);
  std::vector<ovf::Image> shown;
  std::set<std::pair<int, int>> visited;
  for (std::size_t k = 0; k < frames; ++k) {
    const ovf::CameraFrame frame = maze_run.next();
    if (images) images->write(frame);
    if (recording) recording->write(frame);
    const ovf::Cell cell = ovf::cell_at({frame.pose.x, frame.pose.y});
    visited.emplace(cell.x, cell.y);
    // Evenly spread over the run.
    if (k * kShown / frames >= shown.size() && shown.size() < kShown) shown.push_back(frame.image);
    progress.advance();
  }
  if (images) images->close();
  if (recording) recording->close();
  progress.finish();
  write_sheet(out / "contact_sheet.png", shown);

  fmt::print("{}{} frames of {} x {} pixels, {} of {} free cells seen from inside\n",
             maze_run.maze().text(), frames, options.run.camera.size.width,
             options.run.camera.size.height, visited.size(), maze_run.maze().free_cells().size());
  const auto where = [&](const char* name) {
    return (std::filesystem::absolute(out) / name).lexically_normal().string();
  };
  if (images) fmt::print("images: {}\n", where("images"));
  if (recording) fmt::print("recording: {}\n", where("recording"));
  fmt::print("contact sheet: {}\n", where("contact_sheet.png"));
}

}  // namespace simulate_maze_command

/// `simulate maze`: what a camera sees in a maze that does not exist.
inline void add_simulate_maze_command(CLI::App& parent) {
  const auto options = std::make_shared<simulate_maze_command::Options>();
  auto* command = parent.add_subcommand(
      "maze", "Record the camera of a visitor to a random maze: pictures, controls, true poses");
  constexpr double kMostFrames = 1e6;
  command->add_option("--out", options->out, "New or empty folder")->required();
  command->add_option("--seed", options->run.maze.seed, "Of the maze and its colours")
      ->capture_default_str();
  auto* agent_seed =
      command->add_option("--agent-seed", options->agent_seed, "Of the way (default: --seed)");
  auto* frames = command->add_option("--frames", options->frames, "Pictures to take")
                     ->check(CLI::Range(1.0, kMostFrames))
                     ->capture_default_str();
  command->add_option("--rate", options->run.agent.rate, "Pictures per second")
      ->check(CLI::Range(5.0, 100.0))
      ->capture_default_str();
  command->add_option("--size", options->size, "Of a picture: SIDE or WIDTHxHEIGHT")
      ->capture_default_str();
  command->add_option("--cells", options->cells, "Width and height of the maze, an odd number")
      ->check(CLI::Range(5, 99))
      ->capture_default_str();
  auto* what = command
                   ->add_option("--what", options->what,
                                "images: PNG files and index.csv; recording: rosbag2; or both")
                   ->check(CLI::IsMember({"images", "recording", "both"}))
                   ->capture_default_str();
  auto* unordered =
      command
          ->add_option("--unordered", options->unordered,
                       "Instead of a walk, this many pictures from random places; images only")
          ->check(CLI::Range(1.0, kMostFrames))
          ->excludes(frames);
  command->callback([=] {
    options->run.agent.seed =
        agent_seed->count() > 0 ? options->agent_seed : options->run.maze.seed;
    if (unordered->count() > 0) {
      if (what->count() > 0 && options->what != "images") {
        throw CLI::ValidationError("--unordered",
                                   "pictures without an order are no recording: --what images");
      }
      options->what = "images";
    }
    simulate_maze_command::run(*options);
  });
}
