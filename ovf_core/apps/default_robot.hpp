#pragma once

#include <string_view>

/// config/planar_all_sensors.yaml, put into the program by the build (cmake/embed_text.cmake).
namespace ovf::embedded {

extern const std::string_view kDefaultRobotYaml;

}  // namespace ovf::embedded
