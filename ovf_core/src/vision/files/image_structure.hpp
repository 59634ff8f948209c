#pragma once

#include <cstdint>
#include <span>

#include "ovf/vision/image.hpp"

namespace ovf {

// What can be known of the bytes of an image file before a decoder sees them: the size, and that
// the file is whole. Throw ImageError without a name.

bool is_png(std::span<const std::uint8_t> bytes);
bool is_jpeg(std::span<const std::uint8_t> bytes);

/// Every chunk up to the last is there, and its checksum is right.
ImageSize check_png(std::span<const std::uint8_t> bytes);

/// Every segment is there up to the marker of the end.
ImageSize check_jpeg(std::span<const std::uint8_t> bytes);

}  // namespace ovf
