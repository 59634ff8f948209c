#pragma once

#include <memory>
#include <utility>

#include "ovf/model/motion.hpp"

namespace ovf {

/// The whole state's step: the motion's own part moves, the rest stays as it is.
struct MotionStep {
  std::shared_ptr<const Motion> motion;
  int state_dim = 0;

  template <typename T>
  void operator()(const StepInput& input, const T* x, T* out) const {
    motion->move(input, x, nullptr, out);
    for (int i = motion->state_dim(); i < state_dim; ++i) out[i] = x[i];
  }
};

using MotionMean = DualMean<MotionStep>;

inline std::unique_ptr<MeanFunction> make_motion_mean(std::shared_ptr<const Motion> motion,
                                                      int state_dim) {
  return std::make_unique<MotionMean>(state_dim, state_dim,
                                      MotionStep{std::move(motion), state_dim});
}

}  // namespace ovf
