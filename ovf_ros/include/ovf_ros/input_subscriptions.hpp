#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ovf_ros/input_topics.hpp"
#include "rclcpp/generic_subscription.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp_lifecycle/lifecycle_node.hpp"

namespace ovf_ros {

/// Why nothing, or not everything, can come on a topic.
enum class InputProblem { kNone, kNoPublisher, kUnknownType, kSeveralTypes, kIncompatibleQos };

/// Listens to topics whose type may be known only when somebody publishes them. Messages come as
/// the bytes that they were sent as, which is also what a recording has.
class InputSubscriptions {
 public:
  using Receive = std::function<void(const InputTopic& topic, const std::string& type,
                                     std::span<const std::byte> bytes)>;

  struct Input {
    InputTopic topic;
    std::string name;  ///< of the topic, in full
    std::string type;
    rclcpp::GenericSubscription::SharedPtr subscription;  ///< null: the type is not installed
    InputProblem problem = InputProblem::kNone;
    std::string text;  ///< what the problem is, and what to do
  };

  /// The node must outlive it. Messages come in the callback group of the options.
  InputSubscriptions(rclcpp_lifecycle::LifecycleNode& node, std::vector<InputTopic> topics,
                     const rclcpp::QoS& qos, Receive receive,
                     rclcpp::SubscriptionOptions options = rclcpp::SubscriptionOptions());

  /// Looks at who publishes; listens to another type if that is what there is.
  void watch();
  const std::vector<Input>& inputs() const { return inputs_; }

 private:
  void watch(Input& input);
  /// Empty: it listens; else why not, and it listens to what it listened to before.
  std::string subscribe(Input& input, const std::string& type);
  rclcpp_lifecycle::LifecycleNode& node_;
  rclcpp::QoS qos_;
  Receive receive_;
  rclcpp::SubscriptionOptions options_;
  std::vector<Input> inputs_;
};

/// A few topics that others publish with one of the types, for the end of a message; or nothing.
std::string topics_that_fit(rclcpp_lifecycle::LifecycleNode& node,
                            const std::vector<std::string>& types);

}  // namespace ovf_ros
