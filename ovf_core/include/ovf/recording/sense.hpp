#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "ovf/recording/sensed.hpp"

// What messages say. The functions are templates over the type of the message, so that they serve
// the messages of rclcpp and those of recordings (ovf::ros) alike: both have the same fields.
namespace ovf {

template <typename Time>
Stamp to_stamp(const Time& time) {
  return Stamp{1'000'000'000} * time.sec + time.nanosec;
}

template <typename Vector>
Eigen::Vector3d to_eigen(const Vector& v) {
  return {v.x, v.y, v.z};
}

template <std::size_t N>
Eigen::MatrixXd to_matrix(const std::array<double, N>& rows) {
  constexpr int kSide = N == 36 ? 6 : 3;
  static_assert(N == kSide * kSide);
  return Eigen::Map<const Eigen::Matrix<double, kSide, kSide, Eigen::RowMajor>>(rows.data());
}

template <typename Header>
Sensed sensed_at(const Header& header) {
  Sensed sensed;
  sensed.stamp = to_stamp(header.stamp);
  sensed.frame = header.frame_id;
  return sensed;
}

template <typename Pose>
void sense_pose(const Pose& pose, Sensed& out) {
  out.position = to_eigen(pose.position);
  const auto& q = pose.orientation;
  out.orientation = Eigen::Quaterniond(q.w, q.x, q.y, q.z);
}

template <typename Twist>
void sense_twist(const Twist& twist, Sensed& out) {
  out.velocity = to_eigen(twist.linear);
  out.turn_rate = to_eigen(twist.angular);
}

template <typename PoseStamped>
Sensed sense_pose_stamped(const PoseStamped& message) {
  Sensed out = sensed_at(message.header);
  sense_pose(message.pose, out);
  return out;
}

template <typename PoseWithCovarianceStamped>
Sensed sense_pose_with_covariance(const PoseWithCovarianceStamped& message) {
  Sensed out = sensed_at(message.header);
  sense_pose(message.pose.pose, out);
  out.pose_covariance = to_matrix(message.pose.covariance);
  return out;
}

template <typename PointStamped>
Sensed sense_point(const PointStamped& message) {
  Sensed out = sensed_at(message.header);
  out.position = to_eigen(message.point);
  return out;
}

template <typename TwistStamped>
Sensed sense_twist_stamped(const TwistStamped& message) {
  Sensed out = sensed_at(message.header);
  sense_twist(message.twist, out);
  return out;
}

template <typename TwistWithCovarianceStamped>
Sensed sense_twist_with_covariance(const TwistWithCovarianceStamped& message) {
  Sensed out = sensed_at(message.header);
  sense_twist(message.twist.twist, out);
  out.twist_covariance = to_matrix(message.twist.covariance);
  return out;
}

template <typename Odometry>
Sensed sense_odometry(const Odometry& message) {
  Sensed out = sensed_at(message.header);
  sense_pose(message.pose.pose, out);
  out.pose_covariance = to_matrix(message.pose.covariance);
  sense_twist(message.twist.twist, out);
  out.twist_covariance = to_matrix(message.twist.covariance);
  return out;
}

/// A covariance of -1 in the first place means that the IMU has no such reading.
template <typename Imu>
Sensed sense_imu(const Imu& message) {
  Sensed out = sensed_at(message.header);
  if (message.orientation_covariance[0] >= 0.0) {
    const auto& q = message.orientation;
    out.orientation = Eigen::Quaterniond(q.w, q.x, q.y, q.z);
    out.pose_covariance.setZero(6, 6);
    out.pose_covariance.bottomRightCorner<3, 3>() = to_matrix(message.orientation_covariance);
  }
  if (message.angular_velocity_covariance[0] >= 0.0) {
    out.turn_rate = to_eigen(message.angular_velocity);
    out.twist_covariance.setZero(6, 6);
    out.twist_covariance.bottomRightCorner<3, 3>() = to_matrix(message.angular_velocity_covariance);
  }
  if (message.linear_acceleration_covariance[0] >= 0.0) {
    out.acceleration = to_eigen(message.linear_acceleration);
    out.acceleration_covariance = to_matrix(message.linear_acceleration_covariance);
  }
  return out;
}

/// Without a fix (status -1) there is no place; a status that was never set (-2) says nothing.
template <typename NavSatFix>
Sensed sense_fix(const NavSatFix& message) {
  Sensed out = sensed_at(message.header);
  if (message.status.status == -1) return out;
  out.fix = GeodeticPoint{message.latitude, message.longitude, message.altitude};
  if (message.position_covariance_type != 0) {
    out.fix_covariance = to_matrix(message.position_covariance);
  }
  return out;
}

template <typename JointState>
Sensed sense_joints(const JointState& message) {
  Sensed out = sensed_at(message.header);
  out.joints.assign(message.name.begin(), message.name.end());
  out.joint_positions.assign(message.position.begin(), message.position.end());
  out.joint_velocities.assign(message.velocity.begin(), message.velocity.end());
  return out;
}

/// Nothing is in sight outside of the range's limits (REP-117).
template <typename Range>
Sensed sense_range(const Range& message) {
  Sensed out = sensed_at(message.header);
  if (message.range >= message.min_range && message.range <= message.max_range) {
    const auto range = static_cast<double>(message.range);
    out.sightings.push_back({-1, Eigen::VectorXd::Constant(1, range), {}});
  }
  return out;
}

template <typename RangeBearingArray>
Sensed sense_range_bearings(const RangeBearingArray& message) {
  Sensed out = sensed_at(message.header);
  for (const auto& seen : message.landmarks) {
    out.sightings.push_back(
        {seen.id, Eigen::Vector2d(seen.range, seen.bearing),
         Eigen::Matrix2d(
             Eigen::Vector2d(seen.range_variance, seen.bearing_variance).asDiagonal())});
  }
  return out;
}

/// Three body rates, or none: one that is to be ignored leaves the others without a meaning.
template <typename AttitudeTarget>
Sensed sense_attitude_target(const AttitudeTarget& message) {
  constexpr int kIgnoreRates = AttitudeTarget::IGNORE_ROLL_RATE |
                               AttitudeTarget::IGNORE_PITCH_RATE | AttitudeTarget::IGNORE_YAW_RATE;
  Sensed out = sensed_at(message.header);
  ThrustCommand& command = out.thrust_command.emplace();
  if ((message.type_mask & AttitudeTarget::IGNORE_THRUST) == 0) {
    command.thrust = static_cast<double>(message.thrust);
  }
  if ((message.type_mask & AttitudeTarget::IGNORE_ATTITUDE) == 0) {
    const auto& q = message.orientation;
    command.attitude = Eigen::Quaterniond(q.w, q.x, q.y, q.z);
  }
  if ((message.type_mask & kIgnoreRates) == 0) command.body_rate = to_eigen(message.body_rate);
  return out;
}

template <typename VectorObservation>
Sensed sense_vector(const VectorObservation& message) {
  Sensed out = sensed_at(message.header);
  const auto count = static_cast<Eigen::Index>(message.values.size());
  Sighting seen{
      message.target, Eigen::Map<const Eigen::VectorXd>(message.values.data(), count), {}};
  if (message.covariance.size() == message.values.size() * message.values.size()) {
    seen.covariance = Eigen::Map<const Eigen::MatrixXd>(message.covariance.data(), count, count);
  }
  out.sightings.push_back(std::move(seen));
  return out;
}

}  // namespace ovf
