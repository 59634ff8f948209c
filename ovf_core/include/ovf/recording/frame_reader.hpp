#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "ovf/estimator/messages.hpp"
#include "ovf/recording/recording.hpp"
#include "ovf/vision/image.hpp"

namespace ovf {

/// Which topics, and which part of a recording, in seconds from its beginning.
struct FrameReaderOptions {
  /// Empty: the only one with pictures.
  std::string image_topic = {};
  /// Empty: no controls.
  std::string control_topic = {};
  double start = 0.0;
  double duration = 1e12;
};

/// A picture or a control of a recording.
struct RecordedFrame {
  bool is_control = false;
  Stamp stamp = 0;
  std::int64_t log_time = 0;
  Image image = {};
  Eigen::Vector2d control = Eigen::Vector2d::Zero();  ///< forward speed, turn rate
  /// What is wrong with it; then it holds neither.
  std::string problem = {};
};

/// Pictures (sensor_msgs/Image or CompressedImage) and controls (twists or odometry) in the order
/// in which they were recorded.
class FrameReader {
 public:
  /// Throws RecordingError, or std::invalid_argument if a topic is missing or of another type.
  FrameReader(const std::filesystem::path& recording, const FrameReaderOptions& options);

  /// False at the end. Throws RecordingError where the files cannot be read on.
  bool next(RecordedFrame& frame);

  const std::string& image_topic() const { return image_topic_; }
  const std::string& control_topic() const { return control_topic_; }
  /// Seconds of the recording that are to be read, and that were.
  double seconds() const;
  double seconds_read() const;
  const std::vector<std::string>& warnings() const { return reader_->warnings(); }

 private:
  std::unique_ptr<RecordingReader> reader_;
  std::string image_topic_, control_topic_;
  std::string image_type_, control_type_;
  std::int64_t first_ = 0, end_ = 0, last_ = 0;
};

}  // namespace ovf
