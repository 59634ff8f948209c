#pragma once

#include <array>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ovf/vision/camera_estimator.hpp"
#include "ovf_ros/input_counts.hpp"
#include "ovf_ros/latency_window.hpp"

namespace ovf_ros {

/// Keeps account of a CameraNode's pictures and controls, for its status and diagnostics. All
/// threads may use it at once, and none waits for the estimator.
class CameraMonitor {
 public:
  /// Everything there is to tell.
  struct View {
    std::array<long, ovf::kFrameOutcomes> counts{};
    long dropped = 0;
    long restarts = 0;
    long parameters_restored = 0;
    bool initialised = false;
    bool learning = false;
    ovf::Stamp stamp = 0;  ///< of the last picture that was used
    double novelty = 0.0;
    double nis = 0.0;
    double relbo = 0.0;
    /// p50, p95, p99, largest; seconds.
    std::vector<double> latency = {};

    // In the last seconds.
    InputCounts::Summary pictures = {};
    InputCounts::Summary controls = {};
    double used_rate = 0.0;
    long recently_dropped = 0;
    std::string failure = {};  ///< of numbers
    bool clock_set_back = false;
    bool fell_back = false;

    std::string bad_picture = {};   ///< what was wrong with the last one that was
    std::string save_problem = {};  ///< of the last save

    long count(ovf::FrameOutcome outcome) const {
      return counts[static_cast<std::size_t>(outcome)];
    }
  };

  /// The clock is that of the node.
  explicit CameraMonitor(std::function<ovf::Stamp()> now);

  /// Forgets everything.
  void configure(bool learning);
  /// Silences count from now on.
  void start();
  void received();
  void dropped();
  /// A picture that did not come as far as the estimator.
  void bad_picture(const std::string& reason);
  void processed(ovf::Stamp stamp, const ovf::FrameResult& result);
  void add_latency(double seconds);
  /// An empty problem: it was used.
  void control(const std::string& problem);
  void set_learning(bool on);
  /// What the latent state is now, other than by a picture.
  void restored(bool initialised, ovf::Stamp stamp);
  /// An empty problem: it worked.
  void saved(const std::string& problem);

  View view();

 private:
  bool is_recent(const std::optional<ovf::Stamp>& time, ovf::Stamp now) const;

  std::function<ovf::Stamp()> now_;
  std::mutex mutex_;
  View view_;
  InputCounts pictures_, steps_, drops_, controls_;
  LatencyWindow latencies_;
  std::optional<ovf::Stamp> failed_, set_back_, fell_back_;
};

}  // namespace ovf_ros
