#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "ovf/vision/pixel_scale.hpp"

namespace ovf {

/// A model of pictures that cannot be read, written or used: which file, what was found, what was
/// expected, what to do.
class ImageModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A model of pictures as it lies on disk:
///   manifest.json     what it is, with size and CRC-32 of each of the other files
///   pixel_scale.f32   little-endian floats: a mean for each number, then a deviation for each
///   decoder.pt        TorchScript, forward: (n, latent_dim) to (n, 3, height, width)
///   encoder.pt        TorchScript, forward: (n, 3, height, width) to (n, 2 latent_dim), the means
///                     and then the logarithms of the deviations
/// with float32 throughout, and pixels standardised and ordered as PixelScale has them.
struct StoredImageModel {
  std::string name = {};
  int latent_dim = 0;
  PixelScale scale;
  /// Bytes of the files.
  std::string decoder = {};
  std::string encoder = {};
  /// How it came about, for people.
  std::map<std::string, std::string> training = {};
  /// contact_sheet.png: pictures and what the model makes of them, for people. Not read again.
  std::string contact_sheet = {};
};

/// The folder appears complete or not at all; it must be new or empty. Throws ImageModelError.
void write_image_model(const std::filesystem::path& folder, const StoredImageModel& model);

/// Checks the manifest, sizes and checksums; what the networks do is the business of
/// load_image_model. Throws ImageModelError.
StoredImageModel read_image_model(const std::filesystem::path& folder);

}  // namespace ovf
