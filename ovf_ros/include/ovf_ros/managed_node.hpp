#pragma once

#include <exception>
#include <string>
#include <vector>

#include "ovf_ros/ros_parameters.hpp"
#include "ovf_ros/timers.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace ovf_ros {

/// The lifecycle that all nodes have: a step that fails is told and leaves nothing half done, and
/// parameters are checked before they change. A node says what its steps are.
class ManagedNode : public rclcpp_lifecycle::LifecycleNode {
 protected:
  using LifecycleNode::LifecycleNode;

  /// At the end of a node's constructor. Declares what is in `config`, and starts by itself a node
  /// that is told to (`autostart`).
  template <typename Config>
  void begin(Config& config) {
    try {
      RosParameters parameters(*get_node_parameters_interface(), checks_);
      visit(parameters, config);
    } catch (const std::exception& error) {
      RCLCPP_ERROR(get_logger(), "%s", error.what());
    }
    watch_parameters();
    if (config.autostart) start_when_spun(*this, start_timer_);
  }
  /// In a node's destructor: as a shutdown does.
  void end();

  /// Reads the parameters and makes everything. May throw.
  virtual void configure_all() = 0;
  /// The node's publishers are active. May throw.
  virtual void start() = 0;
  /// Ends what start began; also of a start that failed.
  virtual void stop() = 0;
  /// An active node was stopped in good order.
  virtual void stopped() {}
  /// Frees what configure_all made; also of one that failed. The node is stopped.
  virtual void drop() = 0;

  /// Whether a parameter may change while the node is configured.
  virtual bool is_live(const std::string& /*key*/) const { return false; }
  /// Why a parameter may never change so; empty: it may.
  virtual std::string refusal(const rclcpp::Parameter& /*change*/) const { return {}; }
  /// Takes over changes of a configured node, all of them live. What it throws refuses them.
  virtual void apply(const std::vector<rclcpp::Parameter>& /*changes*/) {}

  ParameterChecks checks_;

 private:
  using CallbackReturn = rclcpp_lifecycle::node_interfaces::LifecycleNodeInterface::CallbackReturn;
  using State = rclcpp_lifecycle::State;

  CallbackReturn on_configure(const State& state) final;
  CallbackReturn on_activate(const State& state) final;
  CallbackReturn on_deactivate(const State& state) final;
  CallbackReturn on_cleanup(const State& state) final;
  CallbackReturn on_shutdown(const State& state) final;
  CallbackReturn on_error(const State& state) final;

  void halt();
  void drop_all();
  void watch_parameters();
  rcl_interfaces::msg::SetParametersResult change_parameters(
      const std::vector<rclcpp::Parameter>& changes);
  std::string why_not(const rclcpp::Parameter& change) const;

  bool configured_ = false;
  bool active_ = false;
  rclcpp::TimerBase::SharedPtr start_timer_;
  OnSetParametersCallbackHandle::SharedPtr parameter_callback_;
};

}  // namespace ovf_ros
