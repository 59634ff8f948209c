#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "math/crc32.hpp"
#include "ovf/config/printable.hpp"
#include "ovf/vision/stored_image_model.hpp"
#include "vision/model_file.hpp"
#include "vision/model_manifest.hpp"
#include "vision/stored_model_limits.hpp"
#include "vision/vae_networks.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kLongestName = 200;
constexpr std::size_t kMostTrainingEntries = 1000;

/// The manifest, with the checks of its entries.
class Manifest {
 public:
  explicit Manifest(const fs::path& folder) : folder_(folder), path_(folder / kManifestFile) {
    const std::string text = read_model_file(path_, kLargestManifest);
    // Depth is limited, as the parser and its values recurse.
    int deepest = 0;
    const auto limit_depth = [&](int depth, json::parse_event_t, json&) {
      deepest = std::max(deepest, depth);
      return depth < 8;
    };
    root_ = json::parse(text, limit_depth, false);
    if (deepest >= 8 || !root_.is_object()) refuse("not JSON as a manifest has it");
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw ImageModelError(
        fmt::format("{}: {}. Copy the model again, or train it again with `ovf train-vae`.",
                    path_.string(), what));
  }

  std::string text(const char* key) const {
    const auto entry = root_.find(key);
    if (entry == root_.end() || !entry->is_string()) {
      refuse(fmt::format("{} is {}; expected a text", key, shown(root_, key)));
    }
    auto value = entry->get<std::string>();
    if (value.size() > kLongestName) refuse(fmt::format("{} is too long", key));
    return value;
  }

  long integer(const json& object, const char* key, long lowest, long highest) const {
    const auto entry = object.find(key);
    // Numbers beyond a signed one are unsigned ones here.
    const bool is_integer =
        entry != object.end() && entry->is_number_integer() &&
        !(entry->is_number_unsigned() && entry->get<std::uint64_t>() > INT64_MAX);
    if (!is_integer || entry->get<std::int64_t>() < lowest ||
        entry->get<std::int64_t>() > highest) {
      refuse(fmt::format("{} is {}; expected a whole number from {} to {}", key, shown(object, key),
                         lowest, highest));
    }
    return entry->get<std::int64_t>();
  }
  int integer(const char* key, int lowest, int highest) const {
    return static_cast<int>(integer(root_, key, lowest, highest));
  }

  std::map<std::string, std::string> training() const {
    std::map<std::string, std::string> all;
    const auto entry = root_.find("training");
    if (entry == root_.end()) return all;
    if (!entry->is_object() || entry->size() > kMostTrainingEntries) {
      refuse("training is not a list of names and texts");
    }
    for (const auto& [key, value] : entry->items()) {
      if (!value.is_string()) refuse(fmt::format("training.{} is not a text", printable(key)));
      all[key] = value.get<std::string>();
    }
    return all;
  }

  VaeArchitecture architecture() const {
    const std::string name = text("architecture");
    try {
      return vae_architecture(name);
    } catch (const std::invalid_argument&) {
      refuse(fmt::format("architecture is {}; expected small or paper", printable(name)));
    }
  }

  /// A file of `expected` floats, whose size and checksum are those that the manifest says.
  std::vector<float> floats(const char* name, std::int64_t expected) const {
    const json& entry = file_entry(name);
    const long bytes = integer(entry, "bytes", 1, static_cast<long>(kLargestModelFile));
    const long sum = integer(entry, "crc32", 0, UINT32_MAX);
    const auto size = expected * static_cast<std::int64_t>(sizeof(float));
    if (bytes != size) {
      refuse(
          fmt::format("files.{} has {} bytes; {} numbers as the entries of the model ask for "
                      "take {}",
                      name, bytes, expected, size));
    }
    const fs::path path = folder_ / name;
    const std::string content = read_model_file(path, kLargestModelFile);
    if (content.size() != static_cast<std::size_t>(bytes)) {
      throw ImageModelError(
          fmt::format("{}: {} bytes; the manifest says {}. Copy the model again, all of it.",
                      path.string(), content.size(), bytes));
    }
    const std::uint32_t found = crc32(std::as_bytes(std::span(content)));
    if (found != sum) {
      throw ImageModelError(
          fmt::format("{}: damaged: its CRC-32 is {}, the manifest says {}. Copy the model again.",
                      path.string(), found, sum));
    }
    std::vector<float> values(static_cast<std::size_t>(expected));
    std::memcpy(values.data(), content.data(), content.size());
    return values;
  }

  /// The parameters of a network, whose tensors are listed as the architecture has them.
  std::vector<float> parameters(const char* name, const Network& network) const {
    const json& entry = file_entry(name);
    json expected = json::array();
    for (const NetworkTensor& tensor : network.tensors) {
      expected.push_back({{"name", tensor.name}, {"shape", tensor.shape}});
    }
    const auto found = entry.find("tensors");
    if (found == entry.end() || !found->is_array() || found->size() != expected.size()) {
      refuse(fmt::format("files.{} does not list the {} tensors of the architecture", name,
                         expected.size()));
    }
    for (std::size_t k = 0; k < expected.size(); ++k) {
      if ((*found)[k] == expected[k]) continue;
      refuse(fmt::format("files.{}: tensor {} is {}; expected {}", name, k, shown((*found)[k]),
                         shown(expected[k])));
    }
    return floats(name, network.parameter_count());
  }

 private:
  static std::string shown(const json& object, const char* key) {
    const auto entry = object.find(key);
    if (entry == object.end()) return "missing";
    return shown(*entry);
  }
  static std::string shown(const json& value) {
    return value.dump(-1, ' ', true, json::error_handler_t::replace).substr(0, kLongestName);
  }

  const json& file_entry(const char* name) const {
    const auto files = root_.find("files");
    if (files == root_.end() || !files->is_object()) refuse("files are not listed");
    const auto entry = files->find(name);
    if (entry == files->end() || !entry->is_object()) {
      refuse(fmt::format("files has no entry {}", name));
    }
    return *entry;
  }

  fs::path folder_;
  fs::path path_;
  json root_;
};

PixelScale scale_of(const fs::path& path, const std::vector<float>& values, ImageSize size) {
  const auto count = static_cast<Eigen::Index>(values.size() / 2);
  const Eigen::Map<const Eigen::VectorXf> mean(values.data(), count);
  const Eigen::Map<const Eigen::VectorXf> deviation(values.data() + count, count);
  try {
    return {size, mean, deviation};
  } catch (const std::invalid_argument& error) {
    throw ImageModelError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

void check_parameters(const char* file, const std::vector<float>& values, const Network& network) {
  if (static_cast<std::int64_t>(values.size()) != network.parameter_count()) {
    throw ImageModelError(fmt::format("{}: {} numbers; the architecture has {}", file,
                                      values.size(), network.parameter_count()));
  }
  std::size_t at = 0;
  for (const NetworkTensor& tensor : network.tensors) {
    const auto end = at + static_cast<std::size_t>(count_of(tensor));
    for (; at < end; ++at) {
      if (std::isfinite(values[at])) continue;
      throw ImageModelError(fmt::format("{}: the numbers of {} are not all finite. Train it again.",
                                        file, tensor.name));
    }
  }
}

}  // namespace

StoredImageModel read_image_model(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw ImageModelError(
        fmt::format("{}: no folder; expected that of a model, as `ovf train-vae --out` writes it",
                    folder.string()));
  }
  const Manifest manifest(folder);
  if (const auto format = manifest.text("format"); format != kManifestFormat) {
    manifest.refuse(fmt::format("format is {}; expected {}", printable(format), kManifestFormat));
  }
  if (manifest.integer("version", 1, kManifestVersion) == 1) {
    manifest.refuse(
        "a model of version 1, whose networks are programs (TorchScript, decoder.pt and "
        "encoder.pt), which are not run any more because a program from a stranger can do "
        "anything. Write its numbers as docs/vision.md says");
  }
  if (const auto order = manifest.text("pixel_order"); order != kPixelOrder) {
    manifest.refuse(fmt::format("pixel_order is {}; expected {}", printable(order), kPixelOrder));
  }
  const VaeArchitecture architecture = manifest.architecture();
  const int latent_dim = manifest.integer("latent_dim", 1, kLargestLatentDim);
  const ImageSize size = {manifest.integer("width", 4, kLargestModelSide),
                          manifest.integer("height", 4, kLargestModelSide)};
  if (size.width % 4 != 0 || size.height % 4 != 0) {
    manifest.refuse(
        fmt::format("{} x {} pixels; expected multiples of 4", size.width, size.height));
  }
  const VaeNetworks networks = vae_networks(architecture, latent_dim, size);
  if (!fits_into_memory(networks.decoder, latent_dim)) {
    manifest.refuse(fmt::format("{} latent numbers and {} x {} pixels take too much memory",
                                latent_dim, size.width, size.height));
  }
  const std::int64_t pixels = std::int64_t{Image::kChannels} * size.width * size.height;
  StoredImageModel model{.name = manifest.text("name"),
                         .architecture = architecture,
                         .latent_dim = latent_dim,
                         .scale = scale_of(folder / kPixelScaleFile,
                                           manifest.floats(kPixelScaleFile, 2 * pixels), size),
                         .decoder = manifest.parameters(kDecoderFile, networks.decoder),
                         .encoder = manifest.parameters(kEncoderFile, networks.encoder),
                         .training = manifest.training()};
  try {
    check_networks(model);
  } catch (const ImageModelError& problem) {
    throw ImageModelError(fmt::format("{}/{}", folder.string(), problem.what()));
  }
  return model;
}

void check_networks(const StoredImageModel& model) {
  const VaeNetworks networks =
      vae_networks(model.architecture, model.latent_dim, model.scale.size());
  check_parameters(kDecoderFile, model.decoder, networks.decoder);
  check_parameters(kEncoderFile, model.encoder, networks.encoder);
}

}  // namespace ovf
