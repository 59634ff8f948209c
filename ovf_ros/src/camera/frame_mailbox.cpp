#include "ovf_ros/camera/frame_mailbox.hpp"

#include <utility>

namespace ovf_ros {

void append_control(const Eigen::Vector2d& control, std::vector<Eigen::Vector2d>& controls) {
  if (controls.size() >= kMostControls) {
    controls.erase(controls.begin(), controls.begin() + kMostControls / 2);
  }
  controls.push_back(control);
}

bool FrameMailbox::put(Frame frame) {
  const std::lock_guard lock(mutex_);
  if (is_closed_) return false;
  const bool replaces = frame_.has_value();
  if (replaces) {
    std::vector<Eigen::Vector2d> controls = std::move(frame_->controls);
    for (const Eigen::Vector2d& control : frame.controls) append_control(control, controls);
    frame.controls = std::move(controls);
  }
  frame_ = std::move(frame);
  changed_.notify_one();
  return replaces;
}

std::optional<Frame> FrameMailbox::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_closed_ || frame_; });
  if (is_closed_) return std::nullopt;
  return std::exchange(frame_, std::nullopt);
}

void FrameMailbox::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  frame_.reset();
  changed_.notify_all();
}

}  // namespace ovf_ros
