#pragma once

#include <string>
#include <vector>

#include "ovf/vision/camera_config.hpp"
#include "ovf_ros/ros_parameters.hpp"

namespace ovf_ros {

/// What a CameraNode is told besides the configuration of the camera's estimator.
struct CameraNodeConfig {
  bool learning = true;
  std::string image_transport = "raw";
  bool reliable_inputs = false;
  /// Published pictures are so many times as wide and high as those of the model.
  int output_scale = 4;
  std::string checkpoint = {};
  double checkpoint_period = 60.0;
  bool autostart = false;
};

/// The schema.
void visit(ovf::ConfigVisitor& visitor, CameraNodeConfig& config);

/// Both configurations of a CameraNode.
struct CameraParameters {
  CameraNodeConfig node;
  ovf::CameraConfig camera;
};

/// Declares all parameters that are not declared yet, and reads them: first the setting, which the
/// defaults of the filter depend on. What is in `changes` is read instead of the node's values.
/// Throws std::invalid_argument with a line for each mistake.
CameraParameters declare_camera_parameters(RosParameters::Parameters& parameters,
                                           ParameterChecks& checks,
                                           const std::vector<rclcpp::Parameter>& changes = {});

/// Whether a parameter may change while the node is configured: learning and outputs.
bool is_live_for_camera(const std::string& key);

}  // namespace ovf_ros
