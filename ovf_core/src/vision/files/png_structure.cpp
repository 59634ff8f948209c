#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "math/crc32.hpp"
#include "ovf/vision/image_file.hpp"
#include "vision/files/image_structure.hpp"

namespace ovf {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::array<std::uint8_t, 8> kSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
// Length, name and checksum of a chunk.
constexpr std::size_t kLength = 4;
constexpr std::size_t kName = 4;
constexpr std::size_t kCrc = 4;
constexpr std::size_t kHeaderChunk = 13;

std::uint32_t big_endian(Bytes bytes) {
  return (std::uint32_t{bytes[0]} << 24U) | (std::uint32_t{bytes[1]} << 16U) |
         (std::uint32_t{bytes[2]} << 8U) | std::uint32_t{bytes[3]};
}

// A side above any limit is as good as INT_MAX.
int side(Bytes bytes) {
  return static_cast<int>(std::min<std::uint32_t>(big_endian(bytes), INT32_MAX));
}

}  // namespace

bool is_png(Bytes bytes) {
  return bytes.size() >= kSignature.size() &&
         std::equal(kSignature.begin(), kSignature.end(), bytes.begin());
}

ImageSize check_png(Bytes bytes) {
  ImageSize size;
  std::size_t at = kSignature.size();
  for (std::string name; name != "IEND";) {
    const Bytes rest = bytes.subspan(at);
    if (rest.size() < kLength + kName + kCrc) {
      throw ImageError(fmt::format("the PNG file breaks off at byte {}", bytes.size()));
    }
    const std::size_t length = big_endian(rest);
    if (length > rest.size() - (kLength + kName + kCrc)) {
      throw ImageError(
          fmt::format("the PNG file breaks off at byte {}, inside a part that is {} "
                      "bytes long",
                      bytes.size(), length));
    }
    const Bytes named = rest.subspan(kLength, kName + length);
    if (crc32(std::as_bytes(named)) != big_endian(rest.subspan(kLength + kName + length))) {
      throw ImageError(
          fmt::format("the PNG file is damaged: wrong checksum of the part at byte {}", at));
    }
    name.assign(named.begin(), named.begin() + kName);
    if (at == kSignature.size()) {
      if (name != "IHDR" || length != kHeaderChunk) {
        throw ImageError("the PNG file does not start with its header");
      }
      size = {side(named.subspan(kName)), side(named.subspan(kName + 4))};
    }
    at += kLength + kName + length + kCrc;
  }
  return size;
}

}  // namespace ovf
