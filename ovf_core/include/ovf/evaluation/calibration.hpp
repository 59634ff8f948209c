#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ovf {

/// A true value, and the posterior that was stated of it.
struct CalibrationSample {
  std::string quantity = {};
  double truth = 0.0;
  double value = 0.0;
  double deviation = 0.0;  ///< standard deviation
  /// Of a positive quantity the posterior is normal in the logarithm: intervals are
  /// value * exp(±z deviation / value).
  bool positive = false;
  /// A learned parameter, rather than a state.
  bool parameter = false;
  /// False: the data said nothing of it, so that it is counted, but not in the coverage.
  bool identified = true;
};

/// (truth - value) / deviation, in the logarithm for a positive quantity.
double z_score(const CalibrationSample& sample);

/// All samples of one seed.
struct CalibrationRun {
  std::uint64_t seed = 0;
  std::vector<CalibrationSample> samples = {};
  /// Why the run broke off; empty: it did not.
  std::string failure = {};
};

enum class CalibrationVerdict {
  kOk,
  kOverconfident,   ///< intervals hold the truth too seldom
  kUnderconfident,  ///< intervals hold the truth too often
  kTooFewRuns,
};
const char* to_string(CalibrationVerdict verdict);

inline constexpr int kRankBins = 10;

/// How well the stated posteriors of one quantity fit its true values.
struct QuantityCalibration {
  std::string quantity = {};
  long runs = 0;     ///< with a sample in which the quantity is identified
  long samples = 0;  ///< of these
  long not_identified = 0;
  /// Shares of true values inside the central 50, 90 and 95 % intervals.
  double coverage50 = std::numeric_limits<double>::quiet_NaN();
  double coverage90 = std::numeric_limits<double>::quiet_NaN();
  double coverage95 = std::numeric_limits<double>::quiet_NaN();
  double rms_z = std::numeric_limits<double>::quiet_NaN();
  double mean_z = std::numeric_limits<double>::quiet_NaN();
  /// How many true values have a probability below them, in the stated posterior, of 0 to 10 %, 10
  /// to 20 %, ...: equal shares if it is right.
  std::array<long, kRankBins> ranks = {};
  /// By the binomial distribution, with the samples of one run counted as one: they are correlated.
  CalibrationVerdict verdict = CalibrationVerdict::kTooFewRuns;
};

/// One entry for each quantity, in the order of their first samples.
std::vector<QuantityCalibration> calibration_by_quantity(const std::vector<CalibrationRun>& runs);

/// Of all states, or of all parameters, as if they were one quantity of this name.
QuantityCalibration calibration_of_all(const std::vector<CalibrationRun>& runs, bool parameters,
                                       const std::string& name);

}  // namespace ovf
