#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "ovf/vision/camera_frame.hpp"

namespace ovf {

/// Frames as PNG files 000000.png, 000001.png, ... and index.csv with a line for each:
///   stamp,file,v,w,x,y,yaw
/// Stamps are nanoseconds; v and w are the control of the step that ended with the picture (nan:
/// none), x, y and yaw the true pose. A line is written after its picture, so that all pictures of
/// the index are there even after a run that broke off.
class ImageFolder {
 public:
  /// The folder must be new or empty. Throws ImageError.
  explicit ImageFolder(std::filesystem::path folder);

  void write(const CameraFrame& frame);
  /// Throws ImageError, as a full disk may show only then.
  void close();

 private:
  void check_index() const;

  std::filesystem::path folder_;
  std::ofstream index_;
  std::int64_t frames_ = 0;
};

}  // namespace ovf
