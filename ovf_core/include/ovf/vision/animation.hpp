#pragma once

#include <cstdint>
#include <vector>

#include "ovf/vision/image.hpp"

namespace ovf {

/// Pictures one after the other, for ever, as one animated PNG file; programs that do not know
/// these show the first. Throws ImageError if they differ in size or there are none.
std::vector<std::uint8_t> encode_animation(const std::vector<Image>& images,
                                           double seconds_per_image);

}  // namespace ovf
