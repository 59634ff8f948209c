#include "ovf_ros/simulated_messages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ovf/recording/estimator_messages.hpp"

namespace ovf_ros {
namespace {

using Topic = SimulatedOutput::Topic;

// A control is held no longer than this by the way that is reckoned, in seconds.
constexpr double kLongestHold = 1.0;
constexpr double kNoReading = -1.0;  // in the first place of an IMU's covariance

void set_planar_pose(const Eigen::Vector3d& pose, geometry_msgs::msg::Pose& out) {
  out.position.x = pose[0];
  out.position.y = pose[1];
  ovf::set_quaternion(Eigen::Quaterniond(Eigen::AngleAxisd(pose[2], Eigen::Vector3d::UnitZ())),
                      out.orientation);
}

}  // namespace

template <typename Header>
void SimulatedMessages::set_header(ovf::Stamp stamp, const char* frame, Header& out) const {
  ovf::set_time(start_ + stamp, out.stamp);
  out.frame_id = frame;
}

void SimulatedMessages::take(const ovf::SimulatedMessage& message,
                             std::vector<SimulatedOutput>& out) {
  if (const auto* control = std::get_if<ovf::Control>(&message.message)) {
    flush(out);
    out.push_back({Topic::kOdometry, odometry(*control)});
  } else {
    measure(std::get<ovf::Measurement>(message.message), out);
  }
  if (has_truth_ && message.pose.stamp <= last_truth_) return;
  has_truth_ = true;
  last_truth_ = message.pose.stamp;
  out.push_back({Topic::kGroundTruth, truth(message.pose)});
}

void SimulatedMessages::flush(std::vector<SimulatedOutput>& out) {
  if (seen_.landmarks.empty()) return;
  out.push_back({Topic::kLandmarks, seen_});
  seen_.landmarks.clear();
}

nav_msgs::msg::Odometry SimulatedMessages::odometry(const ovf::Control& control) {
  const double dt =
      std::clamp(ovf::seconds_between(last_control_, control.stamp), 0.0, kLongestHold);
  const double heading = way_[2] + 0.5 * dt * control.u[1];
  way_ += dt * Eigen::Vector3d(control.u[0] * std::cos(heading), control.u[0] * std::sin(heading),
                               control.u[1]);
  last_control_ = control.stamp;
  nav_msgs::msg::Odometry message;
  set_header(control.stamp, "odom", message.header);
  message.child_frame_id = "base_link";
  set_planar_pose(way_, message.pose.pose);
  message.twist.twist.linear.x = control.u[0];
  message.twist.twist.angular.z = control.u[1];
  return message;
}

nav_msgs::msg::Odometry SimulatedMessages::truth(const ovf::TruePose& pose) const {
  nav_msgs::msg::Odometry message;
  set_header(pose.stamp, "map", message.header);
  message.child_frame_id = "base_link";
  set_planar_pose({pose.x, pose.y, pose.yaw}, message.pose.pose);
  return message;
}

void SimulatedMessages::measure(const ovf::Measurement& measurement,
                                std::vector<SimulatedOutput>& out) {
  const bool is_camera = measurement.sensor == "camera";
  if (!is_camera || measurement.stamp != seen_stamp_) flush(out);
  if (is_camera) {
    set_header(measurement.stamp, "camera", seen_.header);
    seen_stamp_ = measurement.stamp;
    auto& landmark = seen_.landmarks.emplace_back();
    landmark.id = measurement.target;
    landmark.range = measurement.y[0];
    landmark.bearing = measurement.y[1];
  } else if (measurement.sensor == "uwb") {
    ovf_msgs::msg::VectorObservation message;
    set_header(measurement.stamp, "uwb", message.header);
    message.target = measurement.target;
    message.values = {measurement.y[0]};
    out.push_back({Topic::kUwb, std::move(message)});
  } else if (measurement.sensor == "gnss") {
    const ovf::GeodeticPoint place = frame_.to_geodetic({measurement.y[0], measurement.y[1], 0.0});
    sensor_msgs::msg::NavSatFix message;
    set_header(measurement.stamp, "gnss", message.header);
    message.status.status = sensor_msgs::msg::NavSatStatus::STATUS_FIX;
    message.status.service = sensor_msgs::msg::NavSatStatus::SERVICE_GPS;
    message.latitude = place.latitude;
    message.longitude = place.longitude;
    message.altitude = place.altitude;
    out.push_back({Topic::kFix, std::move(message)});
  } else {
    sensor_msgs::msg::Imu message;
    set_header(measurement.stamp, "base_link", message.header);
    message.angular_velocity.z = measurement.y[0];
    message.orientation_covariance[0] = kNoReading;
    message.linear_acceleration_covariance[0] = kNoReading;
    out.push_back({Topic::kImu, std::move(message)});
  }
}

}  // namespace ovf_ros
