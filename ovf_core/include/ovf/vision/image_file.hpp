#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "ovf/vision/image.hpp"

namespace ovf {

/// A picture that cannot be read, written or used: which one, what is wrong, what was expected.
class ImageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Pictures wider or higher than this are refused before memory is taken for them.
inline constexpr int kLargestImageSide = 4096;
/// So are files of more bytes than this.
inline constexpr std::uintmax_t kLargestImageFile = 128U << 20U;

/// A PNG or JPEG file of any colours, as it is stored: 8 bits, without transparency, and not turned
/// as a telephone may ask for. Files are not trusted: whatever they hold, the result is a picture
/// or an ImageError with the path. A PNG is checked to the last bit; a JPEG has no checksum, so
/// that damage within its pixels shows only where it breaks the file's structure.
Image read_image(const std::filesystem::path& path);

/// The same from memory; `name` is what an error calls it.
Image decode_image(std::span<const std::uint8_t> bytes, const std::string& name = "image");

/// The same picture gives the same bytes.
std::vector<std::uint8_t> encode_png(const Image& image);
/// Quality from 1 to 100.
std::vector<std::uint8_t> encode_jpeg(const Image& image, int quality = 90);

/// PNG or JPEG, by the ending of the path (.png, .jpg, .jpeg). Throws ImageError.
void write_image(const std::filesystem::path& path, const Image& image);

}  // namespace ovf
