#include "ovf/regression/random_features.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "ovf/math/random.hpp"
#include "ovf/regression/median_distance.hpp"
#include "regression/require.hpp"

namespace ovf {

RandomFeatures::RandomFeatures(const RandomFeaturesConfig& config) : config_(config) {
  require(config.features > 0 && config.features % 2 == 0, "random_features.features",
          config.features, "a positive even number");
  require(std::isfinite(config.ridge) && config.ridge > 0.0, "random_features.ridge", config.ridge,
          "a positive number");
  require(std::isfinite(config.bandwidth) && config.bandwidth >= 0.0, "random_features.bandwidth",
          config.bandwidth, "a positive number, or 0 for the median pairwise distance");
}

void RandomFeatures::fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) {
  check_samples(inputs, targets);
  if (bandwidth_ == 0.0) {
    bandwidth_ = config_.bandwidth > 0.0 ? config_.bandwidth : median_pairwise_distance(inputs);
  }
  if (frequencies_.cols() != inputs.rows()) {
    Eigen::MatrixXd standard(config_.features / 2, inputs.rows());
    RandomStream(config_.seed).fill_normal(standard);
    frequencies_ = (standard / bandwidth_).cast<float>();
  }
  centre_ = inputs.rowwise().mean();
  compute_features(inputs);

  const Eigen::MatrixXd features = features_.cast<double>();
  const double ridge = config_.ridge * static_cast<double>(inputs.cols());
  Eigen::MatrixXd gram = ridge * Eigen::MatrixXd::Identity(config_.features, config_.features);
  gram.selfadjointView<Eigen::Lower>().rankUpdate(features);
  const Eigen::MatrixXd moments = features * targets.transpose();
  weights_ = gram.selfadjointView<Eigen::Lower>().ldlt().solve(moments).transpose().cast<float>();
}

void RandomFeatures::compute_features(const Eigen::MatrixXd& inputs) const {
  const Eigen::Index half = frequencies_.rows();
  centred_ = (inputs.colwise() - centre_).cast<float>();
  phases_.resize(half, inputs.cols());
  phases_.noalias() = frequencies_ * centred_;
  features_.resize(2 * half, inputs.cols());
  const float scale = std::sqrt(1.0F / static_cast<float>(half));
  features_.topRows(half) = scale * phases_.array().cos();
  features_.bottomRows(half) = scale * phases_.array().sin();
}

void RandomFeatures::predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const {
  compute_features(inputs);
  values_.resize(weights_.rows(), inputs.cols());
  values_.noalias() = weights_ * features_;
  outputs = values_.cast<double>();
}

void RandomFeatures::continue_from(const Regressor& last) {
  const auto& other = dynamic_cast<const RandomFeatures&>(last);
  bandwidth_ = other.bandwidth_;
  frequencies_ = other.frequencies_;
}

std::unique_ptr<Regressor> RandomFeatures::clone() const {
  return std::make_unique<RandomFeatures>(*this);
}

void RandomFeatures::archive(Archive& archive, int inputs, int outputs) {
  const int features = outputs == 0 ? 0 : config_.features;
  archive.number("bandwidth", bandwidth_);
  archive.require(std::isfinite(bandwidth_) && bandwidth_ >= 0.0, "bandwidth",
                  "0 or a positive number");
  archive.vector("feature centre", centre_, inputs);
  archive.require_finite("feature centre", centre_);
  archive.matrix("feature frequencies", frequencies_, features / 2, inputs);
  archive.require_finite("feature frequencies", frequencies_);
  archive.matrix("feature weights", weights_, outputs, features);
  archive.require_finite("feature weights", weights_);
}

}  // namespace ovf
