#pragma once

#include <functional>
#include <utility>

#include "ovf/filter/value_recursion.hpp"

namespace ovf {

using IterationObserver = std::function<void(int iteration, const StepRecord& record)>;

/// Finds phi_t: the inner loop of Algorithm 1.
class Inference {
 public:
  virtual ~Inference() = default;
  /// `record` holds the starting phi_t; `prediction` is the Gaussian approximation of
  /// p(x_t | y^{t-1}). `restart` false: the same step once more, with a refined prediction, from
  /// the phi_t that it has. Returns the iterations used, or 0 if the update failed numerically.
  virtual int optimise(const StateSpaceModel& model, const Gaussian& prediction, bool restart,
                       ValueRecursion& value, StepRecord& record) = 0;

  /// The step was taken, or refused: then it leaves no trace, in the random stream either.
  virtual void commit() {}
  virtual void reject() {}

  void observe(IterationObserver observer) { observer_ = std::move(observer); }

 protected:
  void report(int iteration, const StepRecord& record) const {
    if (observer_) observer_(iteration, record);
  }

 private:
  IterationObserver observer_;
};

}  // namespace ovf
