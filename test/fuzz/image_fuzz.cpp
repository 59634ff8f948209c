#include <cstddef>
#include <cstdint>
#include <span>

#include "ovf/vision/image_file.hpp"

// Whatever the bytes are, the result is a picture or an ImageError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ovf::Image image = ovf::decode_image(std::span(data, size));
    if (image.rgb.size() != ovf::Image(image.width, image.height).rgb.size()) __builtin_trap();
  } catch (const ovf::ImageError&) {
    return 0;
  }
  return 0;
}
