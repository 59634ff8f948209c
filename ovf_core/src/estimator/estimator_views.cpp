// What can be asked of an estimator.
#include <stdexcept>

#include "ovf/estimator/estimator.hpp"

namespace ovf {
namespace {

// Uncertainty that has shrunk below this share of the first is due to the data.
constexpr double kExcited = 0.9;

}  // namespace

Kinematics<double> Estimator::body() const {
  StepInput input;
  input.reference = state_.reference;
  return robot_.motion->kinematics(input, belief().mean.data());
}

std::vector<ParameterEstimate> Estimator::parameters() const {
  std::vector<ParameterEstimate> estimates;
  const Eigen::VectorXd deviations = belief().factor.standard_deviations();
  for (int i = 0; i < robot_.layout.dim(); ++i) {
    const StateEntry& entry = robot_.layout.entry(i);
    if (!entry.parameter) continue;
    estimates.push_back({.name = entry.name,
                         .value = belief().mean[i],
                         .deviation = deviations[i],
                         .excited = deviations[i] < kExcited * entry.deviation});
  }

  const ParameterVector& theta = filter_.model().parameters();
  const Eigen::VectorXd known = filter_.learner().standard_deviations();
  const Eigen::VectorXd unknown =
      ParameterLearner(config_.filter.learning, theta).standard_deviations();
  for (int i = 0; i < theta.size(); ++i) {
    ParameterEstimate estimate{.name = theta.info(i).name, .value = filter_.parameters()[i]};
    if (known.size() > 0) {
      estimate.deviation = known[i];
      estimate.excited = known[i] < kExcited * unknown[i];
    }
    estimates.push_back(estimate);
  }
  return estimates;
}

Rollout Estimator::rollout(const RolloutRequest& request) const {
  if (!state_.initialised) {
    throw std::invalid_argument("rollout: there is no belief yet; expected a first message");
  }
  StepInput input;
  input.reference = state_.reference;
  if (state_.has_control) input.control = state_.control;
  input.last_control = state_.last_control;
  return roll_out(filter_, *robot_.motion, input, request);
}

}  // namespace ovf
