#pragma once

#include <filesystem>

#include "ovf/estimator/robot_log.hpp"

namespace ovf {

/// A log as a folder of CSV files, which read_robot_log reads back bit for bit:
///   controls.csv      stamp,size,u...
///   measurements.csv  stamp,sensor,target,size,y...,covariance...
///   landmarks.csv     id,x,y,z
///   truth.csv         stamp,x,y,yaw
/// Stamps are nanoseconds, size is that of u or y; a covariance, if any, follows row by row.
///
/// The folder must be new or empty, and appears with all of its files or not at all. Throws
/// std::invalid_argument for a log that could not be read back (not in the order of time with
/// controls first, a number that is not finite, a name with a comma), std::runtime_error with the
/// path and the reason when it cannot be written.
void write_robot_log(const std::filesystem::path& folder, const RobotLog& log);

/// Throws std::runtime_error with file, line and what was expected.
RobotLog read_robot_log(const std::filesystem::path& folder);

}  // namespace ovf
