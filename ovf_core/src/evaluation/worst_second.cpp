#include "ovf/evaluation/worst_second.hpp"

#include <algorithm>
#include <limits>

namespace ovf {

double worst_second(const std::vector<ErrorPoint>& errors) {
  constexpr double kSecond = 1.0;
  if (errors.empty()) return std::numeric_limits<double>::quiet_NaN();
  const Stamp begin = errors.front().stamp;
  const bool is_short = seconds_between(begin, errors.back().stamp) < kSecond;
  double worst = 0.0;
  double sum = 0.0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    sum += errors[i].position;
    // From a second before, which it leaves out.
    for (; seconds_between(errors[first].stamp, errors[i].stamp) >= kSecond; ++first) {
      sum -= errors[first].position;
    }
    const bool whole =
        is_short ? i + 1 == errors.size() : seconds_between(begin, errors[i].stamp) >= kSecond;
    if (whole) worst = std::max(worst, sum / static_cast<double>(i + 1 - first));
  }
  return worst;
}

}  // namespace ovf
