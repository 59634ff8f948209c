#include "ovf/posterior/mlp_forward_network.hpp"

namespace ovf {

MlpForwardNetwork::MlpForwardNetwork(int summary_dim, int statistics_dim,
                                     const std::vector<int>& hidden_layers, int outputs,
                                     Activation activation)
    : network_(make_network(summary_dim + statistics_dim, hidden_layers, outputs, activation)),
      statistics_(Eigen::VectorXd::Zero(statistics_dim)) {}

Eigen::VectorXd MlpForwardNetwork::initial_weights(RandomStream& random) const {
  Eigen::VectorXd weights = initial_parameters(network_, random);
  set_last_layer_zero(network_, weights);
  return weights;
}

void MlpForwardNetwork::set_weights(const Eigen::Ref<const Eigen::VectorXd>& weights) {
  weights_ = weights;
}

void MlpForwardNetwork::begin(const Eigen::VectorXd& summary, const Eigen::VectorXd& statistics) {
  statistics_ = statistics;
  inputs_.resize(summary.size() + statistics.size());
  inputs_ << summary, statistics;
}

const Eigen::VectorXd& MlpForwardNetwork::outputs(const Eigen::VectorXd& inputs) {
  outputs_ = forward(network_, weights_, inputs, workspace_).col(0);
  return outputs_;
}

void MlpForwardNetwork::gradient(const Eigen::VectorXd& cotangent,
                                 Eigen::Ref<Eigen::VectorXd> out) {
  backward(network_, weights_, cotangent, workspace_, out, nullptr);
}

void MlpForwardNetwork::gradient_of_examples(std::span<const Eigen::VectorXd> examples,
                                             const ToCotangent& to_cotangent,
                                             Eigen::Ref<Eigen::VectorXd> out) {
  examples_.resize(network_.sizes.front(), static_cast<Eigen::Index>(examples.size()));
  for (std::size_t k = 0; k < examples.size(); ++k) {
    examples_.col(static_cast<Eigen::Index>(k)) = examples[k];
  }
  cotangents_ = forward(network_, weights_, examples_, examples_workspace_);
  for (std::size_t k = 0; k < examples.size(); ++k) {
    to_cotangent(k, cotangents_.col(static_cast<Eigen::Index>(k)));
  }
  backward(network_, weights_, cotangents_, examples_workspace_, out, nullptr);
}

}  // namespace ovf
