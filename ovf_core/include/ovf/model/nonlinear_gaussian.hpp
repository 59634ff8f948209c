#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/model/mean_function.hpp"
#include "ovf/model/observation_noise.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// f = N(f(x), U), g = N(g(x), diag(V)) for any two mean functions.
struct NonlinearGaussianSpec {
  Gaussian prior;
  std::unique_ptr<MeanFunction> f;
  std::unique_ptr<MeanFunction> g;
  Eigen::MatrixXd U;
  /// Variances: the noise of the observation is independent in each dimension.
  Eigen::VectorXd V;
  LearnedScale learn_U = LearnedScale::kNo;
  LearnedScale learn_V = LearnedScale::kNo;
};

/// Throws std::invalid_argument naming what is missing or has a wrong size or value.
StateSpaceModel make_nonlinear_gaussian(NonlinearGaussianSpec spec);

}  // namespace ovf
