#include "ovf_ros/camera/camera_node_config.hpp"

namespace ovf_ros {

void visit(ovf::ConfigVisitor& visitor, CameraNodeConfig& config) {
  auto& [learning, image_transport, reliable_inputs, output_scale, checkpoint, checkpoint_period,
         autostart] = config;
  visitor.field("learning", learning, "Learn from the pictures; off: all stays as it is.");
  visitor.field("image_transport", image_transport,
                "raw, compressed (JPEG or PNG), or another transport that is installed.");
  visitor.field("reliable_inputs", reliable_inputs,
                "Ask for reliable delivery of pictures and controls; their publishers must offer "
                "it.");
  visitor.field("output_scale", output_scale, {1, 64},
                "Published pictures are so many times as wide and high as those of the model.");
  visitor.field("checkpoint", checkpoint,
                "File to go on from at start, and to save to; empty: none.");
  visitor.field("checkpoint_period", checkpoint_period, {.lowest = 0.1, .highest = 1e6},
                "Time between two saves while active, in seconds.");
  visitor.field("autostart", autostart, "Configure and activate without a lifecycle manager.");
}

CameraParameters declare_camera_parameters(RosParameters::Parameters& parameters,
                                           ParameterChecks& checks,
                                           const std::vector<rclcpp::Parameter>& changes) {
  CameraParameters out;
  RosParameters visitor(parameters, checks, changes);
  visit(visitor, out.node);
  ovf::CameraSetting setting = ovf::CameraSetting::kFast;
  visit(visitor, setting);
  out.camera.filter = ovf::camera_filter(setting);
  visit(visitor, out.camera);
  visitor.finish();
  ovf::validate(out.camera);
  return out;
}

bool is_live_for_camera(const std::string& key) {
  if (key == "learning" || key == "output_scale") return true;
  return key.starts_with("output.") && key != "output.frame";
}

}  // namespace ovf_ros
