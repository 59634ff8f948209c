#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "ovf/estimator/messages.hpp"
#include "ovf/filter/step_record.hpp"

namespace ovf {

/// A past state as it is seen now.
struct SmoothedState {
  Stamp stamp = 0;
  Gaussian state;
  Eigen::Quaterniond reference = Eigen::Quaterniond::Identity();
};

/// The backward kernels of the last steps: q(x_{t-k}) given everything up to now, by going back
/// through them (the factorisation of Eq. 4).
class FixedLag {
 public:
  explicit FixedLag(int steps) : capacity_(static_cast<std::size_t>(steps)) {}

  void clear() { count_ = 0; }
  /// After each step, with its number. Allocates nothing once full.
  void push(Stamp stamp, long number, const StepRecord& record);
  /// Drops steps with larger numbers: they are taken back.
  void forget_after(long number);
  /// Newest first; the first is the belief itself.
  std::vector<SmoothedState> smoothed() const;

 private:
  struct Step {
    Stamp stamp = 0;
    long number = 0;
    bool first = true;
    Gaussian marginal;
    AffineGaussian kernel;
    Eigen::Quaterniond reference = Eigen::Quaterniond::Identity();
  };
  std::size_t index(std::size_t back) const {
    return (newest_ + steps_.size() - back) % steps_.size();
  }

  std::size_t capacity_;
  std::size_t count_ = 0;
  std::size_t newest_ = 0;
  std::vector<Step> steps_;
};

}  // namespace ovf
