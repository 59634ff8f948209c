#pragma once

#include <limits>
#include <vector>

namespace ovf {

/// Of sizes of errors. Without any, count is 0 and all else is NaN.
struct ErrorSummary {
  long count = 0;
  double rmse = std::numeric_limits<double>::quiet_NaN();
  double mean = std::numeric_limits<double>::quiet_NaN();
  double median = std::numeric_limits<double>::quiet_NaN();
  double p95 = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
};

/// Signs do not count.
ErrorSummary summarise_errors(std::vector<double> errors);

}  // namespace ovf
