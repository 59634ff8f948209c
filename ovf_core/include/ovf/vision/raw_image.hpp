#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "ovf/vision/image.hpp"

namespace ovf {

/// The pixels of a camera as its driver hands them over, in the words of sensor_msgs/Image.
struct RawImage {
  std::size_t width = 0;
  std::size_t height = 0;
  /// rgb8, bgr8, rgba8, bgra8, mono8, bayer_rggb8 (or bggr, gbrg, grbg); also 8UC1, 8UC3 and 8UC4
  /// as OpenCV means them.
  std::string encoding = {};
  /// Bytes from one row to the next.
  std::size_t step = 0;
  std::span<const std::uint8_t> data = {};
};

/// Throws ImageError on an encoding other than these, an empty picture, one above
/// kLargestImageSide, or bytes that do not fit the size.
Image to_image(const RawImage& raw);

/// The whole picture in another size: each new pixel is the mean of the area that it covers; a
/// larger picture is interpolated. Throws ImageError on an empty picture or size.
Image resized(const Image& image, ImageSize size);

}  // namespace ovf
