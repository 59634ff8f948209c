#pragma once

#include <vector>

#include "ovf/evaluation/trajectory_error.hpp"

namespace ovf {

/// The largest mean position error over one second, in metres; that of all where they last less.
/// NaN without any. In the order of time.
double worst_second(const std::vector<ErrorPoint>& errors);

}  // namespace ovf
