#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/model/function_mean.hpp"
#include "ovf/model/nonlinear_gaussian.hpp"

namespace ovf::test {

/// x' = 0.9 x + noise, y = x^2 / 5 + noise: y says nothing of the sign of x, so that the posterior
/// has a mode on either side of zero.
inline StateSpaceModel make_bimodal_toy(double process_noise = 1.0,
                                        double observation_noise = 0.5) {
  using Eigen::MatrixXd;
  using Eigen::VectorXd;
  FunctionMean::Spec decay{.input_dim = 1, .output_dim = 1};
  decay.value = [](const VectorXd& x, const VectorXd&, const StepInput&) -> VectorXd {
    return 0.9 * x;
  };
  decay.jacobian = [](const VectorXd&, const VectorXd&, const StepInput&) -> MatrixXd {
    return MatrixXd::Constant(1, 1, 0.9);
  };
  FunctionMean::Spec square{.input_dim = 1, .output_dim = 1};
  square.value = [](const VectorXd& x, const VectorXd&, const StepInput&) -> VectorXd {
    return 0.2 * x.array().square();
  };
  square.jacobian = [](const VectorXd& x, const VectorXd&, const StepInput&) -> MatrixXd {
    return 0.4 * x;
  };
  NonlinearGaussianSpec spec;
  spec.prior = {VectorXd::Zero(1), CovarianceFactor(1, CovarianceForm::kDiagonal, 2.0)};
  spec.f = std::make_unique<FunctionMean>(decay);
  spec.g = std::make_unique<FunctionMean>(square);
  spec.U = MatrixXd::Constant(1, 1, process_noise * process_noise);
  spec.V = VectorXd::Constant(1, observation_noise * observation_noise);
  return make_nonlinear_gaussian(std::move(spec));
}

}  // namespace ovf::test
