#pragma once

#include <memory>
#include <variant>

#include "ovf/vision/image.hpp"
#include "sensor_msgs/msg/compressed_image.hpp"
#include "sensor_msgs/msg/image.hpp"

namespace ovf_ros {

/// A picture as a camera sent it.
using Picture = std::variant<sensor_msgs::msg::Image::ConstSharedPtr,
                             sensor_msgs::msg::CompressedImage::ConstSharedPtr>;

const std_msgs::msg::Header& header_of(const Picture& picture);

/// Its pixels. Messages are not trusted: whatever they hold, the result is an image or an
/// ovf::ImageError that says what is wrong.
ovf::Image image_of(const Picture& picture);

}  // namespace ovf_ros
