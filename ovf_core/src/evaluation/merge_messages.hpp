#pragma once

#include <vector>

#include "ovf/estimator/robot_log.hpp"

namespace ovf {

/// In the order of time; at the same time controls come first, and otherwise what was first before.
std::vector<Message> merge_messages(std::vector<Control> controls,
                                    std::vector<Measurement> measurements);

/// In the order of time.
void sort_by_stamp(std::vector<TruePose>& truth);

/// Throws std::invalid_argument naming the first message that merge_messages would place elsewhere.
void require_merged(const std::vector<Message>& messages);

}  // namespace ovf
