#include "ovf/recording/message_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "ovf/config/printable.hpp"
#include "ovf/recording/cdr.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/ros_messages.hpp"
#include "ovf/recording/sense.hpp"
#include "recording/find_topic.hpp"

namespace ovf {
namespace {

// One type of message: how it is read, and how its topic is checked.
struct MessageType {
  std::string name;
  Sensed (*sense)(std::span<const std::byte>);
  void (*check)(const Topic&);
};

template <typename M, Sensed (*Sense)(const M&)>
MessageType type() {
  return {M::kType,
          [](std::span<const std::byte> bytes) {
            // Its memory serves message after message.
            thread_local M message;
            decode(bytes, message);
            return Sense(message);
          },
          check_topic<M>};
}

Sensed sense_plain_twist(const ros::Twist& message) {
  Sensed out;
  sense_twist(message, out);
  return out;
}

Sensed sense_numbers(const ros::Float64MultiArray& message) {
  Sensed out;
  out.sightings.push_back({-1,
                           Eigen::Map<const Eigen::VectorXd>(
                               message.data.data(), static_cast<Eigen::Index>(message.data.size())),
                           {}});
  return out;
}

const std::vector<MessageType>& types() {
  static const std::vector<MessageType> kAll = {
      type<ros::Odometry, sense_odometry>(),
      type<ros::PoseStamped, sense_pose_stamped>(),
      type<ros::PoseWithCovarianceStamped, sense_pose_with_covariance>(),
      type<ros::PointStamped, sense_point>(),
      type<ros::Twist, sense_plain_twist>(),
      type<ros::TwistStamped, sense_twist_stamped>(),
      type<ros::TwistWithCovarianceStamped, sense_twist_with_covariance>(),
      type<ros::Imu, sense_imu>(),
      type<ros::NavSatFix, sense_fix>(),
      type<ros::JointState, sense_joints>(),
      type<ros::Range, sense_range>(),
      type<ros::Float64MultiArray, sense_numbers>(),
      type<ros::RangeBearingArray, sense_range_bearings>(),
      type<ros::VectorObservation, sense_vector>(),
      type<ros::AttitudeTarget, sense_attitude_target>(),
  };
  return kAll;
}

const MessageType* find_type(const std::string& name) {
  const auto found = std::find_if(types().begin(), types().end(),
                                  [&](const MessageType& type) { return type.name == name; });
  return found == types().end() ? nullptr : &*found;
}

// What odometry says of these is made of the velocities that it says as a control.
bool repeats_control(SensorKind kind) {
  return kind == SensorKind::kPose || kind == SensorKind::kPosition ||
         kind == SensorKind::kVelocity || kind == SensorKind::kTurnRate;
}

}  // namespace

const std::vector<std::string>& known_message_types() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> all;
    for (const MessageType& type : types()) all.push_back(type.name);
    return all;
  }();
  return kNames;
}

Sensed sense_message(const std::string& type, std::span<const std::byte> bytes,
                     std::int64_t log_time) {
  const MessageType* known = find_type(type);
  if (known == nullptr)
    throw RecordingError(fmt::format("unsupported message type {}", printable(type)));
  Sensed sensed = known->sense(bytes);
  if (sensed.stamp == 0) sensed.stamp = log_time;
  return sensed;
}

MessageInput::MessageInput(const EstimatorConfig& config, const std::vector<Topic>& topics)
    : config_(config), conversion_(config) {
  if (config.motion.control != ControlKind::kNone) use(topics, -1);
  for (std::size_t i = 0; i < config.sensors.size(); ++i) use(topics, static_cast<int>(i));
}

void MessageInput::use(const std::vector<Topic>& topics, int sensor) {
  const Wish wish = sensor < 0 ? wish_of(config_.motion)
                               : wish_of(config_.sensors[static_cast<std::size_t>(sensor)]);
  const std::size_t place = find_topic(topics, wish);
  const Topic& found = topics[place];
  const MessageType* known = find_type(found.type);
  try {
    known->check(found);
  } catch (const RecordingError& error) {
    throw std::invalid_argument(
        fmt::format("{} takes topic {}: {}", wish.who, printable(found.name), error.what()));
  }
  const auto index = static_cast<int>(place);
  const bool is_control = config_.motion.control != ControlKind::kNone && sensor >= 0 &&
                          uses_.front().topic == found.name;
  if (is_control && repeats_control(config_.sensors[static_cast<std::size_t>(sensor)].kind)) {
    throw std::invalid_argument(fmt::format(
        "{} takes topic {}, which is motion.control already, so that the same velocities would "
        "count twice; expected another topic, motion.control: none, or a sensor of kind yaw",
        wish.who, printable(found.name)));
  }
  uses_of_topic_[index].push_back(uses_.size());
  type_of_topic_[index] = found.type;
  sensors_.push_back(sensor);
  uses_.push_back(
      {.topic = found.name,
       .type = found.type,
       .sensor = sensor < 0 ? "" : config_.sensors[static_cast<std::size_t>(sensor)].name});
}

std::vector<std::string> MessageInput::topics() const {
  std::vector<std::string> names;
  for (const TopicUse& use : uses_) {
    if (std::find(names.begin(), names.end(), use.topic) == names.end()) names.push_back(use.topic);
  }
  return names;
}

void MessageInput::read(const RecordedMessage& message, std::vector<Message>& out) {
  const auto uses = uses_of_topic_.find(message.topic);
  if (uses == uses_of_topic_.end()) return;
  Sensed sensed;
  std::string broken;
  try {
    sensed = sense_message(type_of_topic_[message.topic], message.data, message.log_time);
  } catch (const RecordingError& error) {
    broken = error.what();
  }
  for (const std::size_t i : uses->second) {
    ++uses_[i].messages;
    std::string problem;
    if (!broken.empty()) {
      problem = "unreadable";
      if (uses_[i].first_error.empty()) uses_[i].first_error = broken;
    } else {
      problem = sensors_[i] < 0 ? conversion_.control(sensed, out)
                                : conversion_.measurements(sensors_[i], sensed, out);
    }
    if (!problem.empty()) ++uses_[i].unused[problem];
  }
}

}  // namespace ovf
