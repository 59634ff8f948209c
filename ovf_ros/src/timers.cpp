#include "ovf_ros/timers.hpp"

#include <chrono>

#include "lifecycle_msgs/msg/state.hpp"

namespace ovf_ros {

void start_when_spun(rclcpp_lifecycle::LifecycleNode& node, rclcpp::TimerBase::SharedPtr& timer) {
  timer = node.create_wall_timer(std::chrono::milliseconds(1), [&node, &timer] {
    timer->cancel();
    const auto inactive = lifecycle_msgs::msg::State::PRIMARY_STATE_INACTIVE;
    if (node.configure().id() == inactive) node.activate();
  });
}

}  // namespace ovf_ros
