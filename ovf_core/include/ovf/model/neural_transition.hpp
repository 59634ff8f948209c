#pragma once

#include <memory>

#include "ovf/model/neural_mean.hpp"
#include "ovf/model/nonlinear_transition.hpp"

namespace ovf {

/// The transition of Section 5.3 with the paper's values: f = N(x'; NN_theta(x), 0.1 I).
struct NeuralTransitionSpec : NeuralMean::Spec {
  double noise_variance = 0.1;
  /// Learned as its standard deviation "noise", or one "noise[i]" for each state.
  LearnedScale learn_noise = LearnedScale::kNo;
};

/// Throws std::invalid_argument naming what is out of range.
std::unique_ptr<NonlinearTransition> make_neural_transition(const NeuralTransitionSpec& spec);

}  // namespace ovf
