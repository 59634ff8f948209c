#pragma once

#include <filesystem>
#include <string>

#include "ovf/estimator/robot_log.hpp"
#include "ovf/math/local_frame.hpp"

namespace ovf {

/// How a planar robot's log becomes a recording.
struct RobotLogRecordingOptions {
  /// Nanoseconds since 1970 of the log's zero.
  Stamp start = 1'700'000'000'000'000'000;
  /// Of the plane of the log.
  GeodeticPoint origin{.latitude = 48.2628, .longitude = 11.6679, .altitude = 480.0};
};

/// RobotLogRecordingOptions::start that fits the clock of a log: 0 if that counts from 1970
/// already.
Stamp start_of_recording(const RobotLog& log);

/// A rosbag2 folder with what PlanarSimulator sends: /odom (nav_msgs/Odometry: the control as its
/// twist, the way by dead reckoning as its pose), /uwb (ovf_msgs/VectorObservation), /landmarks
/// (ovf_msgs/RangeBearingArray), /fix (sensor_msgs/NavSatFix), /imu/data (sensor_msgs/Imu) and
/// /ground_truth (nav_msgs/Odometry). Throws RecordingError, and std::invalid_argument on a sensor
/// of another name, a message of too few numbers, or a time before 1970 or after 2038.
void write_recording(const std::filesystem::path& folder, const RobotLog& log,
                     const RobotLogRecordingOptions& options = {});

/// The landmarks of a log as a parameter file, to be read after that of a robot.
std::string landmarks_yaml(const RobotLog& log, const GeodeticPoint& origin);

}  // namespace ovf
