#pragma once

#include <Eigen/Core>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <vector>

#include "ovf/estimator/messages.hpp"
#include "ovf_ros/camera/picture.hpp"

namespace ovf_ros {

/// A picture, and the controls that came since the one before.
struct Frame {
  ovf::Stamp stamp = 0;
  Picture picture = {};
  /// Forward speed and turn rate, in the order in which they came.
  std::vector<Eigen::Vector2d> controls = {};
  std::chrono::steady_clock::time_point received = {};
};

/// Of the controls between two pictures, so many are kept: they are averaged.
inline constexpr std::size_t kMostControls = 1000;

void append_control(const Eigen::Vector2d& control, std::vector<Eigen::Vector2d>& controls);

/// Hands the newest picture from the thread that receives to the one that works. A picture that is
/// not taken before the next one comes is gone, on purpose: work that cannot keep up leaves
/// pictures out rather than fall ever further behind. Their controls are kept.
class FrameMailbox {
 public:
  /// Whether it took the place of a picture that nobody has seen.
  bool put(Frame frame);
  /// Waits for a picture; nothing: the mailbox was closed.
  std::optional<Frame> take();
  /// Ends all waiting, now and from now on.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Frame> frame_;
  bool is_closed_ = false;
};

}  // namespace ovf_ros
