#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ovf/estimator/robot_log.hpp"

namespace ovf {

/// Formats of the log of a planar robot: log (as `ovf simulate` writes it), plaza, mrclam.
const std::vector<std::string>& robot_log_kinds();

/// A folder of one of these; `robot` is which one of a mrclam folder. Throws std::invalid_argument
/// on another kind, and what the readers of the formats throw.
RobotLog read_robot_log(const std::string& kind, const std::filesystem::path& folder, int robot);

}  // namespace ovf
