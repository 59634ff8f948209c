#pragma once

#include <string>
#include <vector>

namespace ovf {

/// Mean and sample standard deviation of a quantity over runs; values that are not finite (a run
/// that stopped, a quantity that the method has not) are left out.
struct RunStatistics {
  double mean = 0.0;  ///< NaN if nothing is left
  double deviation = 0.0;
  int count = 0;
};
RunStatistics run_statistics(const std::vector<double>& values);

/// "0.1034 ± 0.0012", the mean alone if there is one value, "–" if there is none.
std::string statistics_text(const RunStatistics& statistics, int decimals);

}  // namespace ovf
