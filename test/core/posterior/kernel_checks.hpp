#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/math/mlp_network.hpp"
#include "ovf/posterior/backward_kernel.hpp"
#include "posterior/wavy_function.hpp"

// What every backward kernel with parameters must do.
namespace ovf::test {

inline Eigen::VectorXd parameters(const BackwardKernel& kernel) {
  Eigen::VectorXd phi(kernel.parameter_count());
  kernel.read_parameters(phi);
  return phi;
}

inline Eigen::MatrixXd mean(const BackwardKernel& kernel, const Eigen::MatrixXd& x) {
  Eigen::MatrixXd out;
  kernel.mean(x, out);
  return out;
}

inline Eigen::MatrixXd draw(const BackwardKernel& kernel, const Eigen::MatrixXd& x,
                            const Eigen::MatrixXd& noise) {
  Eigen::MatrixXd previous;
  kernel.sample(x, noise, previous);
  return previous;
}

/// Of a function of the kernel with respect to its parameters.
template <typename Function>
Eigen::VectorXd numerical_kernel_gradient(const BackwardKernel& kernel, const Function& function) {
  const auto objective = [&](const Eigen::VectorXd& phi) {
    const auto moved = kernel.clone();
    moved->write_parameters(phi);
    return function(*moved);
  };
  return numerical_gradient(objective, parameters(kernel));
}

inline void expect_numerical_gradient_through_samples(const BackwardKernel& kernel,
                                                      const Eigen::MatrixXd& x,
                                                      const Eigen::MatrixXd& noise,
                                                      double tolerance) {
  Eigen::VectorXd gradient(kernel.parameter_count());
  kernel.parameter_gradient(x, wavy_gradient(draw(kernel, x, noise)), noise, gradient);
  const Eigen::VectorXd expected = numerical_kernel_gradient(
      kernel, [&](const BackwardKernel& moved) { return wavy_mean(draw(moved, x, noise)); });
  EXPECT_GT(expected.norm(), 0.1);
  EXPECT_TRUE(all_close(gradient, expected, tolerance));
}

inline void expect_numerical_gradient_by_state(const BackwardKernel& kernel,
                                               const Eigen::MatrixXd& x,
                                               const Eigen::MatrixXd& noise, double tolerance) {
  Eigen::MatrixXd pulled;
  kernel.pull_back(x, wavy_gradient(draw(kernel, x, noise)), pulled);
  for (int i = 0; i < x.cols(); ++i) {
    const auto objective = [&](const Eigen::VectorXd& at) {
      return wavy(draw(kernel, at, noise.col(i)));
    };
    EXPECT_TRUE(all_close(pulled.col(i), numerical_gradient(objective, x.col(i)), tolerance));
  }
}

/// It is added to `start`.
inline void expect_numerical_entropy_gradient(const BackwardKernel& kernel,
                                              const Eigen::VectorXd& start, double tolerance) {
  Eigen::VectorXd gradient = start;
  kernel.add_entropy_gradient(gradient);
  const Eigen::VectorXd expected = numerical_kernel_gradient(
      kernel, [](const BackwardKernel& moved) { return moved.noise().log_determinant(); });
  EXPECT_GT(expected.norm(), 0.1);
  EXPECT_TRUE(all_close(gradient - start, expected, tolerance));
}

/// A copy that takes other parameters.
inline void expect_independent_clones(const BackwardKernel& kernel, const Eigen::MatrixXd& x,
                                      const Eigen::MatrixXd& noise, const Eigen::VectorXd& other) {
  const Eigen::MatrixXd before = draw(kernel, x, noise);
  const auto copy = kernel.clone();
  EXPECT_EQ(draw(*copy, x, noise), before);
  copy->write_parameters(other);
  EXPECT_NE(draw(*copy, x, noise), before);
  EXPECT_EQ(draw(kernel, x, noise), before);
}

/// On a line through two states the mean is not a line.
inline void expect_not_affine(const BackwardKernel& kernel, const Eigen::VectorXd& one,
                              const Eigen::VectorXd& other) {
  Eigen::MatrixXd line(one.size(), 3);
  line << one, 0.5 * (one + other), other;
  const Eigen::MatrixXd out = mean(kernel, line);
  EXPECT_GT((out.col(1) - 0.5 * (out.col(0) + out.col(2))).norm(), 1e-3);
}

/// Of kernels with networks: their activation, and the form of their noise.
using NetworkKernelForm = std::tuple<Activation, CovarianceForm>;

inline auto network_kernel_forms() {
  return testing::Combine(testing::Values(Activation::kRelu, Activation::kTanh),
                          testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull));
}

inline std::string network_kernel_form_name(
    const testing::TestParamInfo<NetworkKernelForm>& tested) {
  const bool relu = std::get<0>(tested.param) == Activation::kRelu;
  return std::string(relu ? "Relu" : "Tanh") + form_name(std::get<1>(tested.param)) + "Noise";
}

}  // namespace ovf::test
