#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "ovf/vision/image_decoder.hpp"
#include "ovf/vision/image_encoder.hpp"
#include "ovf/vision/pixel_scale.hpp"

namespace ovf {

/// Pictures and their latent states: what pre-training leaves (Section 5.3).
struct ImageModel {
  /// What it was trained as, for people: "small", "paper", or a name from elsewhere.
  std::string name = {};
  PixelScale scale;
  std::shared_ptr<ImageDecoder> decoder;
  std::shared_ptr<ImageEncoder> encoder;
};

}  // namespace ovf
