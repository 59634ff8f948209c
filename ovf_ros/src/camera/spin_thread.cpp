#include "ovf_ros/camera/spin_thread.hpp"

#include <chrono>
#include <exception>
#include <utility>

namespace ovf_ros {
namespace {

// To notice a stop that came between two rounds.
constexpr std::chrono::milliseconds kRound{100};

rclcpp::ExecutorOptions options_of(const rclcpp::Context::SharedPtr& context) {
  rclcpp::ExecutorOptions options;
  options.context = context;
  return options;
}

}  // namespace

SpinThread::SpinThread(const rclcpp::Context::SharedPtr& context,
                       std::function<void(const std::string&)> fail)
    : context_(context), fail_(std::move(fail)), executor_(options_of(context)) {}

void SpinThread::start() {
  thread_ = std::thread([this] { run(); });
}

void SpinThread::run() {
  while (!is_stopping_ && context_->is_valid()) {
    try {
      executor_.spin_once(kRound);
    } catch (const std::exception& error) {
      if (context_->is_valid()) fail_(error.what());
    }
  }
}

void SpinThread::stop() {
  is_stopping_ = true;
  if (!thread_.joinable()) return;
  executor_.cancel();
  thread_.join();
}

}  // namespace ovf_ros
