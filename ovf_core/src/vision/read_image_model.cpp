#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "math/crc32.hpp"
#include "ovf/vision/stored_image_model.hpp"
#include "vision/model_file.hpp"
#include "vision/model_manifest.hpp"
#include "vision/stored_model_limits.hpp"

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
    throw ImageModelError(fmt::format(
        "{}: {}. Copy the model again, or train it again with `ovf train-vae`.", path_.string(),
        what));
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
    const bool is_integer = entry != object.end() && entry->is_number_integer() &&
                            !(entry->is_number_unsigned() && entry->get<std::uint64_t>() > INT64_MAX);
    if (!is_integer || entry->get<std::int64_t>() < lowest ||
        entry->get<std::int64_t>() > highest) {
      refuse(fmt::format("{} is {}; expected a whole number from {} to {}", key,
                         shown(object, key), lowest, highest));
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
      if (!value.is_string()) refuse(fmt::format("training.{} is not a text", key));
      all[key] = value.get<std::string>();
    }
    return all;
  }

  /// A file whose size and checksum are those that the manifest says.
  std::string file(const char* name) const {
    const auto files = root_.find("files");
    if (files == root_.end() || !files->is_object()) refuse("files are not listed");
    const auto entry = files->find(name);
    if (entry == files->end() || !entry->is_object()) {
      refuse(fmt::format("files has no entry {}", name));
    }
    const long bytes = integer(*entry, "bytes", 1, static_cast<long>(kLargestModelFile));
    const long sum = integer(*entry, "crc32", 0, UINT32_MAX);
    const fs::path path = folder_ / name;
    std::string content = read_model_file(path, kLargestModelFile);
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
    return content;
  }

 private:
  static std::string shown(const json& object, const char* key) {
    const auto entry = object.find(key);
    if (entry == object.end()) return "missing";
    return entry->dump(-1, ' ', true, json::error_handler_t::replace).substr(0, kLongestName);
  }

  fs::path folder_;
  fs::path path_;
  json root_;
};

PixelScale scale_of(const fs::path& path, const std::string& bytes, ImageSize size) {
  const Eigen::Index count = Eigen::Index{Image::kChannels} * size.width * size.height;
  const std::size_t expected = 2 * static_cast<std::size_t>(count) * sizeof(float);
  if (bytes.size() != expected) {
    throw ImageModelError(
        fmt::format("{}: {} bytes; a mean and a deviation for each number of {} x {} pixels take "
                    "{}. Model and pixel scale are not of the same size.",
                    path.string(), bytes.size(), size.width, size.height, expected));
  }
  Eigen::VectorXf mean(count);
  Eigen::VectorXf deviation(count);
  std::memcpy(mean.data(), bytes.data(), expected / 2);
  std::memcpy(deviation.data(), bytes.data() + expected / 2, expected / 2);
  try {
    return {size, std::move(mean), std::move(deviation)};
  } catch (const std::invalid_argument& error) {
    throw ImageModelError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace

StoredImageModel read_image_model(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw ImageModelError(fmt::format(
        "{}: no folder; expected that of a model, as `ovf train-vae --out` writes it",
        folder.string()));
  }
  const Manifest manifest(folder);
  if (const auto format = manifest.text("format"); format != kManifestFormat) {
    manifest.refuse(fmt::format("format is {}; expected {}", format, kManifestFormat));
  }
  manifest.integer("version", kManifestVersion, kManifestVersion);
  if (const auto order = manifest.text("pixel_order"); order != kPixelOrder) {
    manifest.refuse(fmt::format("pixel_order is {}; expected {}", order, kPixelOrder));
  }
  const int latent_dim = manifest.integer("latent_dim", 1, kLargestLatentDim);
  const ImageSize size = {manifest.integer("width", 1, kLargestModelSide),
                          manifest.integer("height", 1, kLargestModelSide)};
  PixelScale scale =
      scale_of(folder / kPixelScaleFile, manifest.file(kPixelScaleFile), size);
  return {.name = manifest.text("name"),
          .latent_dim = latent_dim,
          .scale = std::move(scale),
          .decoder = manifest.file(kDecoderFile),
          .encoder = manifest.file(kEncoderFile),
          .training = manifest.training()};
}

}  // namespace ovf
