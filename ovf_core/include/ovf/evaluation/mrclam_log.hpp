#pragma once

#include <filesystem>

#include "ovf/estimator/robot_log.hpp"

namespace ovf {

/// Measurements of a recording that a log of one robot has no use for.
struct MrclamLeftOut {
  int other_robots = 0;
  int unknown_barcodes = 0;
};

/// Robot 1 to 5 of a recording of the UTIAS MRCLAM collection (Leung, Halpern, Barfoot, Liu 2011):
/// Barcodes.dat, Landmark_Groundtruth.dat and Robot<n>_{Odometry,Measurement,Groundtruth}.dat.
///
/// A control is the forward velocity and the yaw rate as recorded. A measurement of the sensor
/// "camera" is a range and a bearing, its target the subject (6 to 20) whose barcode was read; what
/// shows another robot, or a barcode of no landmark, is left out and counted. Throws
/// std::runtime_error with file, line and what was expected; std::invalid_argument for another
/// robot.
RobotLog read_mrclam_log(const std::filesystem::path& folder, int robot,
                         MrclamLeftOut* left_out = nullptr);

}  // namespace ovf
