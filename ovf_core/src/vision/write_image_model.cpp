#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>

#include "math/crc32.hpp"
#include "ovf/vision/stored_image_model.hpp"
#include "vision/model_file.hpp"
#include "vision/model_manifest.hpp"
#include "vision/vae_networks.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little);

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

nlohmann::ordered_json tensors_of(const Network& network) {
  auto list = nlohmann::ordered_json::array();
  for (const NetworkTensor& tensor : network.tensors) {
    list.push_back({{"name", tensor.name}, {"shape", tensor.shape}});
  }
  return list;
}

std::string bytes_of(const PixelScale& scale) {
  std::string bytes;
  for (const Eigen::VectorXf* part : {&scale.mean(), &scale.deviation()}) {
    bytes.append(reinterpret_cast<const char*>(part->data()),
                 static_cast<std::size_t>(part->size()) * sizeof(float));
  }
  return bytes;
}

void require_free(const fs::path& folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) return;
  if (fs::is_directory(folder, error) && fs::is_empty(folder, error) && !error) return;
  throw ImageModelError(fmt::format(
      "{}: there is something already; name a new or empty folder for the model", folder.string()));
}

/// Removes the unfinished folder unless it was moved to its place.
class Part {
 public:
  explicit Part(const fs::path& folder)
      : path_(fmt::format("{}.part-{}", folder.string(), getpid())) {
    std::error_code error;
    fs::remove_all(path_, error);
    fs::create_directories(path_, error);
    if (error) {
      throw ImageModelError(
          fmt::format("{}: cannot be created ({})", path_.string(), error.message()));
    }
  }
  ~Part() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  const fs::path& path() const { return path_; }
  void move_to(const fs::path& folder) const {
    std::error_code error;
    fs::rename(path_, folder, error);
    if (error) {
      throw ImageModelError(
          fmt::format("{}: cannot be put in its place ({})", folder.string(), error.message()));
    }
  }

 private:
  fs::path path_;
};

}  // namespace

void write_image_model(const fs::path& given, const StoredImageModel& model) {
  // "model/" is the folder model.
  const fs::path folder = given.has_filename() ? given : given.parent_path();
  require_free(folder);
  check_networks(model);
  const Part part(folder);
  nlohmann::ordered_json manifest;
  manifest["format"] = kManifestFormat;
  manifest["version"] = kManifestVersion;
  manifest["name"] = model.name;
  manifest["architecture"] = name_of(model.architecture);
  manifest["latent_dim"] = model.latent_dim;
  manifest["width"] = model.scale.size().width;
  manifest["height"] = model.scale.size().height;
  manifest["pixel_order"] = kPixelOrder;
  manifest["training"] = model.training;
  const auto add = [&](const char* name, const std::string& bytes) {
    write_model_file(part.path() / name, bytes);
    manifest["files"][name] = {{"bytes", bytes.size()},
                               {"crc32", crc32(std::as_bytes(std::span(bytes)))}};
  };
  add(kPixelScaleFile, bytes_of(model.scale));
  const VaeNetworks networks =
      vae_networks(model.architecture, model.latent_dim, model.scale.size());
  add(kDecoderFile, bytes_of(model.decoder));
  add(kEncoderFile, bytes_of(model.encoder));
  manifest["files"][kDecoderFile]["tensors"] = tensors_of(networks.decoder);
  manifest["files"][kEncoderFile]["tensors"] = tensors_of(networks.encoder);
  if (!model.contact_sheet.empty()) {
    write_model_file(part.path() / kContactSheetFile, model.contact_sheet);
  }
  write_model_file(part.path() / kManifestFile,
                   manifest.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  part.move_to(folder);
}

}  // namespace ovf
