#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "ovf/math/log_histogram.hpp"
#include "ovf/vision/camera_estimator.hpp"

namespace ovf {

struct CameraReplayOptions {
  CameraConfig config = {};
  bool learning = true;
  /// Seconds from the beginning of the recording, and how long from there on.
  double start = 0.0;
  double duration = std::numeric_limits<double>::infinity();
  /// A checkpoint to start from, and one to write at the end; empty: none.
  std::filesystem::path load = {};
  std::filesystem::path save = {};
  /// Called now and then with seconds of the recording done, and of all of it.
  std::function<void(double done, double all)> progress = {};
  /// Asked after each message: true ends the replay in order, before the end of the recording.
  std::function<bool()> interrupted = {};
};

struct CameraReplaySummary {
  std::string image_topic = {}, control_topic = {};
  long pictures = 0, controls = 0;  ///< that were read
  std::array<long, kFrameOutcomes> outcomes = {};
  /// Pictures and controls that were nothing of the kind, by the reason.
  std::map<std::string, long> unreadable = {};
  std::vector<std::string> warnings = {};  ///< of the recording
  double recording_seconds = 0.0;
  double seconds = 0.0;  ///< that it took
  /// Of what was predicted as far ahead as configured: standardised pixels, and those of the last
  /// picture.
  double prediction_error = 0.0;
  double persistence_error = 0.0;
  LogHistogram latency{1e-5, 1000.0};  ///< seconds per picture that was used
  bool interrupted = false;            ///< before the end of the recording
};

/// A camera's estimator over the pictures of a recording, nothing left out, as fast as the machine
/// can. Writes into a new or empty folder:
///   estimates/     a rosbag2 recording: /ovf_camera/posterior, reconstruction, predicted_image
///   frames.csv     of each picture: stamp, outcome, novelty, NIS per pixel, ELBO
///   report.html    with the pictures that were expected, and those that came; its charts as CSV
///   config.yaml, results.json, machine.json (time and memory: the only one that differs from one
///   run to the next)
///   summary.json   written last; `complete` in it says whether the end of the recording was
///   reached
/// Throws as replay does.
CameraReplaySummary replay_camera(const std::filesystem::path& recording,
                                  const std::filesystem::path& out, const ImageModel& model,
                                  const CameraReplayOptions& options);

}  // namespace ovf
