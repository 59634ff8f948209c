#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "ovf/vision/pixel_scale.hpp"
#include "ovf/vision/vae_config.hpp"

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
///   decoder.f32       its parameters, (n, latent_dim) to (n, 3, height, width)
///   encoder.f32       its parameters, (n, 3, height, width) to (n, 2 latent_dim), the means and
///                     then the logarithms of the deviations
/// with little-endian float32 throughout, and pixels standardised and ordered as PixelScale has
/// them. The layers are those of the architecture, the order of the parameters that of its tensors
/// (docs/vision.md).
struct StoredImageModel {
  std::string name = {};
  VaeArchitecture architecture = VaeArchitecture::kSmall;
  int latent_dim = 0;
  PixelScale scale;
  std::vector<float> decoder = {};
  std::vector<float> encoder = {};
  /// How it came about, for people.
  std::map<std::string, std::string> training = {};
  /// contact_sheet.png: pictures and what the model makes of them, for people. Not read again.
  std::string contact_sheet = {};
};

/// The folder appears complete or not at all; it must be new or empty. Throws ImageModelError.
void write_image_model(const std::filesystem::path& folder, const StoredImageModel& model);

/// Checks the manifest, sizes and checksums before memory is taken for them, and that all numbers
/// are finite. Throws ImageModelError.
StoredImageModel read_image_model(const std::filesystem::path& folder);

/// Whether both networks have as many parameters as the architecture asks for, all finite. Throws
/// ImageModelError.
void check_networks(const StoredImageModel& model);

}  // namespace ovf
