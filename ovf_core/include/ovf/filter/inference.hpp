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

  /// Whether another phi_t, far from this one, was found to be about as good.
  virtual bool ambiguous() const { return false; }

  /// The step was taken, `value` being that of the step before still; or refused: then it leaves no
  /// trace, in the random stream either.
  virtual void commit(const StepView& /*step*/, ValueRecursion& /*value*/) {}
  virtual void reject() {}
  /// The next step is a first one.
  virtual void restart() {}
  /// What is carried from step to step; nothing in most.
  virtual void archive(Archive& /*archive*/) {}

  /// Asked between iterations, never before the first: true ends the loop with what it has.
  void set_out_of_time(std::function<bool()> out_of_time) { out_of_time_ = std::move(out_of_time); }

  void observe(IterationObserver observer) { observer_ = std::move(observer); }

 protected:
  bool out_of_time() const { return out_of_time_ && out_of_time_(); }
  void report(int iteration, const StepRecord& record) const {
    if (observer_) observer_(iteration, record);
  }

 private:
  IterationObserver observer_;
  std::function<bool()> out_of_time_;
};

}  // namespace ovf
