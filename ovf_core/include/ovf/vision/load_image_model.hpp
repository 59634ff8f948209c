#pragma once

#include <cstddef>
#include <filesystem>

#include "ovf/vision/image_model.hpp"
#include "ovf/vision/stored_image_model.hpp"

// Part of ovf::torch, which there is where LibTorch was found.
namespace ovf {

struct ImageModelOptions {
  /// Of all networks of this process. With one, the rest of the machine is left alone.
  int threads = 1;
  /// What a network may take while it is tried out: processor seconds, bytes beyond the size of
  /// this process.
  int trial_seconds = 30;
  std::size_t trial_memory = std::size_t{4} << 30U;
  /// Our own decoders bring a function for their Jacobian; without it, forward-mode derivatives
  /// serve, as for those from elsewhere.
  bool use_jacobian_function = true;
};

/// The model in a folder. Its files are not trusted: after the checks of read_image_model, the
/// networks are tried out in a process of their own, which may neither write files nor take more
/// time or memory than the options say, and only then loaded here. Networks with loops are refused,
/// so that none can hang later. Throws ImageModelError.
ImageModel load_image_model(const std::filesystem::path& folder,
                            const ImageModelOptions& options = {});

/// The same from memory and without the trial, for what this process has trained itself.
ImageModel make_image_model(const StoredImageModel& model, const ImageModelOptions& options = {});

}  // namespace ovf
