#pragma once

#include "ovf/model/chaotic_rnn.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf {

/// The model of Section 5.2 with the paper's values: x_1 ~ N(0, 0.1^2 I), the network with noise of
/// deviation 0.1, and y = x + 0.1 times a Student-t of two degrees of freedom.
struct ChaoticRnnSpec : ChaoticRnn::Spec {
  double prior_deviation = 0.1;
  double process_noise = 0.1;
  double observation_scale = 0.1;
  double nu = 2.0;
  bool learn_process_noise = false;
  bool learn_observation_scale = false;
  bool learn_nu = false;
};

/// Parameters that are learned: "W[i,j]", "gamma", "tau", "noise", "scale", "nu", in this order.
/// Throws std::invalid_argument naming what has a wrong size or value.
StateSpaceModel make_chaotic_rnn(const ChaoticRnnSpec& spec);

}  // namespace ovf
