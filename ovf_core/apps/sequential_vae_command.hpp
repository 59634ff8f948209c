#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ovf/evaluation/progress.hpp"
#include "ovf/evaluation/sequential_vae.hpp"
#include "ovf/vision/load_image_model.hpp"
#include "ovf/vision/maze_run.hpp"
#include "ovf/vision/train_vae.hpp"
#include "run_and_write.hpp"
#include "vae_commands.hpp"

namespace sequential_vae_command {

struct Options {
  std::string model;
  std::string config;
  std::string setting = "fast";
  std::string controls = "both";
  std::uint64_t maze = 1;
  std::size_t frames = 4000;
  std::size_t later = 500;
  std::size_t training_pictures = 12'000;
  int epochs = 30;
  std::string architecture = "small";
  int threads = 1;
  ovf::SequentialVaeOptions experiment;
};

// Of the mazes for pre-training; none of them is the one of the run.
constexpr std::uint64_t kTrainingMazes = 8;
constexpr std::uint64_t kFirstTrainingMaze = 1'000'000;

/// Pictures in no order, of mazes of their own.
inline std::vector<ovf::Image> training_pictures(std::size_t count) {
  std::vector<ovf::Image> images;
  for (std::uint64_t k = 0; k < kTrainingMazes; ++k) {
    ovf::MazeRunConfig config;
    config.maze.seed = config.agent.seed = kFirstTrainingMaze + k;
    config.is_unordered = true;
    ovf::MazeRun run(config);
    while (images.size() < (k + 1) * count / kTrainingMazes) images.push_back(run.next().image);
  }
  return images;
}

inline ovf::ImageModel pre_train(const Options& options) {
  const auto images = training_pictures(options.training_pictures);
  ovf::VaeConfig config;
  config.architecture = ovf::vae_architecture(options.architecture);
  config.epochs = options.epochs;
  config.threads = 0;
  std::optional<ovf::Progress> progress;
  progress.emplace("pre-training", static_cast<std::size_t>(options.epochs), std::cerr);
  const auto training =
      ovf::train_vae(images, config, {.epoch = [&](const ovf::VaeEpoch&) { progress->advance(); }});
  progress->finish();
  fmt::print("pre-trained: {:.1f} % of the pixels' variance explained\n",
             100.0 * training.best.explained_variance);
  return ovf::make_image_model(training.model, {.threads = options.threads});
}

inline void run(Options options, const Common& common) {
  ovf::SequentialVaeOptions& experiment = options.experiment;
  if (!options.config.empty()) {
    experiment.camera = ovf::load_camera_config(options.config);
  } else {
    experiment.camera.filter = ovf::camera_filter(
        options.setting == "paper" ? ovf::CameraSetting::kPaper : ovf::CameraSetting::kFast);
    experiment.camera.encoder_start = options.setting != "paper";
  }
  if (!options.model.empty()) experiment.camera.model = options.model;
  experiment.camera.threads = options.threads;
  experiment.without_controls = options.controls != "with";
  experiment.with_controls = options.controls != "without";

  const ovf::ImageModel model =
      experiment.camera.model.empty()
          ? pre_train(options)
          : ovf::load_image_model(experiment.camera.model, {.threads = options.threads});
  if (experiment.camera.model.empty()) experiment.camera.model = "pre-trained";
  ovf::MazeRunConfig maze;
  maze.maze.seed = maze.agent.seed = options.maze;
  maze.camera.size = model.scale.size();
  maze.agent.rate = experiment.camera.rate;
  ovf::MazeRun world(maze);
  std::vector<ovf::CameraFrame> frames, later;
  while (frames.size() < options.frames) frames.push_back(world.next());
  while (later.size() < options.later) later.push_back(world.next());
  run_and_write(common,
                [&] { return ovf::sequential_vae(model, frames, later, experiment, std::cerr); });
}

}  // namespace sequential_vae_command

/// `experiment sequential-vae` (Section 5.3).
inline void add_sequential_vae_command(CLI::App& parent, Common& common) {
  const auto options = std::make_shared<sequential_vae_command::Options>();
  auto* command = parent.add_subcommand(kSequentialVae, kSequentialVaeDescription);
  command->add_option("--model", options->model,
                      "Folder of a model of pictures (default: one is trained first)");
  auto* config = command->add_option("--config", options->config, "Parameter file of the camera")
                     ->check(CLI::ExistingFile);
  command->add_option("--setting", options->setting, "Of the filter")
      ->check(CLI::IsMember({"fast", "paper"}))
      ->excludes(config)
      ->capture_default_str();
  command->add_option("--controls", options->controls, "Told to the network")
      ->check(CLI::IsMember({"with", "without", "both"}))
      ->capture_default_str();
  command->add_option("--maze", options->maze, "Seed of the maze and of the way through it")
      ->capture_default_str();
  constexpr double kMost = 1e6;
  command->add_option("--frames", options->frames, "Pictures to learn from")
      ->check(CLI::Range(20.0, kMost))
      ->capture_default_str();
  command->add_option("--later", options->later, "Pictures after these, to predict")
      ->check(CLI::Range(12.0, kMost))
      ->capture_default_str();
  command->add_option("--seeds", options->experiment.seeds, "Networks that start anew")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--horizon", options->experiment.horizon, "Steps that are predicted")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--architecture", options->architecture, "Of the pre-training")
      ->check(CLI::IsMember({"small", "paper"}))
      ->capture_default_str();
  command->add_option("--training-pictures", options->training_pictures, "Of the pre-training")
      ->check(CLI::Range(100.0, kMost))
      ->capture_default_str();
  command->add_option("--epochs", options->epochs, "Of the pre-training")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Of the networks")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->callback([options, &common] { sequential_vae_command::run(*options, common); });
}
