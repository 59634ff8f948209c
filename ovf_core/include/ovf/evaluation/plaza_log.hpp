#pragma once

#include <filesystem>

#include "ovf/estimator/robot_log.hpp"

namespace ovf {

/// A recording of the CMU range-only kind (Djugash, Hamner, Roth 2009): a folder with one file each
/// of *_DR.csv (t, distance and turn since the last row), *_TD.csv (t, sender, node, range),
/// *_TL.csv (node, x, y) and *_GT.csv (t, x, y, heading), each with a header line.
///
/// A control is the mean forward velocity and yaw rate over the interval that ends at its stamp;
/// the first row, which ends no known interval, is left out. A measurement of the sensor "uwb" is a
/// range, its target the node. Throws std::runtime_error with file, line and what was expected.
RobotLog read_plaza_log(const std::filesystem::path& folder);

}  // namespace ovf
