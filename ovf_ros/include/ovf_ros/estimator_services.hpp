#pragma once

#include <memory>
#include <string>

#include "ovf/estimator/estimator.hpp"
#include "ovf_msgs/srv/get_rollout.hpp"
#include "ovf_msgs/srv/load_model.hpp"
#include "ovf_msgs/srv/reset.hpp"
#include "ovf_msgs/srv/save_model.hpp"
#include "ovf_msgs/srv/set_learning.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace ovf_ros {

/// What a service asks of an EstimatorNode. Whatever is thrown becomes the message of the answer.
class EstimatorActions {
 public:
  virtual ~EstimatorActions() = default;
  /// Throws if the node is not configured.
  virtual ovf::Estimator& estimator() = 0;
  /// An empty path is the configured checkpoint. Both return the path that was taken.
  virtual std::string save(const std::string& path) = 0;
  virtual std::string load(const std::string& path) = 0;
  virtual void reset(const ovf_msgs::srv::Reset::Request& request) = 0;
  virtual void set_learning(bool on) = 0;
};

/// The request of a rollout as the estimator takes it; throws std::invalid_argument.
ovf::RolloutRequest rollout_request(const ovf_msgs::srv::GetRollout::Request& request,
                                    int control_dim);

/// The services of an EstimatorNode. They answer in every state, if only with what is wrong.
class EstimatorServices {
 public:
  /// Both must outlive it.
  EstimatorServices(rclcpp_lifecycle::LifecycleNode& node, EstimatorActions& actions);

 private:
  std::shared_ptr<rclcpp::Service<ovf_msgs::srv::GetRollout>> get_rollout_;
  std::shared_ptr<rclcpp::Service<ovf_msgs::srv::SaveModel>> save_model_;
  std::shared_ptr<rclcpp::Service<ovf_msgs::srv::LoadModel>> load_model_;
  std::shared_ptr<rclcpp::Service<ovf_msgs::srv::Reset>> reset_;
  std::shared_ptr<rclcpp::Service<ovf_msgs::srv::SetLearning>> set_learning_;
};

}  // namespace ovf_ros
