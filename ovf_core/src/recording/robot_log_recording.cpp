#include "ovf/recording/robot_log_recording.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "ovf/recording/cdr.hpp"
#include "ovf/recording/estimator_messages.hpp"
#include "ovf/recording/message_definition.hpp"
#include "ovf/recording/recording_folder.hpp"
#include "ovf/recording/ros_messages.hpp"

namespace ovf {
namespace {

// A control is held no longer than this by the way that is reckoned, in seconds.
constexpr double kLongestHold = 1.0;
constexpr double kNoReading = -1.0;  // in the first place of an IMU's covariance

class LogRecorder {
 public:
  LogRecorder(const std::filesystem::path& folder, const RobotLogRecordingOptions& options)
      : writer_(create_recording(folder)),
        start_(options.start),
        frame_(options.origin),
        odom_(add<ros::Odometry>("/odom")),
        uwb_(add<ros::VectorObservation>("/uwb")),
        landmarks_(add<ros::RangeBearingArray>("/landmarks")),
        fix_(add<ros::NavSatFix>("/fix")),
        imu_(add<ros::Imu>("/imu/data")),
        truth_(add<ros::Odometry>("/ground_truth")) {}

  void write(const Control& control) {
    flush_sightings({});
    advance(control);
    ros::Odometry message;
    message.header = header(control.stamp, "odom");
    message.child_frame_id = "base_link";
    set_pose(way_, message.pose.pose);
    message.twist.twist.linear.x = control.u[0];
    message.twist.twist.angular.z = control.u[1];
    publish(odom_, control.stamp, message);
  }

  void write(const Measurement& measurement) {
    flush_sightings(measurement);
    if (measurement.sensor == "uwb") {
      ros::VectorObservation message;
      message.header = header(measurement.stamp, "uwb");
      message.target = measurement.target;
      message.values = {measurement.y[0]};
      publish(uwb_, measurement.stamp, message);
    } else if (measurement.sensor == "camera") {
      seen_.header = header(measurement.stamp, "camera");
      seen_stamp_ = measurement.stamp;
      seen_.landmarks.push_back(
          {.id = measurement.target, .range = measurement.y[0], .bearing = measurement.y[1]});
    } else if (measurement.sensor == "gnss") {
      const GeodeticPoint place = frame_.to_geodetic({measurement.y[0], measurement.y[1], 0.0});
      ros::NavSatFix message;
      message.header = header(measurement.stamp, "gnss");
      message.status.status = 0;
      message.status.service = 1;  // GPS
      message.latitude = place.latitude;
      message.longitude = place.longitude;
      message.altitude = place.altitude;
      publish(fix_, measurement.stamp, message);
    } else if (measurement.sensor == "imu") {
      ros::Imu message;
      message.header = header(measurement.stamp, "base_link");
      message.angular_velocity.z = measurement.y[0];
      message.orientation_covariance[0] = kNoReading;
      message.linear_acceleration_covariance[0] = kNoReading;
      publish(imu_, measurement.stamp, message);
    } else {
      throw std::invalid_argument(
          fmt::format("a log with sensor '{}'; expected uwb, camera, gnss or imu to record",
                      measurement.sensor));
    }
  }

  void write(const TruePose& pose) {
    ros::Odometry message;
    message.header = header(pose.stamp, "map");
    message.child_frame_id = "base_link";
    set_pose({pose.x, pose.y, pose.yaw}, message.pose.pose);
    publish(truth_, pose.stamp, message);
  }

  void close() {
    flush_sightings({});
    writer_->close();
  }

 private:
  template <typename M>
  int add(const char* name) {
    return writer_->add_topic({.name = name,
                               .type = M::kType,
                               .definition = definition<M>(),
                               .definition_encoding = "ros2msg"});
  }
  template <typename M>
  void publish(int topic, Stamp stamp, const M& message) {
    encode(message, bytes_);
    const Stamp time = start_ + stamp;
    writer_->write({.topic = topic, .log_time = time, .publish_time = time, .data = bytes_});
  }
  ros::Header header(Stamp stamp, const char* frame) const {
    ros::Header out;
    set_time(start_ + stamp, out.stamp);
    out.frame_id = frame;
    return out;
  }
  static void set_pose(const Eigen::Vector3d& pose, ros::Pose& out) {
    out.position.x = pose[0];
    out.position.y = pose[1];
    set_quaternion(Eigen::Quaterniond(Eigen::AngleAxisd(pose[2], Eigen::Vector3d::UnitZ())),
                   out.orientation);
  }
  void advance(const Control& control) {
    const double dt = std::clamp(seconds_between(last_, control.stamp), 0.0, kLongestHold);
    const double heading = way_[2] + 0.5 * dt * control.u[1];
    way_ += dt * Eigen::Vector3d(control.u[0] * std::cos(heading), control.u[0] * std::sin(heading),
                                 control.u[1]);
    last_ = control.stamp;
  }
  // Landmarks that were seen in one image are one message.
  void flush_sightings(const Measurement& next) {
    if (seen_.landmarks.empty()) return;
    if (next.sensor == "camera" && next.stamp == seen_stamp_) return;
    publish(landmarks_, seen_stamp_, seen_);
    seen_.landmarks.clear();
  }

  std::unique_ptr<RecordingWriter> writer_;
  Stamp start_;
  LocalFrame frame_;
  int odom_, uwb_, landmarks_, fix_, imu_, truth_;
  std::vector<std::byte> bytes_;
  Stamp last_ = 0;
  Eigen::Vector3d way_ = Eigen::Vector3d::Zero();
  ros::RangeBearingArray seen_;
  Stamp seen_stamp_ = 0;
};

}  // namespace

void write_recording(const std::filesystem::path& folder, const RobotLog& log,
                     const RobotLogRecordingOptions& options) {
  LogRecorder recorder(folder, options);
  std::size_t next = 0;
  const auto write_truth_before = [&](Stamp stamp) {
    for (; next < log.truth.size() && log.truth[next].stamp <= stamp; ++next) {
      recorder.write(log.truth[next]);
    }
  };
  for (const Message& message : log.messages) {
    std::visit([&](const auto& m) { recorder.write(m); }, message);
    write_truth_before(stamp_of(message));
  }
  recorder.close();
}

std::string landmarks_yaml(const RobotLog& log, const GeodeticPoint& origin) {
  std::vector<int> ids;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;
  for (const Landmark& landmark : log.landmarks) {
    ids.push_back(landmark.id);
    x.push_back(landmark.position.x());
    y.push_back(landmark.position.y());
    z.push_back(landmark.position.z());
  }
  // A whole number must not look like an integer: ROS would take it for one.
  const auto numbers = [](const std::vector<double>& values) {
    std::vector<std::string> texts;
    for (const double value : values) {
      std::string text = fmt::format("{}", value);
      if (text.find_first_of(".e") == std::string::npos) text += ".0";
      texts.push_back(std::move(text));
    }
    return fmt::format("[{}]", fmt::join(texts, ", "));
  };
  return fmt::format(
      "/**:\n  ros__parameters:\n    landmarks:\n      ids: [{}]\n      x: {}\n      y: {}\n      "
      "z: {}\n    gnss_origin: {}\n",
      fmt::join(ids, ", "), numbers(x), numbers(y), numbers(z),
      numbers({origin.latitude, origin.longitude, origin.altitude}));
}

}  // namespace ovf
