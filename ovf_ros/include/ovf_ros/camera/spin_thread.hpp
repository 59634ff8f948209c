#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "rclcpp/executors/single_threaded_executor.hpp"

namespace ovf_ros {

/// An executor that a thread of its own spins.
class SpinThread {
 public:
  /// What a callback throws goes to `fail`, and the thread goes on.
  SpinThread(const rclcpp::Context::SharedPtr& context,
             std::function<void(const std::string&)> fail);
  ~SpinThread() { stop(); }
  SpinThread(const SpinThread&) = delete;
  SpinThread& operator=(const SpinThread&) = delete;

  /// Add nodes and groups before start.
  rclcpp::Executor& executor() { return executor_; }
  void start();
  /// Returns when no callback runs any more.
  void stop();

 private:
  void run();

  rclcpp::Context::SharedPtr context_;
  std::function<void(const std::string&)> fail_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::atomic<bool> is_stopping_ = false;
  std::thread thread_;
};

}  // namespace ovf_ros
