#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/math/random.hpp"

namespace ovf {

/// A gated recurrent unit (Cho et al., 2014) without parameters of its own:
///     r = sigmoid(W_r v + R_r h + b_r),  z = sigmoid(W_z v + R_z h + b_z),
///     n = tanh(W_n v + b_n + r * (R_n h + c)),  h' = (1 - z) * n + z * h.
/// The flat vector has W (r, z, n below each other, column by column), R likewise, b and c.
struct GruNetwork {
  int inputs = 0;
  int units = 0;

  Eigen::Index parameter_count() const;
};

/// The values of a roll-out, kept for back-propagation and to save allocations.
struct GruWorkspace {
  struct Step {
    Eigen::VectorXd input, before, reset, update, recurrent, candidate, after;
  };
  std::vector<Step> steps;
  Eigen::VectorXd gates, hidden, delta, back;
};

/// Uniform in +-1/sqrt(units), PyTorch's default.
Eigen::VectorXd initial_parameters(const GruNetwork& network, RandomStream& random);

/// Step k of a roll-out from the state `before`; returns the state after it. Steps up to k stay.
const Eigen::VectorXd& forward_step(const GruNetwork& network, const Eigen::VectorXd& parameters,
                                    std::size_t k, const Eigen::VectorXd& input,
                                    const Eigen::VectorXd& before, GruWorkspace& workspace);

/// Back through steps 0 ... count - 1: the gradient of cotangent' (state after the last of them)
/// with respect to the parameters, the first state being a constant.
void backward(const GruNetwork& network, const Eigen::VectorXd& parameters, std::size_t count,
              const Eigen::VectorXd& cotangent, GruWorkspace& workspace,
              Eigen::Ref<Eigen::VectorXd> gradient);

}  // namespace ovf
