#pragma once

#include "ovf/filter/value_recursion.hpp"

namespace ovf {

/// Finds phi_t: the inner loop of Algorithm 1.
class Inference {
 public:
  virtual ~Inference() = default;
  /// `record` holds the starting phi_t; `prediction` is the Gaussian approximation of
  /// p(x_t | y^{t-1}). Returns the iterations used, or 0 if the update failed numerically.
  virtual int optimise(const StateSpaceModel& model, const Gaussian& prediction,
                       ValueRecursion& value, StepRecord& record) = 0;
};

}  // namespace ovf
