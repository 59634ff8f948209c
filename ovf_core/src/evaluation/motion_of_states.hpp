#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "ovf/evaluation/run_record.hpp"

namespace ovf {

/// What the names of an estimator's states say of its motion: one in the plane has a yaw, a body in
/// space has a rotation, a point has neither.
inline void set_motion_of_states(const std::vector<std::string>& names, RunRecord& record) {
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  record.planar = has("yaw");
  record.has_orientation = record.planar || has("rotation_x");
}

}  // namespace ovf
