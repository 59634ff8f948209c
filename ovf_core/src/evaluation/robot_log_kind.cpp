#include "ovf/evaluation/robot_log_kind.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>

#include "ovf/evaluation/mrclam_log.hpp"
#include "ovf/evaluation/plaza_log.hpp"
#include "ovf/evaluation/robot_log_folder.hpp"

namespace ovf {

const std::vector<std::string>& robot_log_kinds() {
  static const std::vector<std::string> kKinds = {"log", "plaza", "mrclam"};
  return kKinds;
}

RobotLog read_robot_log(const std::string& kind, const std::filesystem::path& folder, int robot) {
  if (kind == "log") return read_robot_log(folder);
  if (kind == "plaza") return read_plaza_log(folder);
  if (kind == "mrclam") return read_mrclam_log(folder, robot);
  throw std::invalid_argument(fmt::format("there is no kind of log {}; expected one of {}", kind,
                                          fmt::join(robot_log_kinds(), ", ")));
}

}  // namespace ovf
