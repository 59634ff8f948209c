#include "ovf_ros/managed_node.hpp"

#include <algorithm>
#include <exception>

namespace ovf_ros {

void ManagedNode::end() {
  if (active_) halt();
  drop_all();
}

ManagedNode::CallbackReturn ManagedNode::on_configure(const State& /*state*/) {
  try {
    configure_all();
    configured_ = true;
    return CallbackReturn::SUCCESS;
  } catch (const std::exception& error) {
    RCLCPP_ERROR(get_logger(), "not configured:\n%s", error.what());
    drop_all();
    return CallbackReturn::FAILURE;
  }
}

ManagedNode::CallbackReturn ManagedNode::on_activate(const State& state) {
  // Publishers first: messages may come at once.
  const CallbackReturn result = LifecycleNode::on_activate(state);
  if (result != CallbackReturn::SUCCESS) return result;
  try {
    start();
    active_ = true;
    return CallbackReturn::SUCCESS;
  } catch (const std::exception& error) {
    RCLCPP_ERROR(get_logger(), "not activated: %s", error.what());
    stop();
    LifecycleNode::on_deactivate(state);
    return CallbackReturn::FAILURE;
  }
}

ManagedNode::CallbackReturn ManagedNode::on_deactivate(const State& state) {
  halt();
  return LifecycleNode::on_deactivate(state);
}

ManagedNode::CallbackReturn ManagedNode::on_cleanup(const State& /*state*/) {
  drop_all();
  return CallbackReturn::SUCCESS;
}

ManagedNode::CallbackReturn ManagedNode::on_shutdown(const State& /*state*/) {
  end();
  return CallbackReturn::SUCCESS;
}

ManagedNode::CallbackReturn ManagedNode::on_error(const State& /*state*/) {
  drop_all();
  return CallbackReturn::SUCCESS;
}

void ManagedNode::halt() {
  stop();
  active_ = false;
  stopped();
}

void ManagedNode::drop_all() {
  stop();
  active_ = false;
  configured_ = false;
  drop();
}

void ManagedNode::watch_parameters() {
  parameter_callback_ = add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& changes) { return change_parameters(changes); });
}

rcl_interfaces::msg::SetParametersResult ManagedNode::change_parameters(
    const std::vector<rclcpp::Parameter>& changes) {
  rcl_interfaces::msg::SetParametersResult result;
  result.successful = true;
  const auto refuse = [&](const std::string& reason) {
    result.successful = false;
    result.reason = reason;
    return result;
  };
  for (const rclcpp::Parameter& change : changes) {
    const std::string reason = why_not(change);
    if (!reason.empty()) return refuse(reason);
  }
  const bool is_ours = std::any_of(changes.begin(), changes.end(), [this](const auto& change) {
    return checks_.count(change.get_name()) > 0;
  });
  if (!configured_ || !is_ours) return result;
  try {
    apply(changes);
  } catch (const std::exception& error) {
    return refuse(error.what());
  }
  return result;
}

std::string ManagedNode::why_not(const rclcpp::Parameter& change) const {
  const std::string& key = change.get_name();
  const auto known = checks_.find(key);
  // Of rclcpp, or of a library.
  if (known == checks_.end()) return {};
  std::string reason = known->second(change.get_parameter_value());
  if (reason.empty()) reason = refusal(change);
  if (reason.empty() && configured_ && !is_live(key)) {
    reason = key + " cannot change while the node is configured: clean it up first";
  }
  return reason;
}

}  // namespace ovf_ros
