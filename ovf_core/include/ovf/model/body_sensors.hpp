#pragma once

/// Equations of sensors on a moving body: functors y = h(x) on a motion's kinematics, for
/// make_sensor_mean. Each says how many numbers it gives and which of them are angles.
#include "ovf/model/imu_sensor.hpp"        // IWYU pragma: export
#include "ovf/model/linear_sensor.hpp"     // IWYU pragma: export
#include "ovf/model/pose_sensors.hpp"      // IWYU pragma: export
#include "ovf/model/range_sensors.hpp"     // IWYU pragma: export
#include "ovf/model/sensor_mean.hpp"       // IWYU pragma: export
#include "ovf/model/velocity_sensors.hpp"  // IWYU pragma: export
