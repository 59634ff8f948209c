#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/model/state_space_model.hpp"
#include "ovf/posterior/backward_kernel.hpp"
#include "ovf/posterior/filter_marginal.hpp"

namespace ovf {

/// One time step of the posterior: phi_t and what it was fitted to. At the first step there is no
/// x_{t-1}: `previous` is the prior and the kernel has no meaning.
struct StepRecord {
  bool first = true;
  StepInput input;
  Eigen::VectorXd y;
  Gaussian previous;                       ///< q_{t-1}(x_{t-1})
  FilterMarginal marginal;                 ///< q_t(x_t)
  std::unique_ptr<BackwardKernel> kernel;  ///< q_t(x_{t-1} | x_t)
};

}  // namespace ovf
