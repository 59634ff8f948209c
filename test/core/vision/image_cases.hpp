#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ovf/math/random.hpp"
#include "ovf/vision/image.hpp"
#include "ovf/vision/image_file.hpp"

namespace ovf::test {

/// Every pixel is drawn.
inline Image random_image(int width, int height, std::uint64_t seed = 1) {
  RandomStream random(seed);
  Image image(width, height);
  for (auto& value : image.rgb) value = static_cast<std::uint8_t>(random.bits());
  return image;
}

/// Slow changes only, which a JPEG file keeps.
inline Image smooth_image(int width, int height) {
  Image image(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      image.at(x, y)[0] = static_cast<std::uint8_t>(255 * x / width);
      image.at(x, y)[1] = static_cast<std::uint8_t>(255 * y / height);
      image.at(x, y)[2] = 100;
    }
  }
  return image;
}

/// What an ImageError says; empty: there was none.
template <typename Call>
std::string image_error(const Call& call) {
  try {
    call();
  } catch (const ImageError& error) {
    return error.what();
  }
  return {};
}

}  // namespace ovf::test
