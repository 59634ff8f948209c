#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "ovf/vision/image_file.hpp"
#include "ovf/vision/load_image_model.hpp"
#include "ovf/vision/reconstruction.hpp"
#include "ovf/vision/train_vae.hpp"
#include "parse_size.hpp"
#include "run_command.hpp"
#include "vae_commands.hpp"
#include "vae_pictures.hpp"

namespace train_vae_command {

struct Options {
  PictureArguments pictures;
  std::filesystem::path out;
  std::string architecture = "small";
  std::string size = "32";
  std::string loss = "default";
  ovf::VaeConfig config;
  bool resume = false;
};

inline void require_free(const std::filesystem::path& out) {
  std::error_code error;
  if (!std::filesystem::exists(out, error)) return;
  if (std::filesystem::is_directory(out) && std::filesystem::is_empty(out)) return;
  throw std::runtime_error(fmt::format(
      "{}: there is something already; name a new or empty folder for the model", out.string()));
}

/// Beside the model's folder: NAME.checkpoint.
inline std::filesystem::path checkpoint_of(const std::filesystem::path& out) {
  const auto folder = out.has_filename() ? out : out.parent_path();
  return folder.string() + ".checkpoint";
}

inline std::string sheet_of(const ovf::StoredImageModel& model,
                            const std::vector<ovf::Image>& images, int threads) {
  try {
    const auto png = ovf::encode_png(
        ovf::reconstruction_sheet(ovf::make_image_model(model, {.threads = threads}), images));
    return {png.begin(), png.end()};
  } catch (const ovf::ImageError& error) {
    print_error(fmt::format("no contact sheet: {}", error.what()));
    return {};
  }
}

inline void run(Options& options) {
  ovf::VaeConfig& config = options.config;
  config.architecture = ovf::vae_architecture(options.architecture);
  config.size = parse_size(options.size);
  if (options.loss == "absolute") config.loss = ovf::VaeLoss::kAbsolute;
  if (options.loss == "squared") config.loss = ovf::VaeLoss::kSquared;
  ovf::check(config);
  require_free(options.out);
  const auto checkpoint = checkpoint_of(options.out);
  if (!options.resume && std::filesystem::exists(checkpoint)) {
    throw std::runtime_error(
        fmt::format("{}: left by a training that was interrupted; go on with --resume, or delete "
                    "it",
                    checkpoint.string()));
  }
  if (options.out.has_parent_path()) std::filesystem::create_directories(options.out.parent_path());
  const ovf::Pictures pictures = read_all(options.pictures, config.size, 2);
  const std::vector<ovf::Image>& images = pictures.images;
  const auto held =
      static_cast<std::size_t>(config.validation_share * static_cast<double>(images.size()));
  fmt::print("{} pictures, {} x {} pixels\n", images.size(), config.size.width, config.size.height);

  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  std::optional<ovf::Progress> progress;
  const InterruptWatch watch;
  const auto stop_if_interrupted = [&] {
    if (InterruptWatch::signal() == 0) return;
    throw Interrupted(
        InterruptWatch::signal(),
        fmt::format("interrupted by {}: {}", InterruptWatch::name(),
                    std::filesystem::exists(checkpoint)
                        ? fmt::format("{} has the training up to its last whole epoch; go on with "
                                      "--resume",
                                      checkpoint.string())
                        : "no epoch was finished, and nothing is left"));
  };
  const auto training = ovf::train_vae(
      images, config,
      {.batch =
           [&](std::size_t count) {
             if (!progress) progress.emplace("epoch", images.size() - held, std::cerr);
             progress->advance(count);
             stop_if_interrupted();
           },
       .epoch =
           [&](const ovf::VaeEpoch& epoch) {
             if (progress) progress->finish();
             progress.reset();
             fmt::print(
                 "epoch {:3}: loss {:.2f}, validation {:.2f}, explained variance {:.4f}, "
                 "{:.1f} s{}\n",
                 epoch.number, epoch.train_loss, epoch.validation_loss, epoch.explained_variance,
                 std::chrono::duration<double>(Clock::now() - start).count(),
                 epoch.is_best ? "" : " (not better)");
             std::cout.flush();
             std::fflush(stdout);
             start = Clock::now();
             stop_if_interrupted();
           }},
      {.file = checkpoint, .resume = options.resume});

  ovf::StoredImageModel model = training.model;
  model.contact_sheet = sheet_of(model, images, config.threads);
  ovf::write_image_model(options.out, model);
  std::error_code error;
  std::filesystem::remove(checkpoint, error);
  fmt::print("best epoch: {} of {}, explained variance {:.4f}\nmodel: {}\n", training.best.number,
             training.epochs.size(), training.best.explained_variance,
             std::filesystem::absolute(options.out).lexically_normal().string());
  require_all_read(pictures);
}

}  // namespace train_vae_command

inline void add_train_vae_command(CLI::App& parent) {
  const auto options = std::make_shared<train_vae_command::Options>();
  auto* command = parent.add_subcommand(kTrainVae, kTrainVaeDescription);
  add_picture_arguments(*command, options->pictures);
  auto& config = options->config;
  command->add_option("--out", options->out, "New or empty folder for the model")->required();
  command
      ->add_option("--architecture", options->architecture,
                   "paper: as published; small: several times cheaper")
      ->check(CLI::IsMember({"small", "paper"}))
      ->capture_default_str();
  command->add_option("--latent", config.latent_dim, "Numbers that stand for a picture")
      ->capture_default_str();
  command
      ->add_option("--size", options->size,
                   "Of the pictures the model sees: SIDE or WIDTHxHEIGHT, multiples of 4")
      ->capture_default_str();
  command->add_option("--epochs", config.epochs, "Rounds over all pictures, at most")
      ->capture_default_str();
  command->add_option("--batch", config.batch, "Pictures in a step")->capture_default_str();
  command->add_option("--rate", config.rate, "Of learning, at the start")->capture_default_str();
  command
      ->add_option("--loss", options->loss,
                   "Of a pixel: absolute (default for paper) or squared (default for small)")
      ->check(CLI::IsMember({"absolute", "squared", "default"}));
  command->add_option("--variance", config.variance, "Of the squared loss")->capture_default_str();
  command->add_option("--kl-weight", config.kl_weight, "Of the divergence from N(0, I)")
      ->capture_default_str();
  command->add_option("--validation", config.validation_share, "Share of pictures kept apart")
      ->capture_default_str();
  command
      ->add_option("--patience", config.patience, "Stop after this many epochs without improvement")
      ->capture_default_str();
  command->add_option("--seed", config.seed, "Of everything random")->capture_default_str();
  command->add_option("--threads", config.threads, "0: as many as there are cores")
      ->capture_default_str();
  command->add_flag("--resume", options->resume, "Go on where an interrupted training stopped");
  command->callback([options] { train_vae_command::run(*options); });
}
