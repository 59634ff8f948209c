#include "ovf/model/neural_transition.hpp"

#include <Eigen/Core>

namespace ovf {

std::unique_ptr<NonlinearTransition> make_neural_transition(const NeuralTransitionSpec& spec) {
  const Eigen::MatrixXd covariance =
      spec.noise_variance * Eigen::MatrixXd::Identity(spec.state_dim, spec.state_dim);
  return std::make_unique<NonlinearTransition>(std::make_unique<NeuralMean>(spec), covariance,
                                               spec.learn_noise);
}

}  // namespace ovf
