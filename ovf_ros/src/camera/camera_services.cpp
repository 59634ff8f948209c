#include "ovf_ros/camera/camera_services.hpp"

#include "ovf_ros/answering_service.hpp"

namespace ovf_ros {

using ovf_msgs::srv::LoadModel;
using ovf_msgs::srv::Reset;
using ovf_msgs::srv::SaveModel;
using ovf_msgs::srv::SetLearning;

CameraServices::CameraServices(rclcpp_lifecycle::LifecycleNode& node, CameraActions& actions) {
  save_model_ = answering_service<SaveModel>(
      node, "~/save_model",
      [&actions](const SaveModel::Request& request, SaveModel::Response& response) {
        response.message = "saved to " + actions.save(request.path);
      });
  load_model_ = answering_service<LoadModel>(
      node, "~/load_model",
      [&actions](const LoadModel::Request& request, LoadModel::Response& response) {
        response.message = "goes on from " + actions.load(request.path);
      });
  reset_ = answering_service<Reset>(
      node, "~/reset",
      [&actions](const Reset::Request& request, Reset::Response&) { actions.reset(request); });
  set_learning_ = answering_service<SetLearning>(
      node, "~/set_learning",
      [&actions](const SetLearning::Request& request, SetLearning::Response&) {
        actions.set_learning(request.on);
      });
}

}  // namespace ovf_ros
