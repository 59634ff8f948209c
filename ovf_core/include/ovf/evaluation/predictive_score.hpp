#pragma once

#include <limits>
#include <string>
#include <vector>

#include "ovf/evaluation/run_record.hpp"

namespace ovf {

/// How well measurements were foretold: their parts of the ELBO, a bound of the log likelihood.
/// More is better; compare runs over the same recording and sensors only.
struct ElboFigures {
  std::string sensor = {};                                 ///< empty: all of them
  long count = 0;                                          ///< used measurements
  double sum = 0.0;                                        ///< nats
  double mean = std::numeric_limits<double>::quiet_NaN();  ///< per measurement; NaN for none
};

struct PredictiveScore {
  std::vector<ElboFigures> sensors = {};  ///< in the order of names
  ElboFigures overall = {};
};

/// Increments that are not finite are left out.
PredictiveScore predictive_score(const std::vector<UpdateSample>& updates);

}  // namespace ovf
