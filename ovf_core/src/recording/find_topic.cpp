#include "recording/find_topic.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "ovf/config/printable.hpp"
#include "ovf/recording/message_input.hpp"
#include "recording/truth_topic.hpp"

namespace ovf {
namespace {

// /odom and odom are the same.
std::string full_name(const std::string& topic) {
  return topic.starts_with('/') ? topic : '/' + topic;
}

std::string list_of(const std::vector<Topic>& topics) {
  if (topics.empty()) return "  (none)\n";
  std::string text;
  for (const Topic& topic : topics)
    text += fmt::format("  {} ({})\n", printable(topic.name), printable(topic.type));
  return text;
}

constexpr const char* kAdvice =
    "Set the topic in the configuration, or with --topics NAME:=TOPIC, or leave the sensor out.";

// What any sensor can take: plain numbers.
const std::vector<std::string> kPlain = {"ovf_msgs/msg/VectorObservation",
                                         "std_msgs/msg/Float64MultiArray"};

std::vector<std::string> possible_types(SensorKind kind) {
  const std::vector<std::string> poses = {"geometry_msgs/msg/PoseWithCovarianceStamped",
                                          "geometry_msgs/msg/PoseStamped", "nav_msgs/msg/Odometry"};
  const std::vector<std::string> twists = {
      "nav_msgs/msg/Odometry", "geometry_msgs/msg/TwistWithCovarianceStamped",
      "geometry_msgs/msg/TwistStamped", "geometry_msgs/msg/Twist"};
  std::vector<std::string> types = usual_types(kind);
  const auto add = [&](const std::vector<std::string>& more) {
    types.insert(types.end(), more.begin(), more.end());
  };
  switch (kind) {
    case SensorKind::kPosition:
    case SensorKind::kAltitude:
    case SensorKind::kYaw:
      add(poses);
      break;
    case SensorKind::kVelocity:
    case SensorKind::kTurnRate:
      add(twists);
      break;
    default:
      break;
  }
  add(kPlain);
  return types;
}

std::vector<std::string> possible_control_types(const MotionConfig& motion) {
  std::vector<std::string> types = usual_control_types(motion);
  if (motion.kind == MotionKind::kJoints) {
    types.emplace_back("sensor_msgs/msg/JointState");
  } else if (motion.control == ControlKind::kOdometry || motion.control == ControlKind::kCommand) {
    const std::vector<std::string> twists = possible_types(SensorKind::kVelocity);
    types.insert(types.end(), twists.begin(), twists.end());
  }
  types.insert(types.end(), kPlain.begin(), kPlain.end());
  return types;
}

std::size_t of_possible_type(const std::vector<Topic>& topics, std::size_t place,
                             const Wish& wish) {
  const Topic& topic = topics[place];
  const auto& types = wish.possible;
  if (std::find(types.begin(), types.end(), topic.type) != types.end()) return place;
  std::vector<std::string> expected = types;
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  throw std::invalid_argument(fmt::format(
      "{} takes topic {}, whose type is {}; expected one of {}. The topics are:\n{}{}", wish.who,
      printable(topic.name), topic.type.empty() ? "unknown" : printable(topic.type),
      fmt::join(expected, ", "), list_of(topics), kAdvice));
}

}  // namespace

std::vector<std::string> usual_types(SensorKind kind) {
  switch (kind) {
    case SensorKind::kPose:
      return {"geometry_msgs/msg/PoseWithCovarianceStamped", "geometry_msgs/msg/PoseStamped",
              "nav_msgs/msg/Odometry"};
    case SensorKind::kPosition:
    case SensorKind::kAltitude:
      return {"sensor_msgs/msg/NavSatFix", "geometry_msgs/msg/PointStamped",
              "geometry_msgs/msg/PoseWithCovarianceStamped", "geometry_msgs/msg/PoseStamped"};
    case SensorKind::kVelocity:
      return {"geometry_msgs/msg/TwistWithCovarianceStamped", "geometry_msgs/msg/TwistStamped",
              "nav_msgs/msg/Odometry"};
    case SensorKind::kYaw:
    case SensorKind::kTurnRate:
    case SensorKind::kImu:
      return {"sensor_msgs/msg/Imu"};
    case SensorKind::kRange:
      return {"sensor_msgs/msg/Range"};
    case SensorKind::kRangeBearing:
      return {"ovf_msgs/msg/RangeBearingArray"};
    case SensorKind::kJointPositions:
    case SensorKind::kJointVelocities:
      return {"sensor_msgs/msg/JointState"};
    case SensorKind::kLinear:
      break;
  }
  return {"ovf_msgs/msg/VectorObservation"};
}

Wish wish_of(const SensorConfig& sensor) {
  return {.who = fmt::format("sensor {}", sensor.name),
          .topic = sensor.topic,
          .name = sensor.name,
          .types = usual_types(sensor.kind),
          .possible = possible_types(sensor.kind)};
}

std::vector<std::string> usual_control_types(const MotionConfig& motion) {
  if (motion.control == ControlKind::kImu) return {"sensor_msgs/msg/Imu"};
  if (is_thrust(motion.control)) return {"mavros_msgs/msg/AttitudeTarget"};
  if (motion.kind == MotionKind::kJoints) return {"std_msgs/msg/Float64MultiArray"};
  if (motion.control == ControlKind::kCommand) {
    return {"geometry_msgs/msg/TwistStamped", "geometry_msgs/msg/Twist"};
  }
  return {"nav_msgs/msg/Odometry", "geometry_msgs/msg/TwistWithCovarianceStamped",
          "geometry_msgs/msg/TwistStamped"};
}

Wish wish_of(const MotionConfig& motion) {
  return {.who = "motion.control",
          .topic = motion.control_topic,
          .name = "control",
          .types = usual_control_types(motion),
          .possible = possible_control_types(motion)};
}

std::size_t find_topic(const std::vector<Topic>& topics, const Wish& wish) {
  const auto places = [&](const auto& fits) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < topics.size(); ++i) {
      if (fits(topics[i])) found.push_back(i);
    }
    return found;
  };
  const std::string name = full_name(wish.topic.empty() ? wish.name : wish.topic);
  const auto named = places([&](const Topic& topic) { return full_name(topic.name) == name; });
  if (named.size() == 1) return of_possible_type(topics, named.front(), wish);
  if (named.size() > 1) {
    throw std::invalid_argument(
        fmt::format("{} takes topic {}, which the recording has with several types:\n{}{}",
                    wish.who, name, list_of(topics), kAdvice));
  }
  if (!wish.topic.empty()) {
    throw std::invalid_argument(
        fmt::format("{} takes topic {}, which the recording does not have. Its topics:\n{}{}",
                    wish.who, name, list_of(topics), kAdvice));
  }
  for (const std::string& type : wish.types) {
    // An estimator that is fed with the truth unasked would only look good.
    const auto found = places(
        [&](const Topic& topic) { return topic.type == type && !is_truth_topic(topic.name); });
    if (found.size() == 1) return found.front();
    if (found.size() > 1) {
      throw std::invalid_argument(fmt::format(
          "{} has no topic, and the recording has several of type {}. Its topics:\n{}{}", wish.who,
          type, list_of(topics), kAdvice));
    }
  }
  throw std::invalid_argument(
      fmt::format("{} has no topic, and the recording has none of type {}. Its topics:\n{}{}",
                  wish.who, fmt::join(wish.types, " or "), list_of(topics), kAdvice));
}

}  // namespace ovf
