#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/regression/regressor.hpp"

namespace ovf {

struct HermiteProjectionConfig {
  /// 0: a constant, 1: and linear, 2: and quadratic.
  int degree = 2;
  /// Solves the normal equations instead of averaging: exact for polynomials of the degree and for
  /// any distribution of the inputs, but needs more samples than features.
  bool least_squares = false;
};

/// Number of features of hermite_features.
Eigen::Index hermite_feature_count(Eigen::Index dimension, int degree);

/// The orthonormal probabilists' Hermite polynomials of each column z of inputs, in this order:
/// 1; z_i; z_i z_j for i < j (i slowest); (z_i^2 - 1) / sqrt2. features becomes features x N.
void hermite_features(const Eigen::MatrixXd& inputs, int degree, Eigen::MatrixXd& features);

/// Projection on Hermite polynomials. Under standard normal inputs (whitened coordinates) they are
/// orthonormal, so the coefficients are plain averages of target times feature: no bandwidth, no
/// ridge, no solve. Predictions use scratch memory of the object (not for two threads at a time).
class HermiteProjection : public Regressor {
 public:
  /// Throws std::invalid_argument on a bad configuration.
  explicit HermiteProjection(const HermiteProjectionConfig& config);

  void fit(const Eigen::MatrixXd& inputs, const Eigen::MatrixXd& targets) override;
  void predict(const Eigen::MatrixXd& inputs, Eigen::MatrixXd& outputs) const override;
  /// Nothing to continue: a fit depends on its samples alone.
  void continue_from(const Regressor& /*last*/) override {}
  std::unique_ptr<Regressor> clone() const override;
  void archive(Archive& archive, int inputs, int outputs) override;

  /// outputs x features, in the order of hermite_features.
  const Eigen::MatrixXd& coefficients() const { return coefficients_; }

 private:
  HermiteProjectionConfig config_;
  Eigen::MatrixXd coefficients_;
  mutable Eigen::MatrixXd features_;
};

}  // namespace ovf
