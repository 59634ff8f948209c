#include "ovf/vision/raw_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <opencv2/imgproc.hpp>
#include <string_view>

#include "ovf/config/printable.hpp"
#include "ovf/vision/image_file.hpp"
#include "vision/files/opencv_image.hpp"

namespace ovf {
namespace {

constexpr int kAsIs = -1;

/// How an encoding becomes red, green, blue. OpenCV names a mosaic by its second row from the
/// second pixel on, ROS by its first pixels.
struct Encoding {
  std::string_view name;
  std::size_t channels = 0;
  int conversion = kAsIs;
};
constexpr std::array<Encoding, 12> kEncodings{{
    {"rgb8", 3, kAsIs},
    {"bgr8", 3, cv::COLOR_BGR2RGB},
    {"8UC3", 3, cv::COLOR_BGR2RGB},
    {"rgba8", 4, cv::COLOR_RGBA2RGB},
    {"bgra8", 4, cv::COLOR_BGRA2RGB},
    {"8UC4", 4, cv::COLOR_BGRA2RGB},
    {"mono8", 1, cv::COLOR_GRAY2RGB},
    {"8UC1", 1, cv::COLOR_GRAY2RGB},
    {"bayer_rggb8", 1, cv::COLOR_BayerBG2RGB},
    {"bayer_bggr8", 1, cv::COLOR_BayerRG2RGB},
    {"bayer_gbrg8", 1, cv::COLOR_BayerGR2RGB},
    {"bayer_grbg8", 1, cv::COLOR_BayerGB2RGB},
}};

const Encoding& find_encoding(const std::string& name) {
  const auto* found = std::find_if(kEncodings.begin(), kEncodings.end(),
                                   [&](const Encoding& each) { return each.name == name; });
  if (found == kEncodings.end()) {
    std::string known;
    for (const Encoding& each : kEncodings) known += fmt::format(" {}", each.name);
    throw ImageError(
        fmt::format("a picture in encoding '{}'; known are{}", printable(name), known));
  }
  return *found;
}

void check(const RawImage& raw, const Encoding& encoding) {
  const std::string what = fmt::format("a picture of {} x {} pixels", raw.width, raw.height);
  if (raw.width == 0 || raw.height == 0) throw ImageError(what + ": it is empty");
  if (raw.width > kLargestImageSide || raw.height > kLargestImageSide) {
    throw ImageError(
        fmt::format("{}; up to {} x {} are used", what, kLargestImageSide, kLargestImageSide));
  }
  const bool is_mosaic = encoding.name.starts_with("bayer");
  if (is_mosaic && (raw.width < 2 || raw.height < 2)) {
    throw ImageError(what + ": too small for a mosaic of colours");
  }
  if (raw.step < raw.width * encoding.channels) {
    throw ImageError(fmt::format("{} in {} with a step of {} bytes; a row has at least {}", what,
                                 raw.encoding, raw.step, raw.width * encoding.channels));
  }
  // Steps that no memory holds would overflow the product.
  constexpr std::size_t kLargestStep = std::size_t{1} << 30U;
  if (raw.step > kLargestStep || raw.data.size() != raw.step * raw.height) {
    throw ImageError(
        fmt::format("{} with a step of {} bytes and {} bytes in all; the step times "
                    "the height was expected",
                    what, raw.step, raw.data.size()));
  }
}

}  // namespace

Image to_image(const RawImage& raw) {
  const Encoding& encoding = find_encoding(raw.encoding);
  check(raw, encoding);
  const cv::Mat pixels(static_cast<int>(raw.height), static_cast<int>(raw.width),
                       CV_MAKETYPE(CV_8U, static_cast<int>(encoding.channels)),
                       const_cast<std::uint8_t*>(raw.data.data()), raw.step);
  Image image(pixels.cols, pixels.rows);
  cv::Mat out = as_opencv(image);
  if (encoding.conversion == kAsIs) {
    pixels.copyTo(out);
  } else {
    cv::cvtColor(pixels, out, encoding.conversion);
  }
  return image;
}

Image resized(const Image& image, ImageSize size) {
  if (image.rgb.empty()) throw ImageError("an empty picture has no other size");
  if (size.width < 1 || size.height < 1 || size.width > kLargestImageSide ||
      size.height > kLargestImageSide) {
    throw ImageError(fmt::format("a picture to be resized to {} x {}; expected 1 to {}", size.width,
                                 size.height, kLargestImageSide));
  }
  if (size == image.size()) return image;
  Image out(size.width, size.height);
  cv::Mat pixels = as_opencv(out);
  cv::resize(as_opencv(image), pixels, pixels.size(), 0.0, 0.0, cv::INTER_AREA);
  return out;
}

}  // namespace ovf
