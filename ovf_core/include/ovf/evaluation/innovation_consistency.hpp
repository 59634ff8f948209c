#pragma once

#include <limits>
#include <string>
#include <vector>

#include "ovf/evaluation/autocorrelation.hpp"
#include "ovf/evaluation/consistency.hpp"
#include "ovf/evaluation/run_record.hpp"

namespace ovf {

/// Innovations squared in units of their covariance (NIS). Figures of nothing are NaN.
struct NisFigures {
  double degrees = 0.0;  ///< numbers in a message, the mean where they differ
  long count = 0;        ///< used messages
  /// Sum of NIS over sum of numbers: 1 is right, more: the sensor or the prediction is worse than
  /// the filter believes.
  double ratio = std::numeric_limits<double>::quiet_NaN();
  /// What the ratio of a right filter is: below 1 where the gate leaves out the largest NIS.
  double expected = std::numeric_limits<double>::quiet_NaN();
  /// 95 % of ratios are in it, for independent messages and for as many as these are worth. Both
  /// are about the expected ratio.
  Band band = {};
  double effective_count = 0.0;
  Band effective_band = {};
  /// Share of messages, gated ones too, beyond the 95 % quantile: 0.05 is right.
  double outside95 = std::numeric_limits<double>::quiet_NaN();
  long reached = 0;  ///< messages that came to the gate, used or not
};

/// One component of the innovations of a sensor's used messages, in the order of time.
struct InnovationComponent {
  double mean = std::numeric_limits<double>::quiet_NaN();       ///< in the units of the sensor
  double deviation = std::numeric_limits<double>::quiet_NaN();  ///< about the mean
  /// The mean in its own standard errors: beyond 2 or 3 the sensor or the motion has a bias. That
  /// innovations are correlated is taken into account (effective sample size).
  double bias = std::numeric_limits<double>::quiet_NaN();
  Whiteness whiteness = {};
};

struct SensorConsistency {
  std::string sensor = {};
  long messages = 0;
  long used = 0;
  long gated = 0;
  double gated_share = std::numeric_limits<double>::quiet_NaN();  ///< of used and gated
  NisFigures nis = {};                                            ///< over messages of all sizes
  std::vector<NisFigures> nis_by_size = {};                       ///< by numbers in a message
  /// Innovations of the right filter are white, whatever targets they are of: a sensor's messages
  /// are one sequence. Their covariances are not recorded; each component is in units of its own
  /// deviation, which changes no correlation. A sensor of one number has its exact normalised
  /// innovation, of size sqrt(NIS).
  std::vector<InnovationComponent> components = {};
};

/// In the order of names; controls are left out.
std::vector<SensorConsistency> innovation_consistency(const std::vector<UpdateSample>& updates);

}  // namespace ovf
