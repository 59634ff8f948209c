#include "ovf_ros/camera/picture.hpp"

#include <algorithm>
#include <memory>
#include <opencv2/core.hpp>
#include <string>

#include "ovf/recording/to_image.hpp"

// The header ends in .h up to Humble.
#if __has_include("cv_bridge/cv_bridge.hpp")
#include "cv_bridge/cv_bridge.hpp"
#else
#include "cv_bridge/cv_bridge.h"
#endif

namespace ovf_ros {
namespace {

// OpenCV's own names say nothing of colours; they are taken as OpenCV orders them.
std::string with_colours(const std::string& encoding) {
  if (encoding == "8UC1") return "mono8";
  if (encoding == "8UC3") return "bgr8";
  if (encoding == "8UC4") return "bgra8";
  return encoding;
}

// Two pixels share their colours.
bool has_pairs(const std::string& encoding) {
  return encoding.starts_with("yuv422") || encoding == "uyvy" || encoding == "yuyv";
}

// What cv_bridge and OpenCV take on trust: they multiply in 32 bits, and write pairs of pixels.
void check_size(const sensor_msgs::msg::Image& message) {
  const std::string size = std::to_string(message.width) + " x " + std::to_string(message.height);
  if (message.width == 0 || message.height == 0 || message.data.empty()) {
    throw ovf::ImageError("an empty picture (" + size + " pixels, " +
                          std::to_string(message.data.size()) + " bytes)");
  }
  const auto largest = static_cast<std::uint32_t>(ovf::kLargestImageSide);
  if (message.width > largest || message.height > largest) {
    throw ovf::ImageError("a picture of " + size + " pixels; expected at most " +
                          std::to_string(largest) + " on a side");
  }
  if (has_pairs(message.encoding) && message.width % 2 != 0) {
    throw ovf::ImageError("encoding " + message.encoding + ": a picture of " + size +
                          " pixels; expected an even width");
  }
  const std::uint64_t bytes = std::uint64_t{message.height} * message.step;
  if (bytes != message.data.size()) {
    throw ovf::ImageError("a picture with " + std::to_string(message.data.size()) +
                          " bytes; expected " + std::to_string(bytes) + ": " +
                          std::to_string(message.height) + " rows of " +
                          std::to_string(message.step));
  }
}

ovf::Image image_of(const sensor_msgs::msg::Image::ConstSharedPtr& message) {
  check_size(*message);
  try {
    const auto named = std::make_shared<cv_bridge::CvImage>(*cv_bridge::toCvShare(message));
    named->encoding = with_colours(message->encoding);
    const cv_bridge::CvImageConstPtr converted = cv_bridge::cvtColor(named, "rgb8");
    const cv::Mat& pixels = converted->image;
    if (pixels.type() != CV_8UC3) throw ovf::ImageError("is no picture of colours");
    ovf::Image image(pixels.cols, pixels.rows);
    for (int y = 0; y < image.height; ++y) {
      const std::uint8_t* row = pixels.ptr(y);
      std::copy(row, row + ovf::Image::kChannels * image.width, image.at(0, y));
    }
    return image;
  } catch (const std::exception& error) {
    throw ovf::ImageError("encoding " + message->encoding + ": " + error.what());
  }
}

ovf::Image image_of(const sensor_msgs::msg::CompressedImage::ConstSharedPtr& message) {
  return ovf::image_of_compressed(*message);
}

}  // namespace

const std_msgs::msg::Header& header_of(const Picture& picture) {
  return std::visit(
      [](const auto& message) -> const std_msgs::msg::Header& { return message->header; }, picture);
}

ovf::Image image_of(const Picture& picture) {
  return std::visit([](const auto& message) { return image_of(message); }, picture);
}

}  // namespace ovf_ros
