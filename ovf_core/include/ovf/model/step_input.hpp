#pragma once

#include <Eigen/Core>

namespace ovf {

/// What a step of the state depends on besides the state.
struct StepInput {
  double dt = 1.0;
  Eigen::VectorXd control;
};

}  // namespace ovf
