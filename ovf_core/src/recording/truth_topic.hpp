#pragma once

#include <string>

namespace ovf {

/// Whether a topic of this name is taken for the ground truth if none is named.
inline bool is_truth_topic(const std::string& name) {
  return name.find("ground_truth") != std::string::npos ||
         name.find("groundtruth") != std::string::npos;
}

}  // namespace ovf
