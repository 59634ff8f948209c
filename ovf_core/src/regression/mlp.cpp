#include "ovf/regression/mlp.hpp"

#include <cmath>

#include "ovf/math/adam.hpp"
#include "regression/require.hpp"

namespace ovf {

void validate(const MlpConfig& config) {
  for (const int size : config.hidden_layers) {
    require(size > 0, "mlp.hidden_layers", size, "positive sizes");
  }
  require(config.iterations > 0, "mlp.iterations", config.iterations, "a positive number");
  require(config.batch > 0, "mlp.batch", config.batch, "a positive number");
  require(std::isfinite(config.learning_rate) && config.learning_rate > 0.0, "mlp.learning_rate",
          config.learning_rate, "a positive number");
}

MlpNetwork make_network(const MlpConfig& config, Eigen::Index inputs, Eigen::Index outputs) {
  return make_network(static_cast<int>(inputs), config.hidden_layers, static_cast<int>(outputs),
                      config.activation);
}

MlpRegressor::MlpRegressor(const MlpConfig& config)
    : config_(config), weight_random_(config.seed, 0), batch_random_(config.seed, 1) {
  validate(config);
}

void MlpRegressor::fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) {
  check_samples(inputs, targets);
  start_network(inputs.rows(), targets.rows());
  input_scale_ = Standardiser(inputs);
  target_scale_ = Standardiser(targets);
  Eigen::MatrixXd standard_targets;
  input_scale_.apply(inputs, standard_inputs_);
  target_scale_.apply(targets, standard_targets);

  Adam adam(parameters_.size());
  Eigen::MatrixXd batch_inputs(inputs.rows(), config_.batch);
  Eigen::MatrixXd batch_targets(targets.rows(), config_.batch);
  Eigen::VectorXd gradient;
  for (int iteration = 0; iteration < config_.iterations; ++iteration) {
    for (int i = 0; i < config_.batch; ++i) {
      const int sample = batch_random_.uniform_index(static_cast<int>(inputs.cols()));
      batch_inputs.col(i) = standard_inputs_.col(sample);
      batch_targets.col(i) = standard_targets.col(sample);
    }
    loss_gradient(network_, parameters_, batch_inputs, batch_targets, workspace_, gradient);
    adam.step(gradient, config_.learning_rate, parameters_);
  }
}

// New weights only if the dimensions are new: otherwise the network continues.
void MlpRegressor::start_network(Eigen::Index inputs, Eigen::Index outputs) {
  const MlpNetwork network = make_network(config_, inputs, outputs);
  if (network.sizes == network_.sizes) return;
  network_ = network;
  parameters_ = initial_parameters(network_, weight_random_);
}

void MlpRegressor::predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const {
  input_scale_.apply(inputs, standard_inputs_);
  outputs = forward(network_, parameters_, standard_inputs_, workspace_);
  outputs.array().colwise() *= target_scale_.deviation.array();
  outputs.colwise() += target_scale_.mean;
}

void MlpRegressor::continue_from(const Regressor& last) {
  *this = dynamic_cast<const MlpRegressor&>(last);
}

std::unique_ptr<Regressor> MlpRegressor::clone() const {
  return std::make_unique<MlpRegressor>(*this);
}

void MlpRegressor::archive(Archive& archive, int inputs, int outputs) {
  const MlpNetwork network = outputs == 0 ? MlpNetwork{} : make_network(config_, inputs, outputs);
  archive.vector("network's weights", parameters_, network.parameter_count());
  archive.require_finite("network's weights", parameters_);
  if (archive.reading()) network_ = network;
  weight_random_.archive(archive);
  batch_random_.archive(archive);
  input_scale_.archive(archive, inputs);
  target_scale_.archive(archive, outputs);
}

}  // namespace ovf
