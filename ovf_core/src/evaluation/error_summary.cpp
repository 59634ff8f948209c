#include "ovf/evaluation/error_summary.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// Of sorted values, linear between ranks.
double quantile(const std::vector<double>& sorted, double share) {
  const double rank = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(rank);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (rank - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

ErrorSummary summarise_errors(std::vector<double> errors) {
  ErrorSummary out;
  if (errors.empty()) return out;
  double sum = 0.0;
  double squares = 0.0;
  for (double& error : errors) {
    error = std::abs(error);
    sum += error;
    squares += error * error;
  }
  std::sort(errors.begin(), errors.end());
  const auto count = static_cast<double>(errors.size());
  out.count = static_cast<long>(errors.size());
  out.rmse = std::sqrt(squares / count);
  out.mean = sum / count;
  out.median = quantile(errors, 0.5);
  out.p95 = quantile(errors, 0.95);
  out.max = errors.back();
  return out;
}

}  // namespace ovf
