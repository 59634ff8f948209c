#pragma once

#include <cstddef>

#include "ovf/evaluation/report.hpp"

namespace ovf {

/// At most about max_points points of a series, for drawing: the axis is cut into equal intervals
/// (in log x if log_x) and each keeps its extremes and its first gap, so that peaks survive.
/// Points also keep evenly spaced ones. A series that is short enough is returned as it is.
Series downsampled(const Series& series, std::size_t max_points, bool log_x = false);

}  // namespace ovf
