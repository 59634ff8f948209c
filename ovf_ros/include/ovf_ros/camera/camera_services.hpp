#pragma once

#include <memory>
#include <string>

#include "ovf_msgs/srv/load_model.hpp"
#include "ovf_msgs/srv/reset.hpp"
#include "ovf_msgs/srv/save_model.hpp"
#include "ovf_msgs/srv/set_learning.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace ovf_ros {

/// What a service asks of a CameraNode. Whatever is thrown becomes the message of the answer.
class CameraActions {
 public:
  virtual ~CameraActions() = default;
  /// An empty path is the configured checkpoint. Both return the path that was taken.
  virtual std::string save(const std::string& path) = 0;
  virtual std::string load(const std::string& path) = 0;
  virtual void reset(const ovf_msgs::srv::Reset::Request& request) = 0;
  virtual void set_learning(bool on) = 0;
};

/// The services of a CameraNode. They answer in every state, if only with what is wrong.
class CameraServices {
 public:
  /// Both must outlive it.
  CameraServices(rclcpp_lifecycle::LifecycleNode& node, CameraActions& actions);

 private:
  std::shared_ptr<rclcpp::Service<ovf_msgs::srv::SaveModel>> save_model_;
  std::shared_ptr<rclcpp::Service<ovf_msgs::srv::LoadModel>> load_model_;
  std::shared_ptr<rclcpp::Service<ovf_msgs::srv::Reset>> reset_;
  std::shared_ptr<rclcpp::Service<ovf_msgs::srv::SetLearning>> set_learning_;
};

}  // namespace ovf_ros
