#include "evaluation/run_statistics.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ovf {

RunStatistics run_statistics(const std::vector<double>& values) {
  RunStatistics result;
  double sum = 0.0;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    sum += value;
    ++result.count;
  }
  result.mean = sum / result.count;
  if (result.count < 2) return result;
  double squares = 0.0;
  for (const double value : values) {
    if (std::isfinite(value)) squares += (value - result.mean) * (value - result.mean);
  }
  result.deviation = std::sqrt(squares / (result.count - 1));
  return result;
}

std::string statistics_text(const RunStatistics& statistics, int decimals) {
  if (statistics.count == 0) return "–";
  if (statistics.count == 1) return fmt::format("{:.{}f}", statistics.mean, decimals);
  return fmt::format("{:.{}f} ± {:.{}f}", statistics.mean, decimals, statistics.deviation,
                     decimals);
}

}  // namespace ovf
