#pragma once

#include <memory>

#include "ovf/model/linear_mean.hpp"
#include "ovf/model/neural_transition.hpp"
#include "ovf/model/nonlinear_observation.hpp"
#include "ovf/model/state_space_model.hpp"

namespace ovf::test {

/// A neural transition whose states are all seen, with noise of this deviation.
inline StateSpaceModel observed_neural_model(const NeuralTransitionSpec& spec,
                                             double observation_deviation) {
  const int d = spec.state_dim;
  ObservationNoise::Spec noise;
  noise.scales = Eigen::VectorXd::Constant(d, observation_deviation);
  return {standard_gaussian(d, CovarianceForm::kFull), make_neural_transition(spec),
          std::make_unique<NonlinearObservation>(
              std::make_unique<LinearMean>(LinearMean::identity(d)), ObservationNoise(noise))};
}

/// A strongly non-linear network of a few states.
inline NeuralTransitionSpec small_neural_spec() {
  NeuralTransitionSpec spec;
  spec.state_dim = 3;
  spec.hidden = 6;
  spec.blocks = 2;
  spec.scale = 0.5;
  return spec;
}

}  // namespace ovf::test
