#include "ovf/recording/to_measurements.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "recording/thrust_control.hpp"

namespace ovf {
namespace {

constexpr double kShortestQuaternion = 1e-3;

Eigen::Matrix3d rotation_of(double roll, double pitch, double yaw) {
  return (Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) *
          Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()) *
          Eigen::AngleAxisd(roll, Eigen::Vector3d::UnitX()))
      .toRotationMatrix();
}

double yaw_of(const Eigen::Matrix3d& rotation) {
  return std::atan2(rotation(1, 0), rotation(0, 0));
}

bool has_direction(const Sensed& sensed) {
  return sensed.orientation && sensed.orientation->norm() > kShortestQuaternion;
}

// Rows and columns of a covariance; empty if the message has none.
Eigen::MatrixXd part(const MessageCovariance& covariance, const std::vector<int>& indices) {
  if (covariance.size() == 0) return {};
  const auto count = static_cast<Eigen::Index>(indices.size());
  Eigen::MatrixXd out(count, count);
  for (Eigen::Index i = 0; i < count; ++i) {
    for (Eigen::Index j = 0; j < count; ++j) {
      out(i, j) =
          covariance(indices[static_cast<std::size_t>(i)], indices[static_cast<std::size_t>(j)]);
    }
  }
  return out;
}

std::vector<int> axes_of(const SensorConfig& sensor, bool planar) {
  if (!sensor.axes.empty()) return sensor.axes;
  if (sensor.kind == SensorKind::kTurnRate && planar) return {2};
  std::vector<int> axes(planar ? 2 : 3);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

void take_axes(const Eigen::Vector3d& vector, const MessageCovariance& covariance, int first,
               const std::vector<int>& axes, Measurement& out) {
  out.y.resize(static_cast<Eigen::Index>(axes.size()));
  std::vector<int> rows;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    out.y[static_cast<Eigen::Index>(i)] = vector[axes[i]];
    rows.push_back(first + axes[i]);
  }
  out.covariance = part(covariance, rows);
}

bool is_place(const GeodeticPoint& fix) {
  return std::isfinite(fix.latitude) && std::isfinite(fix.longitude) &&
         std::isfinite(fix.altitude) && std::abs(fix.latitude) <= 90.0;
}

}  // namespace

MessageConversion::MessageConversion(const EstimatorConfig& config)
    : config_(config), planar_(config.motion.kind == MotionKind::kPlanar) {
  const std::vector<double>& angles = config.motion.control_rotation;
  if (angles.size() == 3) control_to_body_ = rotation_of(angles[0], angles[1], angles[2]);
  const std::vector<double>& origin = config.gnss_origin;
  if (origin.size() == 3) frame_.emplace(GeodeticPoint{origin[0], origin[1], origin[2]});
}

std::string MessageConversion::measurements(int sensor, const Sensed& sensed,
                                            std::vector<Message>& out) {
  const SensorConfig& config = config_.sensors[static_cast<std::size_t>(sensor)];
  for (const Sighting& seen : sensed.sightings) {
    const bool only_one = seen.target < 0 && config.targets.size() == 1;
    out.emplace_back(Measurement{.stamp = sensed.stamp,
                                 .sensor = config.name,
                                 .y = seen.values,
                                 .covariance = seen.covariance,
                                 .target = only_one ? config.targets.front() : seen.target});
  }
  if (!sensed.sightings.empty()) return {};
  Measurement measurement{.stamp = sensed.stamp, .sensor = config.name};
  std::string problem = single(config, sensed, measurement);
  if (problem.empty()) out.emplace_back(std::move(measurement));
  return problem;
}

std::string MessageConversion::single(const SensorConfig& sensor, const Sensed& sensed,
                                      Measurement& out) {
  const std::vector<int> axes = axes_of(sensor, planar_);
  std::optional<Eigen::Vector3d> position = sensed.position;
  MessageCovariance position_covariance = sensed.pose_covariance;
  if (sensed.fix) {
    if (!is_place(*sensed.fix)) return "invalid latitude, longitude or altitude";
    if (!frame_) frame_.emplace(*sensed.fix);
    position = frame_->to_local(*sensed.fix);
    position_covariance = sensed.fix_covariance;
  }
  switch (sensor.kind) {
    case SensorKind::kPose:
      if (!position || !sensed.orientation) return "no pose";
      if (!has_direction(sensed)) return "an orientation of zeros";
      if (planar_) {
        const double yaw = yaw_of(sensed.orientation->normalized().toRotationMatrix());
        out.y = Eigen::Vector3d(position->x(), position->y(), yaw);
        out.covariance = part(sensed.pose_covariance, {0, 1, 5});
      } else {
        out.y.resize(7);
        out.y << *position, sensed.orientation->coeffs();
        out.covariance = sensed.pose_covariance;
      }
      return {};
    case SensorKind::kPosition:
      if (!position) return "no fix, or no position";
      take_axes(*position, position_covariance, 0, axes, out);
      return {};
    case SensorKind::kAltitude:
      if (!position) return "no fix, or no position";
      take_axes(*position, position_covariance, 0, {2}, out);
      return {};
    case SensorKind::kVelocity:
      if (!sensed.velocity) return "no velocity";
      take_axes(*sensed.velocity, sensed.twist_covariance, 0, axes, out);
      return {};
    case SensorKind::kYaw: {
      if (!sensed.orientation) return "no orientation";
      if (!has_direction(sensed)) return "an orientation of zeros";
      // Of the sensor set upright; its yaw on the body is in the sensor's equation.
      const Eigen::Matrix3d upright = rotation_of(sensor.roll.value, sensor.pitch.value, 0.0);
      const Eigen::Matrix3d measured = sensed.orientation->normalized().toRotationMatrix();
      out.y = Eigen::VectorXd::Constant(1, yaw_of(measured * upright.transpose()));
      out.covariance = part(sensed.pose_covariance, {5});
      return {};
    }
    case SensorKind::kTurnRate:
      if (!sensed.turn_rate) return "no turn rate";
      take_axes(*sensed.turn_rate, sensed.twist_covariance, 3, axes, out);
      return {};
    case SensorKind::kImu:
      if (!sensed.turn_rate || !sensed.acceleration) return "no turn rate, or no acceleration";
      out.y.resize(6);
      out.y << *sensed.turn_rate, *sensed.acceleration;
      if (sensed.twist_covariance.size() > 0 && sensed.acceleration_covariance.size() > 0) {
        out.covariance.setZero(6, 6);
        out.covariance.topLeftCorner<3, 3>() = sensed.twist_covariance.bottomRightCorner<3, 3>();
        out.covariance.bottomRightCorner<3, 3>() = sensed.acceleration_covariance;
      }
      return {};
    case SensorKind::kJointPositions:
      return joints(sensed, sensed.joint_positions, out.y);
    case SensorKind::kJointVelocities:
      return joints(sensed, sensed.joint_velocities, out.y);
    case SensorKind::kRange:
    case SensorKind::kRangeBearing:
    case SensorKind::kLinear:
      break;
  }
  return "nothing in sight";
}

std::string MessageConversion::joints(const Sensed& sensed, const std::vector<double>& values,
                                      Eigen::VectorXd& out) const {
  out.resize(static_cast<Eigen::Index>(config_.motion.joints.size()));
  for (std::size_t i = 0; i < config_.motion.joints.size(); ++i) {
    const std::string& name = config_.motion.joints[i];
    const auto found = std::find(sensed.joints.begin(), sensed.joints.end(), name);
    const auto place = static_cast<std::size_t>(found - sensed.joints.begin());
    if (found == sensed.joints.end() || place >= values.size()) {
      return "no reading of joint " + name;
    }
    out[static_cast<Eigen::Index>(i)] = values[place];
  }
  return {};
}

std::string MessageConversion::control(const Sensed& sensed, std::vector<Message>& out) const {
  Control control{.stamp = sensed.stamp};
  if (is_thrust(config_.motion.control)) {
    std::string problem = thrust_control(config_.motion.control, sensed, control.u);
    if (!problem.empty()) return problem;
  } else if (!sensed.sightings.empty()) {
    control.u = sensed.sightings.front().values;
  } else if (config_.motion.control == ControlKind::kImu) {
    if (!sensed.turn_rate || !sensed.acceleration) return "no turn rate, or no acceleration";
    control.u.resize(6);
    control.u << control_to_body_ * *sensed.turn_rate, control_to_body_ * *sensed.acceleration;
  } else if (config_.motion.kind == MotionKind::kJoints) {
    std::string problem = joints(sensed, sensed.joint_velocities, control.u);
    if (!problem.empty()) return problem;
  } else {
    if (!sensed.velocity || !sensed.turn_rate) return "no velocity, or no turn rate";
    control.u = Eigen::Vector2d(sensed.velocity->x(), sensed.turn_rate->z());
  }
  out.emplace_back(std::move(control));
  return {};
}

}  // namespace ovf
