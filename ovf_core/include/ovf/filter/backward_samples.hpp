#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/filter/step_record.hpp"
#include "ovf/math/random.hpp"

namespace ovf {

/// Draws of x_t, x_{t-1}, ..., x_{t-L} from q_t: x_t from q_t(x_t), the rest through the backward
/// kernels of the last L steps. Columns are samples.
struct BackwardSamples {
  std::vector<Eigen::MatrixXd> x;  ///< x[0] = x_t, x[1] = x_{t-1}, ...

  /// `records[0]` is the current step, `records[k]` the one k steps before. `inflation` widens the
  /// draws of x_t.
  void draw(const StateSpaceModel& model, const std::vector<const StepRecord*>& records, int count,
            double inflation, RandomStream& random);
};

}  // namespace ovf
