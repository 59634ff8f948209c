#pragma once

#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace ovf_ros {

/// Configures and activates the node as soon as it is spun. `timer` is a member of the node.
void start_when_spun(rclcpp_lifecycle::LifecycleNode& node, rclcpp::TimerBase::SharedPtr& timer);

/// A timer by the clock of the node.
template <typename Callback>
rclcpp::TimerBase::SharedPtr make_timer(rclcpp_lifecycle::LifecycleNode& node, double seconds,
                                        Callback&& callback) {
  return rclcpp::create_timer(node.get_node_base_interface(), node.get_node_timers_interface(),
                              node.get_clock(), rclcpp::Duration::from_seconds(seconds),
                              std::forward<Callback>(callback));
}

}  // namespace ovf_ros
