#pragma once

#include <string>

#include "diagnostic_updater/diagnostic_updater.hpp"
#include "ovf_ros/camera/camera_monitor.hpp"
#include "ovf_ros/camera/image_input.hpp"
#include "ovf_ros/input_subscriptions.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace ovf_ros {

/// What a CameraNode tells on /diagnostics, with the parameter to change where something is wrong.
class CameraDiagnostics {
 public:
  /// What there is to look at; null: the node is not active, or takes no controls.
  struct Inputs {
    const ImageInput* images = nullptr;
    const InputSubscriptions* controls = nullptr;
  };

  /// Node and monitor must outlive it.
  CameraDiagnostics(rclcpp_lifecycle::LifecycleNode& node, const ovf::CameraConfig& config,
                    CameraMonitor& monitor);

  void set_inputs(const Inputs& inputs) { inputs_ = inputs; }
  void update() { updater_.force_update(); }

 private:
  using Status = diagnostic_updater::DiagnosticStatusWrapper;

  void report_camera(Status& status);
  void report_pictures(Status& status);
  void report_learning(Status& status);
  void report_control(Status& status);
  std::string slow_text(const CameraMonitor::View& view) const;

  rclcpp_lifecycle::LifecycleNode& node_;
  ovf::CameraConfig config_;
  CameraMonitor& monitor_;
  Inputs inputs_;
  diagnostic_updater::Updater updater_;
};

/// What to change when pictures are not used for this reason.
std::string camera_advice_for(const std::string& outcome);

}  // namespace ovf_ros
