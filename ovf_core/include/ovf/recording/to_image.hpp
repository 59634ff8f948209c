#pragma once

#include "ovf/vision/image.hpp"
#include "ovf/vision/image_file.hpp"
#include "ovf/vision/raw_image.hpp"

// Pictures out of messages. Templates, as sense.hpp: for the messages of rclcpp and for those of
// recordings.
namespace ovf {

/// Of a sensor_msgs/Image, in its own size. Throws ImageError.
template <typename ImageMessage>
Image image_of(const ImageMessage& message) {
  return to_image(RawImage{.width = message.width,
                           .height = message.height,
                           .encoding = message.encoding,
                           .step = message.step,
                           .data = message.data});
}

/// Of a sensor_msgs/CompressedImage with a JPEG or PNG file, whatever its format says: drivers
/// write many things there. Throws ImageError.
template <typename CompressedImageMessage>
Image image_of_compressed(const CompressedImageMessage& message) {
  return decode_image(message.data, "compressed image");
}

/// The same in a wanted size.
template <typename ImageMessage>
Image image_of(const ImageMessage& message, ImageSize size) {
  return resized(image_of(message), size);
}
template <typename CompressedImageMessage>
Image image_of_compressed(const CompressedImageMessage& message, ImageSize size) {
  return resized(image_of_compressed(message), size);
}

}  // namespace ovf
