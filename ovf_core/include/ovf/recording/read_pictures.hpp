#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ovf/vision/image.hpp"

namespace ovf {

struct PictureOptions {
  /// Pictures are resized to it.
  ImageSize size = {32, 32};
  /// Of recordings; empty: the only topic with pictures.
  std::string topic = {};
  /// Every n-th picture, for cameras that hardly move in between.
  int every = 1;
  /// After each picture.
  std::function<void()> progress = {};
};

struct Pictures {
  std::vector<Image> images = {};
  /// Pictures that could not be read.
  std::size_t bad = 0;
  /// What was wrong with the first few of them, and with the recordings.
  std::vector<std::string> warnings = {};
};

/// The pictures of folders (PNG and JPEG files, also in folders below, in the order of their
/// names), of single such files, and of recordings with sensor_msgs/Image or CompressedImage. A
/// folder with pictures and no recording of its own is a folder of pictures. Throws RecordingError
/// if a path has neither, or a topic is missing or ambiguous; it lists those that there are.
Pictures read_pictures(const std::vector<std::filesystem::path>& paths,
                       const PictureOptions& options);

}  // namespace ovf
