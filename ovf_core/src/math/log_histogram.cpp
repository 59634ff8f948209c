#include "ovf/math/log_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// Bins per factor of e: their ratio is 1.01.
const double kPerUnit = 1.0 / std::log(1.01);

}  // namespace

LogHistogram::LogHistogram(double lowest, double highest)
    : lowest_(lowest),
      counts_(static_cast<std::size_t>(std::ceil(std::log(highest / lowest) * kPerUnit)) + 1, 0) {}

double LogHistogram::lower_edge(std::size_t bin) const {
  return lowest_ * std::exp(static_cast<double>(bin) / kPerUnit);
}

void LogHistogram::add(double value) {
  const double place = value > lowest_ ? std::log(value / lowest_) * kPerUnit : 0.0;
  const auto last = static_cast<double>(counts_.size() - 1);
  ++counts_[static_cast<std::size_t>(std::min(place, last))];
  ++count_;
  sum_ += value;
  largest_ = std::max(largest_, value);
}

double LogHistogram::mean() const { return count_ == 0 ? 0.0 : sum_ / static_cast<double>(count_); }

double LogHistogram::quantile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  double below = 0.0;
  for (std::size_t bin = 0; bin < counts_.size(); ++bin) {
    below += static_cast<double>(counts_[bin]);
    if (counts_[bin] > 0 && below >= wanted) return std::min(lower_edge(bin + 1), largest_);
  }
  return 0.0;
}

std::vector<LogHistogram::Bin> LogHistogram::bins(int most) const {
  std::size_t first = 0;
  std::size_t end = counts_.size();
  while (first < end && counts_[first] == 0) ++first;
  while (end > first && counts_[end - 1] == 0) --end;
  const std::size_t width = std::max<std::size_t>(
      1, (end - first + static_cast<std::size_t>(most) - 1) / static_cast<std::size_t>(most));
  std::vector<Bin> bins;
  for (std::size_t from = first; from < end; from += width) {
    const std::size_t to = std::min(from + width, end);
    Bin bin{lower_edge(from), lower_edge(to), 0};
    for (std::size_t i = from; i < to; ++i) bin.count += counts_[i];
    bins.push_back(bin);
  }
  return bins;
}

}  // namespace ovf
