#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ovf_ros {

/// Quantiles of the last numbers, in constant memory.
class LatencyWindow {
 public:
  explicit LatencyWindow(std::size_t size = 1000) : size_(size) { values_.reserve(size); }

  void add(double value) {
    if (values_.size() < size_) {
      values_.push_back(value);
    } else {
      values_[next_] = value;
    }
    next_ = (next_ + 1) % size_;
  }

  /// For each share the value that as many lie below or at; zeros if there are none.
  std::vector<double> quantiles(const std::vector<double>& shares) const {
    std::vector<double> sorted = values_;
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> out(shares.size(), 0.0);
    if (sorted.empty()) return out;
    const auto last = static_cast<double>(sorted.size() - 1);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      out[i] =
          sorted[static_cast<std::size_t>(std::lround(std::clamp(shares[i], 0.0, 1.0) * last))];
    }
    return out;
  }

 private:
  std::size_t size_;
  std::size_t next_ = 0;
  std::vector<double> values_;
};

}  // namespace ovf_ros
