#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/math/random.hpp"

namespace ovf {

enum class Activation { kRelu, kTanh };

/// A fully connected network without parameters of its own: they are one flat vector, layer by
/// layer, each layer its weight matrix (out x in, column by column) and then its bias.
struct MlpNetwork {
  /// Sizes of all layers, inputs and outputs included.
  std::vector<int> sizes;
  Activation activation = Activation::kRelu;

  Eigen::Index parameter_count() const;
};

MlpNetwork make_network(int inputs, const std::vector<int>& hidden_layers, int outputs,
                        Activation activation);

/// Values of the layers for a batch, kept between calls to save allocations. layers[0] is the
/// input, the last one the output.
struct MlpWorkspace {
  std::vector<Eigen::MatrixXd> layers;
  Eigen::MatrixXd delta;
  Eigen::MatrixXd back;
  Eigen::MatrixXd error;
};

/// Weights and biases uniform in +-1/sqrt(fan in), PyTorch's default for linear layers.
Eigen::VectorXd initial_parameters(const MlpNetwork& network, RandomStream& random);

/// The outputs are then zero whatever the inputs, and their gradient is not.
void set_last_layer_zero(const MlpNetwork& network, Eigen::VectorXd& parameters);

/// Fills the workspace for inputs (columns are samples) and returns the outputs in it.
const Eigen::MatrixXd& forward(const MlpNetwork& network, const Eigen::VectorXd& parameters,
                               const Eigen::MatrixXd& inputs, MlpWorkspace& workspace);

/// Back-propagates a cotangent of the outputs (outputs x samples) after `forward`: the gradient of
/// the sum over samples of cotangent' output with respect to the parameters (unless `gradient` is
/// empty) and, if asked for, with respect to the inputs.
void backward(const MlpNetwork& network, const Eigen::VectorXd& parameters,
              const Eigen::MatrixXd& cotangent, MlpWorkspace& workspace,
              Eigen::Ref<Eigen::VectorXd> gradient, Eigen::MatrixXd* input_gradient);

/// The mean over samples and outputs of (output - target)^2, and its gradient by back-propagation.
double loss_gradient(const MlpNetwork& network, const Eigen::VectorXd& parameters,
                     const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets,
                     MlpWorkspace& workspace, Eigen::VectorXd& gradient);

}  // namespace ovf
