#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ovf {

/// Width and height in pixels.
struct ImageSize {
  int width = 0;
  int height = 0;
  bool operator==(const ImageSize&) const = default;
};

/// A picture: row by row from the top, each pixel as red, green, blue.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb = {};

  static constexpr int kChannels = 3;

  Image() = default;
  /// Black.
  Image(int new_width, int new_height)
      : width(new_width),
        height(new_height),
        rgb(static_cast<std::size_t>(kChannels) * static_cast<std::size_t>(new_width) *
            static_cast<std::size_t>(new_height)) {}

  ImageSize size() const { return {width, height}; }
  /// The red of a pixel; green and blue follow.
  std::uint8_t* at(int x, int y) { return rgb.data() + offset(x, y); }
  const std::uint8_t* at(int x, int y) const { return rgb.data() + offset(x, y); }

  bool operator==(const Image&) const = default;

 private:
  std::size_t offset(int x, int y) const {
    return static_cast<std::size_t>(kChannels) *
           (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
            static_cast<std::size_t>(x));
  }
};

}  // namespace ovf
