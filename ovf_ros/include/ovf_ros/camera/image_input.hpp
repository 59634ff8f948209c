#pragma once

#include <functional>
#include <memory>
#include <string>

#include "image_transport/image_transport.hpp"
#include "ovf_ros/camera/picture.hpp"
#include "ovf_ros/input_subscriptions.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace ovf_ros {

/// Throws std::invalid_argument if there is no such transport; it lists those that there are.
void check_transport(const std::string& transport);

/// Listens to the pictures of a camera by any transport of image_transport. That one takes no
/// lifecycle nodes, so that there is a plain node for it, to be spun by whom it suits.
///
/// JPEG and PNG files ("compressed") are decoded as in a replay, not by their plugin, which keeps
/// to itself that a file was damaged.
class ImageInput {
 public:
  using Receive = std::function<void(Picture picture)>;

  struct Source {
    std::string topic = {};  ///< as configured
    std::string transport = {};
    rclcpp::QoS qos = rclcpp::QoS(10);
  };

  /// The node must outlive it. Throws std::invalid_argument as check_transport does, and whatever a
  /// transport throws.
  ImageInput(rclcpp_lifecycle::LifecycleNode& node, const Source& source, Receive receive);

  const rclcpp::Node::SharedPtr& node() const { return node_; }
  /// Looks at who publishes.
  void watch();

  /// The full name of the topic that is listened to.
  const std::string& topic() const { return topic_; }
  InputProblem problem() const { return problem_; }
  /// What the problem is, and what to do.
  const std::string& text() const { return text_; }

 private:
  void subscribe();
  void subscribe_compressed();
  void set(InputProblem problem, const std::string& text);
  std::string nobody_text() const;

  rclcpp_lifecycle::LifecycleNode& owner_;
  rclcpp::Node::SharedPtr node_;
  Source source_;
  Receive receive_;
  std::string base_;   ///< topic of the camera
  std::string topic_;  ///< that of its transport
  std::string type_;
  image_transport::Subscriber subscriber_;
  rclcpp::Subscription<sensor_msgs::msg::CompressedImage>::SharedPtr compressed_;
  InputProblem problem_ = InputProblem::kNone;
  std::string text_;
};

}  // namespace ovf_ros
