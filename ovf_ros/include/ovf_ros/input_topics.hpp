#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ovf/estimator/estimator_config.hpp"

namespace ovf_ros {

/// A topic that is listened to, and who takes its messages.
struct InputTopic {
  std::string name;  ///< as configured
  /// Indices of sensors, -1: the control; in the order in which a message is given to them.
  std::vector<int> takers;
  /// What its messages usually are, the likeliest first.
  std::vector<std::string> usual_types;
  /// The key that sets the name.
  std::string key;
};

/// A topic may feed several sensors. `resolve` gives the full name of a topic.
std::vector<InputTopic> input_topics(const ovf::EstimatorConfig& config,
                                     const std::function<std::string(const std::string&)>& resolve);

/// The type to listen to, of those that the publishers of the topic have: the current one if it is
/// among them, else a usual one, else any that can be read. Empty: none can be.
std::string choose_type(const InputTopic& topic, const std::string& current,
                        const std::vector<std::string>& published);

}  // namespace ovf_ros
