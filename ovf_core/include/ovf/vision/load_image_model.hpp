#pragma once

#include <filesystem>

#include "ovf/vision/image_model.hpp"
#include "ovf/vision/stored_image_model.hpp"

// Part of ovf::torch, which there is where LibTorch was found.
namespace ovf {

struct ImageModelOptions {
  /// Of all networks of this process. With one, the rest of the machine is left alone.
  int threads = 1;
};

/// The model in a folder. Its files are not trusted: they are numbers, of which read_image_model
/// checks the sizes, the checksums and that they are finite; what is done with them is written in
/// this program. Throws ImageModelError.
ImageModel load_image_model(const std::filesystem::path& folder,
                            const ImageModelOptions& options = {});

/// The same from memory. Throws ImageModelError.
ImageModel make_image_model(const StoredImageModel& stored, const ImageModelOptions& options = {});

}  // namespace ovf
