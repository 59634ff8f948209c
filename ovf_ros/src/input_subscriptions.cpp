#include "ovf_ros/input_subscriptions.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "rclcpp/exceptions.hpp"

namespace ovf_ros {
namespace {

constexpr int kMostCandidates = 3;
// Its messages are read, but it need not be installed.
constexpr const char* kOptionalPackage = "mavros_msgs/";

std::span<const std::byte> bytes_of(const rclcpp::SerializedMessage& message) {
  const auto& raw = message.get_rcl_serialized_message();
  return std::as_bytes(std::span(raw.buffer, raw.buffer_length));
}

}  // namespace

InputSubscriptions::InputSubscriptions(rclcpp_lifecycle::LifecycleNode& node,
                                       std::vector<InputTopic> topics, const rclcpp::QoS& qos,
                                       Receive receive, rclcpp::SubscriptionOptions options)
    : node_(node), qos_(qos), receive_(std::move(receive)), options_(std::move(options)) {
  // The callbacks refer to its elements: they must not move.
  inputs_.reserve(topics.size());
  for (InputTopic& topic : topics) {
    Input& input = inputs_.emplace_back();
    input.topic = std::move(topic);
    input.name = node.get_node_topics_interface()->resolve_topic_name(input.topic.name);
    watch(input);
  }
}

void InputSubscriptions::watch() {
  try {
    for (Input& input : inputs_) watch(input);
  } catch (const rclcpp::exceptions::RCLError&) {
    // Another thread may shut down meanwhile; then nobody can be asked any more.
    if (node_.get_node_base_interface()->get_context()->is_valid()) throw;
  }
}

void InputSubscriptions::watch(Input& input) {
  const InputTopic& topic = input.topic;
  const auto publishers = node_.get_publishers_info_by_topic(topic.name);
  std::vector<std::string> types;
  for (const auto& publisher : publishers) {
    if (std::find(types.begin(), types.end(), publisher.topic_type()) == types.end()) {
      types.push_back(publisher.topic_type());
    }
  }
  std::string type = choose_type(topic, input.type, types);
  const bool unknown = type.empty() && !types.empty();
  if (type.empty()) type = input.type.empty() ? topic.usual_types.front() : input.type;
  const std::string failure = type != input.type ? subscribe(input, type) : "";

  const std::string& name = input.name;
  input.problem = InputProblem::kNone;
  input.text.clear();
  const auto set = [&](InputProblem problem, const std::string& text) {
    input.problem = problem;
    input.text = text;
  };
  if (publishers.empty()) {
    set(InputProblem::kNoPublisher, "nobody publishes " + name + ": start the driver, set " +
                                        topic.key + " or remap the topic" +
                                        topics_that_fit(node_, topic.usual_types));
  } else if (unknown) {
    set(InputProblem::kUnknownType, name + " has type " + types.front() +
                                        ", which cannot be read; expected " +
                                        topic.usual_types.front());
  } else if (!failure.empty()) {
    const std::string package = type.substr(0, type.find('/'));
    set(InputProblem::kUnknownType, name + " has type " + type +
                                        ", which cannot be received: install the package " +
                                        package + " (" + failure + ")");
  } else if (types.size() > 1) {
    set(InputProblem::kSeveralTypes, name + " is published with several types; only " + type +
                                         " is read: rename one of the topics");
  }
  if (unknown) return;
  for (const auto& publisher : publishers) {
    if (publisher.topic_type() != type) continue;
    const auto result = rclcpp::qos_check_compatible(publisher.qos_profile(), qos_);
    if (result.compatibility == rclcpp::QoSCompatibility::Error) {
      set(InputProblem::kIncompatibleQos, name + " of node " + publisher.node_name() +
                                              " cannot be received: " + result.reason +
                                              " Set reliable_inputs: false, or the publisher's "
                                              "reliability to reliable");
    }
  }
}

std::string InputSubscriptions::subscribe(Input& input, const std::string& type) {
  try {
    input.subscription = node_.create_generic_subscription(
        input.topic.name, type, qos_,
        [this, &input, type](const std::shared_ptr<rclcpp::SerializedMessage>& message) {
          receive_(input.topic, type, bytes_of(*message));
        },
        options_);
  } catch (const std::exception& error) {
    if (!type.starts_with(kOptionalPackage)) throw;
    return error.what();
  }
  input.type = type;
  return {};
}

std::string topics_that_fit(rclcpp_lifecycle::LifecycleNode& node,
                            const std::vector<std::string>& types) {
  std::string found;
  int count = 0;
  const std::string own = node.get_fully_qualified_name() + std::string("/");
  for (const auto& [name, published] : node.get_topic_names_and_types()) {
    if (name.starts_with(own) || count == kMostCandidates) continue;
    const bool fits = std::any_of(published.begin(), published.end(), [&](const auto& type) {
      return std::find(types.begin(), types.end(), type) != types.end();
    });
    if (!fits || node.count_publishers(name) == 0) continue;
    found += (found.empty() ? "" : ", ") + name;
    ++count;
  }
  return found.empty() ? "" : " (of a type that fits: " + found + ")";
}

}  // namespace ovf_ros
