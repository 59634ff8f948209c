#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "ovf/estimator/outcome.hpp"
#include "ovf/evaluation/run_record.hpp"

namespace ovf {

inline bool was(const UpdateSample& update, Outcome outcome) {
  return update.outcome == to_string(outcome);
}

/// What became of the messages of each sensor, without the controls; the updates must stay.
inline std::map<std::string_view, std::vector<const UpdateSample*>> by_sensor(
    const std::vector<UpdateSample>& updates) {
  std::map<std::string_view, std::vector<const UpdateSample*>> groups;
  for (const UpdateSample& update : updates) {
    if (!update.sensor.empty()) groups[update.sensor].push_back(&update);
  }
  return groups;
}

}  // namespace ovf
