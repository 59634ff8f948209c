#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "ovf/recording/recording.hpp"
#include "ovf/recording/ros_image.hpp"
#include "ovf/vision/camera_frame.hpp"

namespace ovf {

/// A rosbag2 folder with the frames of a simulated camera: /camera/image (sensor_msgs/Image, rgb8),
/// /control (geometry_msgs/TwistStamped: the control of the step that ended at its stamp) and
/// /ground_truth (nav_msgs/Odometry). Of one stamp, the control comes first.
class CameraRecording {
 public:
  /// Nanoseconds since 1970 of the first frame.
  static constexpr Stamp kStart = 1'700'000'000'000'000'000;

  /// Throws RecordingError, also if the folder exists and is not empty.
  explicit CameraRecording(const std::filesystem::path& folder);

  /// Throws RecordingError, for example when the disk is full.
  void write(const CameraFrame& frame);
  /// Completes the recording.
  void close();

 private:
  template <typename M>
  int add(const char* name);
  template <typename M>
  void publish(int topic, Stamp stamp, const M& message);

  std::unique_ptr<RecordingWriter> writer_;
  int control_;
  int image_;
  int truth_;
  ros::Image picture_;  ///< its memory is used again
  std::vector<std::byte> bytes_;
};

}  // namespace ovf
