#include "ovf_ros/camera/image_input.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ovf_ros {
namespace {

constexpr const char* kImage = "sensor_msgs/msg/Image";
constexpr const char* kCompressedImage = "sensor_msgs/msg/CompressedImage";
constexpr const char* kRaw = "raw";
constexpr const char* kCompressed = "compressed";

// Names are resolved by the lifecycle node, with its remappings: this one has none.
rclcpp::Node::SharedPtr make_plain_node(rclcpp_lifecycle::LifecycleNode& node) {
  rclcpp::NodeOptions options;
  options.context(node.get_node_base_interface()->get_context());
  options.use_global_arguments(false);
  options.start_parameter_services(false);
  options.start_parameter_event_publisher(false);
  return std::make_shared<rclcpp::Node>(std::string(node.get_name()) + "_images",
                                        node.get_namespace(), options);
}

}  // namespace

void check_transport(const std::string& transport) {
  if (transport == kRaw || transport == kCompressed) return;
  std::string others;
  const std::string package = "image_transport/";
  for (const std::string& declared : image_transport::getDeclaredTransports()) {
    const std::string name =
        declared.starts_with(package) ? declared.substr(package.size()) : declared;
    if (name == transport) return;
    if (name != kRaw && name != kCompressed) others += (others.empty() ? "" : ", ") + name;
  }
  throw std::invalid_argument("image_transport is " + transport + "; expected raw, compressed" +
                              (others.empty() ? "" : ", " + others) +
                              ", or a plugin to be installed");
}

ImageInput::ImageInput(rclcpp_lifecycle::LifecycleNode& node, const Source& source, Receive receive)
    : owner_(node), node_(make_plain_node(node)), source_(source), receive_(std::move(receive)) {
  check_transport(source.transport);
  const auto resolved = [&](const std::string& name) {
    return node.get_node_topics_interface()->resolve_topic_name(name);
  };
  base_ = resolved(source.topic);
  topic_ = source.transport == kRaw || base_.ends_with("/" + source.transport)
               ? base_
               : resolved(base_ + "/" + source.transport);
  if (source.transport == kCompressed) {
    subscribe_compressed();
  } else {
    subscribe();
  }
  watch();
}

void ImageInput::subscribe() {
  type_ = source_.transport == kRaw ? kImage : "";
  subscriber_ = image_transport::create_subscription(
      node_.get(), base_,
      [this](const sensor_msgs::msg::Image::ConstSharedPtr& message) { receive_(message); },
      source_.transport, source_.qos.get_rmw_qos_profile());
}

void ImageInput::subscribe_compressed() {
  type_ = kCompressedImage;
  subscriber_.shutdown();
  compressed_ = node_->create_subscription<sensor_msgs::msg::CompressedImage>(
      topic_, source_.qos,
      [this](const sensor_msgs::msg::CompressedImage::ConstSharedPtr& message) {
        receive_(message);
      });
}

void ImageInput::set(InputProblem problem, const std::string& text) {
  problem_ = problem;
  text_ = text;
}

void ImageInput::watch() {
  set(InputProblem::kNone, "");
  const auto publishers = node_->get_publishers_info_by_topic(topic_);
  if (publishers.empty()) return set(InputProblem::kNoPublisher, nobody_text());
  const auto have = [&](const char* type) {
    return std::any_of(publishers.begin(), publishers.end(),
                       [&](const auto& publisher) { return publisher.topic_type() == type; });
  };
  // As in a replay, where the type of the topic says what it is.
  if (type_ == kImage && !have(kImage) && have(kCompressedImage)) subscribe_compressed();
  if (!type_.empty() && !have(type_.c_str())) {
    return set(InputProblem::kUnknownType, topic_ + " has type " + publishers[0].topic_type() +
                                               ", which is no picture; expected " + type_ +
                                               ": see image_topic and image_transport");
  }
  for (const auto& publisher : publishers) {
    if (!type_.empty() && publisher.topic_type() != type_) {
      set(InputProblem::kSeveralTypes, topic_ + " is published with several types; only " + type_ +
                                           " is read: rename one of the topics");
      continue;
    }
    const auto result = rclcpp::qos_check_compatible(publisher.qos_profile(), source_.qos);
    if (result.compatibility == rclcpp::QoSCompatibility::Error) {
      return set(InputProblem::kIncompatibleQos,
                 topic_ + " of node " + publisher.node_name() +
                     " cannot be received: " + result.reason +
                     " Set reliable_inputs: false, or the publisher's reliability to reliable");
    }
  }
}

std::string ImageInput::nobody_text() const {
  const std::string nobody = "nobody publishes " + topic_;
  if (source_.transport != kRaw && node_->count_publishers(base_) > 0) {
    return nobody + ", but there is " + base_ + ": set image_transport to raw";
  }
  if (source_.transport == kRaw && node_->count_publishers(base_ + "/" + kCompressed) > 0) {
    return nobody + ", but there is " + base_ + "/compressed: set image_transport to compressed";
  }
  return nobody + ": start the camera's driver, set image_topic or remap the topic" +
         topics_that_fit(owner_, {kImage, kCompressedImage});
}

}  // namespace ovf_ros
