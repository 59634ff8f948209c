#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "ovf/estimator/robot_log.hpp"
#include "ovf/math/local_frame.hpp"
#include "ovf/recording/estimator_messages.hpp"

namespace ovf {

/// The topics of a simulated planar robot.
enum class RobotTopic { kOdometry, kUwb, kLandmarks, kFix, kImu, kGroundTruth };

/// What a simulated planar robot measured, as the messages that it would send: odometry (the
/// control as its twist, the way by dead reckoning as its pose), ranges, landmarks, fixes, turn
/// rates and the truth. A template, as sense.hpp: `Types` has the messages Odometry,
/// VectorObservation, RangeBearingArray, NavSatFix and Imu of rclcpp or of recordings. Each goes to
/// send(topic, stamp, message).
template <typename Types>
class RobotMessages {
 public:
  /// `start` is the time of the log's zero, `origin` the place of its world's.
  RobotMessages(Stamp start, const GeodeticPoint& origin) : start_(start), frame_(origin) {}

  template <typename Send>
  void take(const Control& control, const Send& send);
  /// Throws std::invalid_argument on a sensor that the robot does not have. Landmarks of one image
  /// wait for each other until another message, or flush().
  template <typename Send>
  void take(const Measurement& measurement, const Send& send);
  template <typename Send>
  void take(const TruePose& pose, const Send& send) const;
  template <typename Send>
  void flush(const Send& send);

 private:
  template <typename Header>
  void set_header(Stamp stamp, const char* frame, Header& out) const {
    set_time(start_ + stamp, out.stamp);
    out.frame_id = frame;
  }
  template <typename Pose>
  static void set_planar_pose(const Eigen::Vector3d& pose, Pose& out) {
    out.position.x = pose[0];
    out.position.y = pose[1];
    set_quaternion(Eigen::Quaterniond(Eigen::AngleAxisd(pose[2], Eigen::Vector3d::UnitZ())),
                   out.orientation);
  }
  void advance(const Control& control);

  // A control is held no longer than this by the way that is reckoned, in seconds.
  static constexpr double kLongestHold = 1.0;
  static constexpr double kNoReading = -1.0;  // in the first place of an IMU's covariance

  Stamp start_;
  LocalFrame frame_;
  Stamp last_control_ = 0;
  Eigen::Vector3d way_ = Eigen::Vector3d::Zero();
  typename Types::RangeBearingArray seen_;
  Stamp seen_stamp_ = 0;
};

template <typename Types>
void RobotMessages<Types>::advance(const Control& control) {
  const double dt = std::clamp(seconds_between(last_control_, control.stamp), 0.0, kLongestHold);
  const double heading = way_[2] + 0.5 * dt * control.u[1];
  way_ += dt * Eigen::Vector3d(control.u[0] * std::cos(heading), control.u[0] * std::sin(heading),
                               control.u[1]);
  last_control_ = control.stamp;
}

template <typename Types>
template <typename Send>
void RobotMessages<Types>::take(const Control& control, const Send& send) {
  flush(send);
  advance(control);
  typename Types::Odometry message;
  set_header(control.stamp, "odom", message.header);
  message.child_frame_id = "base_link";
  set_planar_pose(way_, message.pose.pose);
  message.twist.twist.linear.x = control.u[0];
  message.twist.twist.angular.z = control.u[1];
  send(RobotTopic::kOdometry, control.stamp, message);
}

template <typename Types>
template <typename Send>
void RobotMessages<Types>::take(const Measurement& measurement, const Send& send) {
  const Stamp stamp = measurement.stamp;
  const bool is_camera = measurement.sensor == "camera";
  if (!is_camera || stamp != seen_stamp_) flush(send);
  if (is_camera) {
    set_header(stamp, "camera", seen_.header);
    seen_stamp_ = stamp;
    auto& landmark = seen_.landmarks.emplace_back();
    landmark.id = measurement.target;
    landmark.range = measurement.y[0];
    landmark.bearing = measurement.y[1];
  } else if (measurement.sensor == "uwb") {
    typename Types::VectorObservation message;
    set_header(stamp, "uwb", message.header);
    message.target = measurement.target;
    message.values = {measurement.y[0]};
    send(RobotTopic::kUwb, stamp, message);
  } else if (measurement.sensor == "gnss") {
    const GeodeticPoint place = frame_.to_geodetic({measurement.y[0], measurement.y[1], 0.0});
    typename Types::NavSatFix message;
    set_header(stamp, "gnss", message.header);
    message.status.status = 0;
    message.status.service = 1;  // GPS
    message.latitude = place.latitude;
    message.longitude = place.longitude;
    message.altitude = place.altitude;
    send(RobotTopic::kFix, stamp, message);
  } else if (measurement.sensor == "imu") {
    typename Types::Imu message;
    set_header(stamp, "base_link", message.header);
    message.angular_velocity.z = measurement.y[0];
    message.orientation_covariance[0] = kNoReading;
    message.linear_acceleration_covariance[0] = kNoReading;
    send(RobotTopic::kImu, stamp, message);
  } else {
    throw std::invalid_argument("a log with sensor '" + measurement.sensor +
                                "'; expected uwb, camera, gnss or imu to record");
  }
}

template <typename Types>
template <typename Send>
void RobotMessages<Types>::take(const TruePose& pose, const Send& send) const {
  typename Types::Odometry message;
  set_header(pose.stamp, "map", message.header);
  message.child_frame_id = "base_link";
  set_planar_pose({pose.x, pose.y, pose.yaw}, message.pose.pose);
  send(RobotTopic::kGroundTruth, pose.stamp, message);
}

template <typename Types>
template <typename Send>
void RobotMessages<Types>::flush(const Send& send) {
  if (seen_.landmarks.empty()) return;
  send(RobotTopic::kLandmarks, seen_stamp_, seen_);
  seen_.landmarks.clear();
}

}  // namespace ovf
