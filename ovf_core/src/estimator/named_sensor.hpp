#pragma once

#include <string>

#include "ovf/estimator/estimator_config.hpp"

namespace ovf {

/// A sensor of a configuration file before its keys are read. Clocks never agree exactly and
/// drivers average: by how much it is late is learned, unless the file says that it is known.
inline SensorConfig named_sensor(const std::string& name) {
  return {.name = name, .latency = {.deviation = 0.1}};
}

}  // namespace ovf
