#include "ovf/regression/direction_mlp.hpp"

#include <algorithm>
#include <cmath>

#include "ovf/math/adam.hpp"

namespace ovf {
namespace {

// Added to a magnitude before its logarithm is taken.
constexpr double kSmallMagnitude = 1e-3;
constexpr double kSmallestNorm = 1e-300;
// Where exp is far from overflowing.
constexpr double kLargestLog = 300.0;

double magnitude_of(double output, double mean, double deviation) {
  return std::exp(std::min(mean + deviation * output, kLargestLog));
}

}  // namespace

double direction_loss(const Eigen::MatrixXd& targets, double magnitude_mean,
                      double magnitude_deviation, Eigen::MatrixXd& outputs) {
  const Eigen::Index count = targets.rows();
  const double share = 0.5 / static_cast<double>(targets.cols());
  double loss = 0.0;
  for (Eigen::Index n = 0; n < targets.cols(); ++n) {
    const auto target = targets.col(n);
    auto direction = outputs.col(n).head(count);
    const double norm = std::max(direction.norm(), kSmallestNorm);
    const double sum = std::max(direction.lpNorm<1>(), kSmallestNorm);
    const double target_norm = target.norm();
    const double scale = std::max(target_norm, kSmallestNorm) * norm;
    const double cosine = direction.dot(target) / scale;
    const double magnitude =
        norm / sum * magnitude_of(outputs(count, n), magnitude_mean, magnitude_deviation);
    const double error =
        std::log(magnitude + kSmallMagnitude) - std::log(target_norm + kSmallMagnitude);
    loss += share * (error * error - cosine);

    // d log(magnitude + small) / d log magnitude, times 2 error.
    const double pull = 2.0 * error * magnitude / (magnitude + kSmallMagnitude);
    direction = share * ((pull + cosine) / (norm * norm) * direction.array() -
                         target.array() / scale - pull / sum * direction.array().sign())
                            .matrix();
    outputs(count, n) = share * pull * magnitude_deviation;
  }
  return loss;
}

DirectionMlp::DirectionMlp(const MlpConfig& config)
    : config_(config), weight_random_(config.seed, 0), batch_random_(config.seed, 1) {
  validate(config);
}

MlpNetwork DirectionMlp::make_network(Eigen::Index inputs, Eigen::Index outputs) const {
  return ovf::make_network(config_, inputs, outputs + 1);
}

void DirectionMlp::fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) {
  check_samples(inputs, targets);
  const MlpNetwork network = make_network(inputs.rows(), targets.rows());
  if (network.sizes != network_.sizes) {
    network_ = network;
    parameters_ = initial_parameters(network_, weight_random_);
  }
  input_scale_ = Standardiser(inputs);
  input_scale_.apply(inputs, standard_inputs_);

  Eigen::ArrayXd logs(targets.cols());
  Eigen::Index used = 0;
  for (Eigen::Index n = 0; n < targets.cols(); ++n) {
    const double sum = targets.col(n).lpNorm<1>();
    if (sum > 0.0) logs[used++] = std::log(sum);
  }
  zero_ = used == 0;
  if (zero_) return;
  magnitude_.mean = logs.head(used).mean();
  magnitude_.deviation = std::sqrt((logs.head(used) - magnitude_.mean).square().mean());

  Adam adam(parameters_.size());
  Eigen::MatrixXd batch_inputs(inputs.rows(), config_.batch);
  Eigen::MatrixXd batch_targets(targets.rows(), config_.batch);
  Eigen::VectorXd gradient(parameters_.size());
  for (int iteration = 0; iteration < config_.iterations; ++iteration) {
    for (int i = 0; i < config_.batch; ++i) {
      const int sample = batch_random_.uniform_index(static_cast<int>(inputs.cols()));
      batch_inputs.col(i) = standard_inputs_.col(sample);
      batch_targets.col(i) = targets.col(sample);
    }
    workspace_.error = forward(network_, parameters_, batch_inputs, workspace_);
    direction_loss(batch_targets, magnitude_.mean, magnitude_.deviation, workspace_.error);
    backward(network_, parameters_, workspace_.error, workspace_, gradient, nullptr);
    adam.step(gradient, config_.learning_rate, parameters_);
  }
}

void DirectionMlp::predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const {
  const Eigen::Index count = network_.sizes.back() - 1;
  if (zero_) {
    outputs.setZero(count, inputs.cols());
    return;
  }
  input_scale_.apply(inputs, standard_inputs_);
  const Eigen::MatrixXd& raw = forward(network_, parameters_, standard_inputs_, workspace_);
  outputs = raw.topRows(count);
  for (Eigen::Index n = 0; n < inputs.cols(); ++n) {
    outputs.col(n) *= magnitude_of(raw(count, n), magnitude_.mean, magnitude_.deviation) /
                      std::max(outputs.col(n).lpNorm<1>(), kSmallestNorm);
  }
}

void DirectionMlp::continue_from(const Regressor& last) {
  *this = dynamic_cast<const DirectionMlp&>(last);
}

std::unique_ptr<Regressor> DirectionMlp::clone() const {
  return std::make_unique<DirectionMlp>(*this);
}

void DirectionMlp::archive(Archive& archive, int inputs, int outputs) {
  const MlpNetwork network = outputs == 0 ? MlpNetwork{} : make_network(inputs, outputs);
  archive.vector("network's weights", parameters_, network.parameter_count());
  archive.require_finite("network's weights", parameters_);
  if (archive.reading()) network_ = network;
  weight_random_.archive(archive);
  batch_random_.archive(archive);
  input_scale_.archive(archive, inputs);
  archive.number("mean log magnitude", magnitude_.mean);
  archive.require_finite("mean log magnitude", magnitude_.mean);
  archive.number("deviation of log magnitudes", magnitude_.deviation);
  archive.require(std::isfinite(magnitude_.deviation) && magnitude_.deviation >= 0.0,
                  "deviation of log magnitudes", "0 or a positive number");
  archive.flag("zero targets", zero_);
}

}  // namespace ovf
