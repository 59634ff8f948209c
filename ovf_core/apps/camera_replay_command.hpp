#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ovf/evaluation/camera_replay.hpp"
#include "ovf/evaluation/result_folder.hpp"
#include "ovf/vision/load_image_model.hpp"
#include "replay_progress.hpp"
#include "run_and_write.hpp"
#include "run_command.hpp"

namespace camera_replay_command {

struct Options {
  std::string recording;
  std::string config;
  std::string model;
  std::string out;
  std::string checkpoint;
  ovf::CameraReplayOptions replay;
};

inline void print(const ovf::CameraReplaySummary& summary) {
  for (int i = 0; i < ovf::kFrameOutcomes; ++i) {
    const long count = summary.outcomes[static_cast<std::size_t>(i)];
    if (count > 0) {
      fmt::print("{:>8} {}\n", count, ovf::to_string(static_cast<ovf::FrameOutcome>(i)));
    }
  }
  for (const auto& [reason, count] : summary.unreadable) {
    fmt::print("{:>8} {}\n", count, ovf::printable(reason));
  }
  constexpr double kMilli = 1e3;
  fmt::print(
      "{:.1f} s of recording in {:.2f} s ({:.1f} times real time); per picture {:.1f} ms (p50), "
      "{:.1f} ms (p99)\n",
      summary.recording_seconds, summary.seconds, summary.recording_seconds / summary.seconds,
      kMilli * summary.latency.quantile(0.5), kMilli * summary.latency.quantile(0.99));
}

inline void run(const Options& options, const Common& common) {
  ovf::CameraReplayOptions replay = options.replay;
  replay.config = ovf::load_camera_config(options.config);
  if (!options.model.empty()) replay.config.model = options.model;
  if (!options.checkpoint.empty()) {
    if (std::filesystem::exists(options.checkpoint)) replay.load = options.checkpoint;
    replay.save = options.checkpoint;
  }
  const ovf::ImageModel model =
      ovf::load_image_model(replay.config.model, {.threads = replay.config.threads});
  ReplayProgress progress;
  replay.progress = [&](double done, double all) { progress.show(done, all); };
  const InterruptWatch watch;
  replay.interrupted = [] { return InterruptWatch::signal() != 0; };
  std::filesystem::path folder = options.out;
  std::optional<std::string> link_problem;
  ovf::CameraReplaySummary summary;
  if (options.out.empty()) {
    const ovf::ResultFolder result(common.out, "replay");
    folder = result.path();
    summary = ovf::replay_camera(options.recording, folder, model, replay);
    link_problem = result.link_latest();
  } else {
    summary = ovf::replay_camera(options.recording, folder, model, replay);
  }
  progress.finish();
  print(summary);
  if (link_problem) print_error(*link_problem);
  fmt::print("report: {}\n", (std::filesystem::absolute(folder) / "report.html").string());
  if (summary.interrupted) {
    throw Interrupted(
        InterruptWatch::signal(),
        fmt::format(
            "interrupted by {} after {:.1f} s of the recording: the result is whole up to "
            "there and says that it is not complete{}",
            InterruptWatch::name(), summary.recording_seconds,
            options.checkpoint.empty() ? "" : fmt::format("; {} is of then", options.checkpoint)));
  }
  std::vector<std::string> all = summary.warnings;
  if (summary.outcomes[static_cast<std::size_t>(ovf::FrameOutcome::kUsed)] == 0) {
    all.emplace_back("no picture could be used in this part of the recording");
  }
  if (!all.empty()) {
    throw IncompleteInput(
        fmt::format("{}: the recording is damaged or lacks what is needed; what could be read was "
                    "used",
                    options.recording),
        all);
  }
}

}  // namespace camera_replay_command

/// `replay` where the configuration is that of a camera.
inline void add_camera_replay_command(CLI::App& parent, const Common& common) {
  const auto options = std::make_shared<camera_replay_command::Options>();
  auto* command = parent.add_subcommand(
      "replay", "Run a camera's estimator over the pictures of a rosbag2 recording");
  command->add_option("recording", options->recording, "A rosbag2 folder, or a .mcap or .db3 file")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("--config", options->config, "Parameter file of the camera")
      ->required()
      ->check(CLI::ExistingFile);
  command->add_option("--model", options->model,
                      "Folder of the model of pictures, instead of the configured one");
  command->add_option("--out", options->out,
                      "New folder for the results (default: results/replay-TIME)");
  command->add_option("--start", options->replay.start, "Seconds to leave out at the beginning")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--duration", options->replay.duration, "Seconds to replay")
      ->check(CLI::PositiveNumber);
  command->add_option("--checkpoint", options->checkpoint,
                      "Go on from this file if it exists, and write it at the end");
  command->add_flag("--learn,!--no-learn", options->replay.learning,
                    "Whether to learn (default: yes)");
  command->callback([options, &common] { camera_replay_command::run(*options, common); });
}
