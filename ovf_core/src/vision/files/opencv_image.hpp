#pragma once

#include <opencv2/core.hpp>

#include "ovf/vision/image.hpp"

namespace ovf {

/// The image's own pixels, in its order of the channels.
inline cv::Mat as_opencv(Image& image) {
  return {image.height, image.width, CV_8UC3, image.rgb.data()};
}

/// The same to be read only: OpenCV has no type for that.
inline cv::Mat as_opencv(const Image& image) {
  return {image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data())};
}

}  // namespace ovf
