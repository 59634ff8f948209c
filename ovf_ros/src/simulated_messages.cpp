#include "ovf_ros/simulated_messages.hpp"

namespace ovf_ros {
namespace {

auto appender(std::vector<SimulatedOutput>& out) {
  return [&out](ovf::RobotTopic topic, ovf::Stamp /*stamp*/, const auto& message) {
    out.push_back({topic, message});
  };
}

}  // namespace

void SimulatedMessages::take(const ovf::SimulatedMessage& message,
                             std::vector<SimulatedOutput>& out) {
  std::visit([&](const auto& m) { messages_.take(m, appender(out)); }, message.message);
  if (has_truth_ && message.pose.stamp <= last_truth_) return;
  has_truth_ = true;
  last_truth_ = message.pose.stamp;
  messages_.take(message.pose, appender(out));
}

void SimulatedMessages::flush(std::vector<SimulatedOutput>& out) { messages_.flush(appender(out)); }

}  // namespace ovf_ros
