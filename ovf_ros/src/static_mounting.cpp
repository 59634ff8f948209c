#include "ovf_ros/static_mounting.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "ovf/recording/sense.hpp"

namespace ovf_ros {
namespace {

constexpr double kSame = 1e-9;

bool is_identity(const geometry_msgs::msg::Transform& transform) {
  const auto& q = transform.rotation;
  return ovf::to_eigen(transform.translation).norm() < kSame &&
         Eigen::Vector3d(q.x, q.y, q.z).norm() < kSame;
}

// A transform's frames have no leading slash; old drivers' headers may.
std::string plain(const std::string& frame) {
  return frame.starts_with('/') ? frame.substr(1) : frame;
}

}  // namespace

bool has_sensor_frame(const std::string& type) {
  static const std::array kTypes = {
      "sensor_msgs/msg/Imu",
      "sensor_msgs/msg/NavSatFix",
      "sensor_msgs/msg/Range",
      "geometry_msgs/msg/TwistStamped",
      "geometry_msgs/msg/TwistWithCovarianceStamped",
      "ovf_msgs/msg/RangeBearingArray",
      "ovf_msgs/msg/VectorObservation",
  };
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

bool has_no_mounting(const ovf::SensorConfig& sensor) {
  const bool is_mounted = sensor.kind != ovf::SensorKind::kLinear &&
                          sensor.kind != ovf::SensorKind::kJointPositions &&
                          sensor.kind != ovf::SensorKind::kJointVelocities;
  return is_mounted && sensor.offset_x.value == 0.0 && sensor.offset_y.value == 0.0 &&
         sensor.offset_z.value == 0.0 && sensor.roll.value == 0.0 && sensor.pitch.value == 0.0 &&
         sensor.yaw.value == 0.0;
}

void set_mounting(const geometry_msgs::msg::Transform& body_to_sensor, ovf::SensorConfig& sensor) {
  sensor.offset_x.value = body_to_sensor.translation.x;
  sensor.offset_y.value = body_to_sensor.translation.y;
  sensor.offset_z.value = body_to_sensor.translation.z;
  const auto& q = body_to_sensor.rotation;
  const Eigen::Matrix3d r = Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
  sensor.roll.value = std::atan2(r(2, 1), r(2, 2));
  sensor.pitch.value = std::asin(std::clamp(0.0 - r(2, 0), -1.0, 1.0));
  sensor.yaw.value = std::atan2(r(1, 0), r(0, 0));
}

std::string mounting_text(const ovf::SensorConfig& sensor) {
  std::ostringstream text;
  text << sensor.name << ": {offset_x: {value: " << sensor.offset_x.value
       << "}, offset_y: {value: " << sensor.offset_y.value
       << "}, offset_z: {value: " << sensor.offset_z.value
       << "}, roll: {value: " << sensor.roll.value << "}, pitch: {value: " << sensor.pitch.value
       << "}, yaw: {value: " << sensor.yaw.value << "}}";
  return text.str();
}

StaticMounting::StaticMounting(rclcpp_lifecycle::LifecycleNode& node,
                               const ovf::EstimatorConfig& config)
    : body_frame_(plain(config.output.body_frame)),
      frames_(config.sensors.size()),
      looked_(config.sensors.size(), -1) {
  for (const ovf::SensorConfig& sensor : config.sensors) {
    states_.push_back(has_no_mounting(sensor) ? State::kOpen : State::kTaken);
  }
  subscription_ = node.create_subscription<tf2_msgs::msg::TFMessage>(
      "/tf_static", rclcpp::QoS(rclcpp::KeepLast(100)).transient_local(),
      [this](const tf2_msgs::msg::TFMessage::ConstSharedPtr& message) {
        for (const auto& transform : message->transforms) {
          if (buffer_.setTransform(transform, "tf_static", true)) ++transforms_;
        }
      });
}

std::optional<geometry_msgs::msg::Transform> StaticMounting::see(int sensor,
                                                                 const std::string& type,
                                                                 const std::string& frame) {
  State& state = states_[static_cast<std::size_t>(sensor)];
  if (state == State::kTaken) return std::nullopt;
  const std::string from = plain(frame);
  if (!has_sensor_frame(type) || from.empty() || from == body_frame_) {
    state = State::kTaken;
    return std::nullopt;
  }
  std::string& last_frame = frames_[static_cast<std::size_t>(sensor)];
  long& looked = looked_[static_cast<std::size_t>(sensor)];
  if (state == State::kMissing && looked == transforms_ && last_frame == from) return std::nullopt;
  state = State::kMissing;
  looked = transforms_;
  last_frame = from;
  std::string why_not;  // without it, the reason would be logged
  if (!buffer_.canTransform(body_frame_, from, tf2::TimePointZero, &why_not)) return std::nullopt;
  const geometry_msgs::msg::Transform transform =
      buffer_.lookupTransform(body_frame_, from, tf2::TimePointZero).transform;
  state = State::kTaken;
  return is_identity(transform) ? std::nullopt : std::optional(transform);
}

}  // namespace ovf_ros
