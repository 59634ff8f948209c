#include "ovf/math/mlp_network.hpp"

#include <cmath>
#include <cstddef>

namespace ovf {
namespace {

struct Layer {
  Eigen::Index in;
  Eigen::Index out;
  Eigen::Index first;  // of its parameters in the flat vector
};

std::vector<Layer> layers_of(const MlpNetwork& network) {
  std::vector<Layer> layers;
  Eigen::Index first = 0;
  for (std::size_t i = 0; i + 1 < network.sizes.size(); ++i) {
    const Layer layer{network.sizes[i], network.sizes[i + 1], first};
    first += layer.out * (layer.in + 1);
    layers.push_back(layer);
  }
  return layers;
}

// Views of the weights and the bias of a layer; Vector is Eigen::VectorXd, const or not.
template <typename Vector>
auto weights(Vector& parameters, const Layer& layer) {
  return parameters.segment(layer.first, layer.out * layer.in).reshaped(layer.out, layer.in);
}

template <typename Vector>
auto bias(Vector& parameters, const Layer& layer) {
  return parameters.segment(layer.first + layer.out * layer.in, layer.out);
}

void activate(Activation activation, Eigen::MatrixXd& values) {
  if (activation == Activation::kRelu) {
    values = values.cwiseMax(0.0);
  } else {
    values = values.array().tanh();
  }
}

// Multiplies delta by the activation's slope, which both activations give from their value.
void multiply_by_slope(Activation activation, const Eigen::MatrixXd& values,
                       Eigen::MatrixXd& delta) {
  if (activation == Activation::kRelu) {
    delta = (values.array() > 0.0).select(delta, 0.0);
  } else {
    delta.array() *= 1.0 - values.array().square();
  }
}

}  // namespace

MlpNetwork make_network(int inputs, const std::vector<int>& hidden_layers, int outputs,
                        Activation activation) {
  MlpNetwork network{{inputs}, activation};
  network.sizes.insert(network.sizes.end(), hidden_layers.begin(), hidden_layers.end());
  network.sizes.push_back(outputs);
  return network;
}

Eigen::Index MlpNetwork::parameter_count() const {
  Eigen::Index count = 0;
  for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
    count += static_cast<Eigen::Index>(sizes[i + 1]) * (sizes[i] + 1);
  }
  return count;
}

Eigen::VectorXd initial_parameters(const MlpNetwork& network, RandomStream& random) {
  Eigen::VectorXd parameters(network.parameter_count());
  for (const Layer& layer : layers_of(network)) {
    const double bound = 1.0 / std::sqrt(static_cast<double>(layer.in));
    for (Eigen::Index i = 0; i < layer.out * (layer.in + 1); ++i) {
      parameters[layer.first + i] = bound * (2.0 * random.uniform() - 1.0);
    }
  }
  return parameters;
}

void set_last_layer_zero(const MlpNetwork& network, Eigen::VectorXd& parameters) {
  const Layer last = layers_of(network).back();
  parameters.tail(last.out * (last.in + 1)).setZero();
}

const Eigen::MatrixXd& forward(const MlpNetwork& network, const Eigen::VectorXd& parameters,
                               const Eigen::MatrixXd& inputs, MlpWorkspace& workspace) {
  const std::vector<Layer> layers = layers_of(network);
  workspace.layers.resize(layers.size() + 1);
  workspace.layers[0] = inputs;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    Eigen::MatrixXd& values = workspace.layers[i + 1];
    values.resize(layers[i].out, inputs.cols());
    values.noalias() = weights(parameters, layers[i]) * workspace.layers[i];
    values.colwise() += bias(parameters, layers[i]);
    if (i + 1 < layers.size()) activate(network.activation, values);
  }
  return workspace.layers.back();
}

void backward(const MlpNetwork& network, const Eigen::VectorXd& parameters,
              const Eigen::MatrixXd& cotangent, MlpWorkspace& workspace,
              Eigen::Ref<Eigen::VectorXd> gradient, Eigen::MatrixXd* input_gradient) {
  const std::vector<Layer> layers = layers_of(network);
  Eigen::MatrixXd& delta = workspace.delta;  // with respect to a layer before its activation
  delta = cotangent;
  for (std::size_t i = layers.size(); i-- > 0;) {
    const Layer& layer = layers[i];
    if (gradient.size() > 0) {
      weights(gradient, layer).noalias() = delta * workspace.layers[i].transpose();
      bias(gradient, layer) = delta.rowwise().sum();
    }
    if (i == 0 && input_gradient == nullptr) break;
    workspace.back.resize(layer.in, delta.cols());
    workspace.back.noalias() = weights(parameters, layer).transpose() * delta;
    delta.swap(workspace.back);
    if (i > 0) multiply_by_slope(network.activation, workspace.layers[i], delta);
  }
  if (input_gradient != nullptr) *input_gradient = delta;
}

double loss_gradient(const MlpNetwork& network, const Eigen::VectorXd& parameters,
                     const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets,
                     MlpWorkspace& workspace, Eigen::VectorXd& gradient) {
  gradient.resize(parameters.size());
  Eigen::MatrixXd& error = workspace.error;
  error = forward(network, parameters, inputs, workspace) - targets;
  const double scale = 1.0 / static_cast<double>(targets.size());
  const double loss = error.squaredNorm() * scale;
  error *= 2.0 * scale;
  backward(network, parameters, error, workspace, gradient, nullptr);
  return loss;
}

}  // namespace ovf
