#include "ovf/estimator/fixed_lag.hpp"

#include <algorithm>

namespace ovf {

void FixedLag::push(Stamp stamp, long number, const StepRecord& record) {
  if (capacity_ == 0) return;
  if (steps_.size() < capacity_) steps_.resize(capacity_);
  newest_ = (newest_ + 1) % capacity_;
  count_ = std::min(count_ + 1, capacity_);
  Step& step = steps_[newest_];
  step.stamp = stamp;
  step.number = number;
  step.first = record.first;
  step.marginal = record.marginal.gaussian();
  step.reference = record.input.reference;
  const AffineGaussian* kernel = record.first ? nullptr : record.kernel->affine();
  if (kernel != nullptr) step.kernel = *kernel;
}

void FixedLag::forget_after(long number) {
  while (count_ > 0 && steps_[newest_].number > number) {
    newest_ = index(1);
    --count_;
  }
}

std::vector<SmoothedState> FixedLag::smoothed() const {
  std::vector<SmoothedState> states;
  Eigen::MatrixXd covariance, scratch;
  for (std::size_t back = 0; back < count_; ++back) {
    const Step& step = steps_[index(back)];
    SmoothedState state{step.stamp, step.marginal, step.reference};
    if (back > 0) {
      const Step& later = steps_[index(back - 1)];
      if (later.first) break;
      const Gaussian& known = states.back().state;
      state.state.mean = later.kernel.matrix * known.mean + later.kernel.offset;
      scratch.noalias() = later.kernel.matrix * known.factor.lower();
      covariance.noalias() = scratch * scratch.transpose();
      later.kernel.noise.add_to(covariance);
      if (!state.state.factor.assign_covariance(covariance, scratch)) break;
    }
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace ovf
