#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ovf/vision/load_image_model.hpp"
#include "ovf/vision/train_vae.hpp"

namespace ovf::test {

/// Two squares on a background, at places and in colours that vary: something to learn.
std::vector<Image> square_pictures(int count, ImageSize size = {8, 8});

/// Trains in a fraction of a second.
VaeConfig tiny_config(VaeArchitecture architecture = VaeArchitecture::kSmall,
                      ImageSize size = {8, 8});

/// After one epoch.
StoredImageModel tiny_model(VaeArchitecture architecture = VaeArchitecture::kSmall,
                            ImageSize size = {8, 8});

/// Removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

/// What an ImageModelError says; empty: there was none.
template <typename Call>
std::string model_error(const Call& call) {
  try {
    call();
  } catch (const ImageModelError& error) {
    return error.what();
  }
  return {};
}

}  // namespace ovf::test
