#pragma once

#include <array>
#include <memory>
#include <vector>

#include "ovf/estimator/robot_model.hpp"
#include "ovf/model/body_sensors.hpp"
#include "ovf/model/sensor.hpp"

namespace ovf {

/// What is learned of a sensor, or known.
struct SensorQuantities {
  Mounting mounting;
  Quantity scale;
  Quantity depth;
  /// One for each target, axis or number.
  std::vector<Quantity> biases;
};

/// Adds what is learned of a sensor to the state.
SensorQuantities add_quantities(const SensorConfig& config, const MotionConfig& motion,
                                const std::vector<int>& landmark_ids, StateLayout& layout);

std::unique_ptr<Sensor> make_sensor(const EstimatorConfig& robot, const SensorConfig& config,
                                    const std::shared_ptr<const Motion>& motion,
                                    const SensorQuantities& quantities, const Targets& targets,
                                    int state_dim, SensorInfo& info);

}  // namespace ovf
