#include "ovf/vision/load_image_model.hpp"
#include "ovf_ros/camera/camera_node.hpp"
#include "rclcpp_components/register_node_macro.hpp"

// The one place of the nodes that knows of LibTorch.
namespace ovf_ros {

CameraNode::CameraNode(const rclcpp::NodeOptions& options)
    : CameraNode(options, [](const ovf::CameraConfig& config) {
        ovf::ImageModelOptions model;
        model.threads = config.threads;
        return ovf::load_image_model(config.model, model);
      }) {}

}  // namespace ovf_ros

RCLCPP_COMPONENTS_REGISTER_NODE(ovf_ros::CameraNode)
