#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"
#include "ovf/recording/recording.hpp"

namespace ovf {

/// The topic that a sensor, or the control, needs.
struct Wish {
  std::string who = {};    ///< for messages: "sensor gnss"
  std::string topic = {};  ///< as configured; empty: not
  std::string name = {};   ///< of the sensor
  /// Types that it usually has, the likeliest first.
  std::vector<std::string> types = {};
  /// All that it can make something of.
  std::vector<std::string> possible = {};
};

Wish wish_of(const SensorConfig& sensor);
Wish wish_of(const MotionConfig& motion);

/// Its index. Throws std::invalid_argument if it is missing, ambiguous or of no possible type.
std::size_t find_topic(const std::vector<Topic>& topics, const Wish& wish);

}  // namespace ovf
