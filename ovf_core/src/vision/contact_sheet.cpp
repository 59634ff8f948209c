#include "ovf/vision/contact_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ovf/vision/image_file.hpp"

namespace ovf {
namespace {

constexpr int kGap = 4;
constexpr std::uint8_t kPaper = 255;

void paste(const Image& image, int scale, int left, int top, Image& sheet) {
  for (int y = 0; y < scale * image.height; ++y) {
    for (int x = 0; x < scale * image.width; ++x) {
      std::copy_n(image.at(x / scale, y / scale), Image::kChannels, sheet.at(left + x, top + y));
    }
  }
}

}  // namespace

Image contact_sheet(const std::vector<Image>& images, int columns, int scale) {
  if (images.empty() || images.front().rgb.empty() || columns < 1 || scale < 1) {
    throw ImageError("a contact sheet of nothing");
  }
  const ImageSize size = images.front().size();
  const auto count = static_cast<std::int64_t>(images.size());
  const std::int64_t wide = std::min<std::int64_t>(columns, count);
  const std::int64_t high = (count + columns - 1) / columns;
  const std::int64_t cell_width = kGap + std::int64_t{scale} * size.width;
  const std::int64_t cell_height = kGap + std::int64_t{scale} * size.height;
  if (std::max(wide * cell_width, high * cell_height) + kGap > kLargestImageSide) {
    throw ImageError(
        fmt::format("a contact sheet of {} pictures of {} x {} pixels, {} times as "
                    "large, is larger than {} x {}",
                    count, size.width, size.height, scale, kLargestImageSide, kLargestImageSide));
  }
  Image sheet(static_cast<int>(kGap + wide * cell_width),
              static_cast<int>(kGap + high * cell_height));
  std::fill(sheet.rgb.begin(), sheet.rgb.end(), kPaper);
  for (std::int64_t k = 0; k < count; ++k) {
    const Image& image = images[static_cast<std::size_t>(k)];
    if (image.size() != size) throw ImageError("a contact sheet of pictures of different sizes");
    paste(image, scale, static_cast<int>(kGap + k % columns * cell_width),
          static_cast<int>(kGap + k / columns * cell_height), sheet);
  }
  return sheet;
}

}  // namespace ovf
