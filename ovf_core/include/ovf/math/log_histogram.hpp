#pragma once

#include <cstdint>
#include <vector>

namespace ovf {

/// Counts of positive numbers in bins of equal ratio: quantiles of any number of them, to about one
/// per cent, in constant memory.
class LogHistogram {
 public:
  /// What lies outside is counted in the first or last bin.
  LogHistogram(double lowest, double highest);

  void add(double value);
  std::uint64_t count() const { return count_; }
  double largest() const { return largest_; }
  double mean() const;
  /// The value below which this share lies; 0 if there are none.
  double quantile(double share) const;

  struct Bin {
    double lower;
    double upper;
    std::uint64_t count;
  };
  /// Joined to at most `most` bins, without the empty ones at both ends.
  std::vector<Bin> bins(int most) const;

 private:
  double lower_edge(std::size_t bin) const;

  double lowest_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
  double sum_ = 0.0;
  double largest_ = 0.0;
};

}  // namespace ovf
