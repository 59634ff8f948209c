#include "ovf/math/gru_network.hpp"

#include <cmath>

namespace ovf {
namespace {

// Views of the four blocks; Vector is Eigen::VectorXd or a Ref of it, const or not.
template <typename Vector>
auto by_input(Vector& parameters, const GruNetwork& network) {
  const Eigen::Index rows = 3 * network.units;
  return parameters.segment(0, rows * network.inputs).reshaped(rows, network.inputs);
}

template <typename Vector>
auto by_state(Vector& parameters, const GruNetwork& network) {
  const Eigen::Index rows = 3 * network.units;
  return parameters.segment(rows * network.inputs, rows * network.units)
      .reshaped(rows, network.units);
}

template <typename Vector>
auto bias(Vector& parameters, const GruNetwork& network) {
  return parameters.segment(3 * network.units * (network.inputs + network.units),
                            3 * network.units);
}

template <typename Vector>
auto candidate_bias(Vector& parameters, const GruNetwork& network) {
  return parameters.tail(network.units);
}

Eigen::ArrayXd sigmoid(const Eigen::Ref<const Eigen::ArrayXd>& x) {
  return 1.0 / (1.0 + (-x).exp());
}

}  // namespace

Eigen::Index GruNetwork::parameter_count() const {
  return static_cast<Eigen::Index>(3) * units * (inputs + units + 1) + units;
}

Eigen::VectorXd initial_parameters(const GruNetwork& network, RandomStream& random) {
  Eigen::VectorXd parameters(network.parameter_count());
  const double bound = 1.0 / std::sqrt(static_cast<double>(network.units));
  for (double& value : parameters) value = bound * (2.0 * random.uniform() - 1.0);
  return parameters;
}

const Eigen::VectorXd& forward_step(const GruNetwork& network, const Eigen::VectorXd& parameters,
                                    std::size_t k, const Eigen::VectorXd& input,
                                    const Eigen::VectorXd& before, GruWorkspace& workspace) {
  const Eigen::Index u = network.units;
  // `before` may be the state of the step before, in the same list.
  workspace.hidden = before;
  if (workspace.steps.size() <= k) workspace.steps.resize(k + 1);
  GruWorkspace::Step& step = workspace.steps[k];
  step.input = input;
  step.before = workspace.hidden;
  workspace.gates = bias(parameters, network);
  workspace.gates.noalias() += by_input(parameters, network) * step.input;
  workspace.hidden.noalias() = by_state(parameters, network) * step.before;
  step.reset = sigmoid((workspace.gates.head(u) + workspace.hidden.head(u)).array());
  step.update = sigmoid((workspace.gates.segment(u, u) + workspace.hidden.segment(u, u)).array());
  step.recurrent = workspace.hidden.tail(u) + candidate_bias(parameters, network);
  step.candidate =
      (workspace.gates.tail(u).array() + step.reset.array() * step.recurrent.array()).tanh();
  step.after =
      step.candidate.array() + step.update.array() * (step.before.array() - step.candidate.array());
  return step.after;
}

void backward(const GruNetwork& network, const Eigen::VectorXd& parameters, std::size_t count,
              const Eigen::VectorXd& cotangent, GruWorkspace& workspace,
              Eigen::Ref<Eigen::VectorXd> gradient) {
  const Eigen::Index u = network.units;
  gradient.setZero();
  Eigen::VectorXd& delta = workspace.delta;    // with respect to the state after a step
  Eigen::VectorXd& gates = workspace.gates;    // with respect to W v + b
  Eigen::VectorXd& hidden = workspace.hidden;  // with respect to R h
  delta = cotangent;
  gates.resize(3 * u);
  for (std::size_t k = count; k-- > 0;) {
    const GruWorkspace::Step& step = workspace.steps[k];
    const auto r = step.reset.array();
    const auto z = step.update.array();
    const auto n = step.candidate.array();
    gates.tail(u) = delta.array() * (1.0 - z) * (1.0 - n.square());
    gates.segment(u, u) = delta.array() * (step.before.array() - n) * z * (1.0 - z);
    gates.head(u) = gates.tail(u).array() * step.recurrent.array() * r * (1.0 - r);
    hidden = gates;
    hidden.tail(u).array() *= r;
    by_input(gradient, network).noalias() += gates * step.input.transpose();
    by_state(gradient, network).noalias() += hidden * step.before.transpose();
    bias(gradient, network) += gates;
    candidate_bias(gradient, network) += hidden.tail(u);
    workspace.back = delta.cwiseProduct(step.update);
    workspace.back.noalias() += by_state(parameters, network).transpose() * hidden;
    delta.swap(workspace.back);
  }
}

}  // namespace ovf
