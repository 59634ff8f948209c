#include <fmt/format.h>

#include "ovf/vision/image_file.hpp"
#include "vision/files/image_structure.hpp"

namespace ovf {
namespace {

using Bytes = std::span<const std::uint8_t>;

// The second byte of a marker; the first is 0xff.
constexpr std::uint8_t kMark = 0xff;
constexpr std::uint8_t kStart = 0xd8;
constexpr std::uint8_t kEnd = 0xd9;
constexpr std::uint8_t kScan = 0xda;

bool is_restart(std::uint8_t marker) { return marker >= 0xd0 && marker <= 0xd7; }

// Those that give the size; between them are tables of three kinds.
bool is_frame(std::uint8_t marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/// Goes through a JPEG file from marker to marker.
class JpegWalk {
 public:
  explicit JpegWalk(Bytes bytes) : bytes_(bytes) {}

  std::uint8_t next_marker() {
    if (byte() != kMark) {
      throw ImageError(
          fmt::format("the JPEG file is damaged: there is no marker at byte {}", at_ - 1));
    }
    std::uint8_t marker = byte();
    while (marker == kMark) marker = byte();
    return marker;
  }

  /// What follows a marker other than those of start, end and restart.
  Bytes segment() {
    const std::size_t length = two_bytes();
    if (length < 2) {
      throw ImageError(
          fmt::format("the JPEG file is damaged: a part of length {} at byte {}", length, at_ - 2));
    }
    if (length - 2 > bytes_.size() - at_) break_off();
    const Bytes content = bytes_.subspan(at_, length - 2);
    at_ += length - 2;
    return content;
  }

  /// Up to the next marker that is not part of the pixels.
  void skip_pixels() {
    while (true) {
      while (byte() != kMark) {
      }
      const std::uint8_t next = byte();
      if (next == 0 || is_restart(next)) continue;
      at_ -= next == kMark ? 1 : 2;
      if (next != kMark) return;
    }
  }

 private:
  std::uint8_t byte() {
    if (at_ == bytes_.size()) break_off();
    return bytes_[at_++];
  }
  std::size_t two_bytes() {
    const std::size_t high = byte();
    return 256 * high + byte();
  }
  [[noreturn]] void break_off() const {
    throw ImageError(fmt::format("the JPEG file breaks off at byte {}", bytes_.size()));
  }

  Bytes bytes_;
  std::size_t at_ = 2;  // after the marker of the start
};

ImageSize frame_size(Bytes frame) {
  if (frame.size() < 6) throw ImageError("the JPEG file is damaged: its header is too short");
  return {256 * frame[3] + frame[4], 256 * frame[1] + frame[2]};
}

}  // namespace

bool is_jpeg(Bytes bytes) {
  return bytes.size() >= 3 && bytes[0] == kMark && bytes[1] == kStart && bytes[2] == kMark;
}

ImageSize check_jpeg(Bytes bytes) {
  JpegWalk walk(bytes);
  ImageSize size;
  bool has_pixels = false;
  for (std::uint8_t marker = walk.next_marker(); marker != kEnd; marker = walk.next_marker()) {
    const Bytes content = walk.segment();
    if (is_frame(marker)) size = frame_size(content);
    if (marker == kScan) {
      walk.skip_pixels();
      has_pixels = true;
    }
  }
  if (!has_pixels) throw ImageError("the JPEG file has no pixels");
  return size;
}

}  // namespace ovf
