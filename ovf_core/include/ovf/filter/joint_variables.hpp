#pragma once

#include <Eigen/Core>

#include "ovf/filter/step_record.hpp"
#include "ovf/math/quadratic_functions.hpp"

namespace ovf {

/// x_{t-1} and x_t under q_t(x_{t-1}, x_t) with an affine kernel, as affine functions of
/// z (x_t = m + L z) and the kernel's noise e: what the closed-form recursions work on.
struct JointVariables {
  AffineVariable from;                  ///< x_{t-1}
  AffineVariable to;                    ///< x_t
  AffineVariable whitened_from;         ///< L_{t-1}^-1 (x_{t-1} - m_{t-1}), the z of the last step
  Eigen::MatrixXd whitened_covariance;  ///< covariance of whitened_from under q_t

  /// `from` and `to`; only `to` at the first step. Allocates nothing once sized.
  void assign(const StepRecord& record);
  /// The other two; not at the first step.
  void whiten_from(const StepRecord& record);
};

}  // namespace ovf
