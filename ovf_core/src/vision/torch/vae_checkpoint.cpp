#include "vision/torch/vae_checkpoint.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <system_error>

#include "math/crc32.hpp"
#include "vision/model_file.hpp"
#include "vision/stored_model_limits.hpp"

namespace ovf {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kLongestIdentity = 2000;
constexpr int kMostEpochs = 1'000'000;
constexpr std::uintmax_t kLargestCheckpoint = 8 * kLargestModelFile;

void archive_state(Archive& archive, std::string& identity, VaeState& state) {
  archive.expect("version", kVersion);
  archive.text("identity", identity, kLongestIdentity);
  const Eigen::Index count = state.parameters.size();
  archive.vector("parameters", state.parameters, count);
  archive.vector("best_parameters", state.best_parameters, count);
  archive.vector("first_moments", state.first_moments, count);
  archive.vector("second_moments", state.second_moments, count);
  archive.integer("steps", state.steps, 0, INT64_MAX);
  state.random.archive(archive);
  auto epochs = static_cast<int>(state.epochs.size());
  archive.integer("epochs", epochs, 0, kMostEpochs);
  state.epochs.resize(static_cast<std::size_t>(epochs));
  for (VaeEpoch& epoch : state.epochs) {
    archive.integer("epoch", epoch.number, 0, kMostEpochs);
    archive.number("train_loss", epoch.train_loss);
    archive.number("validation_loss", epoch.validation_loss);
    archive.number("explained_variance", epoch.explained_variance);
    archive.flag("is_best", epoch.is_best);
  }
}

}  // namespace

std::string training_identity(const VaeConfig& config, const std::vector<Image>& images) {
  std::uint32_t pixels = 0;
  for (const Image& image : images) pixels = crc32(std::as_bytes(std::span(image.rgb)), pixels);
  return fmt::format(
      "architecture {}, latent {}, size {}x{}, epochs {}, batch {}, rate {} to {}, loss {}, "
      "variance {}, KL weight {}, validation {}, patience {}, seed {}, {} pictures ({:08x})",
      name_of(config.architecture), config.latent_dim, config.size.width, config.size.height,
      config.epochs, config.batch, config.rate, config.final_rate,
      config.used_loss() == VaeLoss::kAbsolute ? "absolute" : "squared", config.variance,
      config.kl_weight, config.validation_share, config.patience, config.seed, images.size(),
      pixels);
}

void write_checkpoint(const std::filesystem::path& file, const std::string& identity,
                      VaeState& state) {
  Archive::Bytes bytes;
  Archive archive = Archive::writer(bytes);
  std::string same = identity;
  archive.sealed("checkpoint", [&] { archive_state(archive, same, state); });
  const std::filesystem::path part = file.string() + ".part";
  write_model_file(part, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::error_code error;
  std::filesystem::rename(part, file, error);
  if (error) {
    throw ImageModelError(
        fmt::format("{}: cannot be put in its place ({})", file.string(), error.message()));
  }
}

void read_checkpoint(const std::filesystem::path& file, const std::string& identity,
                     VaeState& state) {
  const std::string bytes = read_model_file(file, kLargestCheckpoint);
  std::string found;
  try {
    Archive archive = Archive::reader(std::as_bytes(std::span(bytes)));
    archive.sealed("checkpoint", [&] {
      // First, as it says why sizes differ.
      Archive peek = archive;
      peek.expect("version", kVersion);
      peek.text("identity", found, kLongestIdentity);
      if (found == identity) archive_state(archive, found, state);
    });
    if (found == identity) archive.finish();
  } catch (const std::invalid_argument& error) {
    if (found.empty() || found == identity) {
      throw ImageModelError(
          fmt::format("{}: not a checkpoint that can be used: {}. Delete it, or train without "
                      "--resume.",
                      file.string(), error.what()));
    }
  }
  if (found != identity) {
    throw ImageModelError(fmt::format(
        "{}: a checkpoint of another training.\n  It is of: {}\n  This is:  {}\nResume with the "
        "same settings and pictures, or delete it.",
        file.string(), found, identity));
  }
}

}  // namespace ovf
