#include "ovf/regression/hermite_projection.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <string>

#include "regression/require.hpp"

namespace ovf {
namespace {

// Coefficients (outputs x features) of the least-squares fit, by the normal equations.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& features, const Eigen::MatrixXd& moments) {
  const auto samples = static_cast<double>(features.cols());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(features.rows(), features.rows());
  gram.selfadjointView<Eigen::Lower>().rankUpdate(features, 1.0 / samples);
  const double largest = gram.diagonal().maxCoeff();
  const Eigen::LLT<Eigen::MatrixXd> factor(gram);
  const auto pivots = factor.matrixLLT().diagonal().array().square();
  const double noise = std::sqrt(static_cast<double>(gram.rows())) *
                       std::numeric_limits<double>::epsilon() * largest;
  if (factor.info() != Eigen::Success || !(pivots.minCoeff() > noise)) {
    throw std::invalid_argument(
        "hermite.least_squares: the inputs do not determine the coefficients, expected samples "
        "that "
        "vary in every direction");
  }
  return factor.solve(moments.transpose()).transpose();
}

}  // namespace

Eigen::Index hermite_feature_count(Eigen::Index dimension, int degree) {
  if (degree == 0) return 1;
  if (degree == 1) return 1 + dimension;
  return (dimension + 1) * (dimension + 2) / 2;
}

void hermite_features(const Eigen::MatrixXd& inputs, int degree, Eigen::MatrixXd& features) {
  const Eigen::Index dimension = inputs.rows();
  features.resize(hermite_feature_count(dimension, degree), inputs.cols());
  for (Eigen::Index n = 0; n < inputs.cols(); ++n) {
    const auto z = inputs.col(n);
    auto feature = features.col(n);
    feature[0] = 1.0;
    if (degree >= 1) feature.segment(1, dimension) = z;
    if (degree < 2) continue;
    Eigen::Index next = 1 + dimension;
    for (Eigen::Index i = 0; i + 1 < dimension; ++i) {
      const Eigen::Index rest = dimension - 1 - i;
      feature.segment(next, rest) = z[i] * z.tail(rest);
      next += rest;
    }
    feature.tail(dimension) = (z.array().square() - 1.0) * (1.0 / std::numbers::sqrt2);
  }
}

HermiteProjection::HermiteProjection(const HermiteProjectionConfig& config) : config_(config) {
  require(config.degree >= 0 && config.degree <= 2, "hermite.degree", config.degree, "0, 1 or 2");
}

void HermiteProjection::fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) {
  check_samples(inputs, targets);
  const Eigen::Index count = hermite_feature_count(inputs.rows(), config_.degree);
  if (config_.least_squares) {
    require(inputs.cols() > count, "hermite.least_squares samples", inputs.cols(),
            "more than the " + std::to_string(count) + " features");
  }
  hermite_features(inputs, config_.degree, features_);
  const Eigen::MatrixXd moments =
      targets * features_.transpose() / static_cast<double>(inputs.cols());
  coefficients_ = config_.least_squares ? least_squares(features_, moments) : moments;
}

void HermiteProjection::predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const {
  hermite_features(inputs, config_.degree, features_);
  outputs.resize(coefficients_.rows(), inputs.cols());
  outputs.noalias() = coefficients_ * features_;
}

std::unique_ptr<Regressor> HermiteProjection::clone() const {
  return std::make_unique<HermiteProjection>(*this);
}

void HermiteProjection::archive(Archive& archive, int inputs, int outputs) {
  const Eigen::Index features = outputs == 0 ? 0 : hermite_feature_count(inputs, config_.degree);
  archive.matrix("Hermite coefficients", coefficients_, outputs, features);
  archive.require_finite("Hermite coefficients", coefficients_);
}

}  // namespace ovf
