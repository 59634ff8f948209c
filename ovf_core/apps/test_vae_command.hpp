#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ovf/vision/image_file.hpp"
#include "ovf/vision/load_image_model.hpp"
#include "ovf/vision/reconstruction.hpp"
#include "run_command.hpp"
#include "vae_commands.hpp"
#include "vae_pictures.hpp"

namespace test_vae_command {

struct Options {
  std::filesystem::path model;
  PictureArguments pictures;
  std::filesystem::path sheet = "reconstructions.png";
  int threads = 1;
};

inline void run(const Options& options) {
  const ovf::ImageModel model = ovf::load_image_model(options.model, {.threads = options.threads});
  const ovf::Pictures pictures = read_all(options.pictures, model.scale.size(), 2);
  const std::vector<ovf::Image>& images = pictures.images;
  fmt::print("{} pictures, model {} of {} latent numbers and {} x {} pixels\n", images.size(),
             ovf::printable(model.name), model.decoder->latent_dim(), model.scale.size().width,
             model.scale.size().height);
  fmt::print("explained variance: {:.4f}\n", ovf::explained_variance(model, images));
  ovf::write_image(options.sheet, ovf::reconstruction_sheet(model, images));
  fmt::print("sheet: {}\n", std::filesystem::absolute(options.sheet).lexically_normal().string());
  require_all_read(pictures);
}

}  // namespace test_vae_command

inline void add_test_vae_command(CLI::App& parent) {
  const auto options = std::make_shared<test_vae_command::Options>();
  auto* command = parent.add_subcommand(kTestVae, kTestVaeDescription);
  command->add_option("model", options->model, "Folder of a model, as train-vae writes it")
      ->required();
  add_picture_arguments(*command, options->pictures);
  command->add_option("--sheet", options->sheet, "PNG file for pictures and reconstructions")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "0: as many as there are cores")
      ->capture_default_str();
  command->callback([options] { test_vae_command::run(*options); });
}
