#pragma once

#include <map>
#include <memory>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/model/motion.hpp"
#include "ovf/model/state_layout.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// What the estimator needs to know of a sensor besides its model.
struct SensorInfo {
  int dim = 0;  ///< numbers of a measurement
  bool has_targets = false;
  bool has_quaternion = false;  ///< of a measurement's numbers the last four are an orientation
};

/// A robot as its configuration describes it.
struct RobotModel {
  std::shared_ptr<const Motion> motion;
  StateLayout layout;
  std::vector<SensorInfo> sensors;
  /// Index among the sensors' targets of a landmark's number.
  std::map<int, int> target_of_id;
  StateSpaceModel state_space;
};

/// Throws std::invalid_argument naming the key, the value and what was expected.
RobotModel make_robot_model(const EstimatorConfig& config);

}  // namespace ovf
