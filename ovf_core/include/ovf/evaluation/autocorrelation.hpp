#pragma once

#include <limits>
#include <vector>

namespace ovf {

/// Of finite values in the order of time, about their mean, at lags 1, 2, ..., lags (fewer if there
/// are not more values). All NaN for values that never change.
std::vector<double> autocorrelation(const std::vector<double>& values, int lags);

/// How many independent values would tell the mean as well as these do: count / (1 + 2 sum of the
/// autocorrelations), the sum by Geyer's initial positive sequence (1992). Where that does not end
/// within 50 lags, pairs of values are averaged, which leaves the mean and its variance as they
/// are, and the lags reach twice as far. From 1, also for values that never change, to their count;
/// 0 without values.
double effective_sample_size(const std::vector<double>& values);

/// Are values in the order of time uncorrelated?
struct Whiteness {
  long count = 0;
  std::vector<double> autocorrelation = {};  ///< at lags 1, 2, ...
  /// 95 of 100 autocorrelations of white values are within this of zero: 1.96 / sqrt(count).
  double bound = std::numeric_limits<double>::quiet_NaN();
  int outside = 0;  ///< lags that are not
  /// Ljung and Box (1978): all lags at once; chi-square with as many degrees of freedom as lags.
  double ljung_box = std::numeric_limits<double>::quiet_NaN();
  /// How probable so large a value is if they are white; small: they are not.
  double p_value = std::numeric_limits<double>::quiet_NaN();
};

/// At most `lags` of them, and a fifth of the count.
Whiteness test_whiteness(const std::vector<double>& values, int lags = 20);

}  // namespace ovf
