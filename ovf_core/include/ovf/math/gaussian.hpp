#pragma once

#include <Eigen/Core>

#include "ovf/math/covariance_factor.hpp"

namespace ovf {

inline constexpr double kLogTwoPi = 1.8378770664093454835606594728112;

/// N(mean, L L').
struct Gaussian {
  Eigen::VectorXd mean;
  CovarianceFactor factor;

  int dim() const { return static_cast<int>(mean.size()); }
  Eigen::MatrixXd covariance() const { return factor.covariance(); }
  void archive(Archive& archive, int dim);
};

/// Standard normal of a dimension.
Gaussian standard_gaussian(int dim, CovarianceForm form);

/// x := (L L')^-1 x.
void multiply_by_precision(const CovarianceFactor& factor, Eigen::MatrixXd& x);

/// Log density of each column of x.
void log_density(const Gaussian& gaussian, const Eigen::MatrixXd& x, Eigen::VectorXd& out);
/// Gradient of the log density at each column of x.
void log_density_gradient(const Gaussian& gaussian, const Eigen::MatrixXd& x, Eigen::MatrixXd& out);
/// KL(p || q).
double kl_divergence(const Gaussian& p, const Gaussian& q);

/// The conditional N(output; matrix * input + offset, noise): a linear transition, a linear
/// observation, or an affine backward kernel.
struct AffineGaussian {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd offset;
  CovarianceFactor noise;

  void archive(Archive& archive, int input_dim, int output_dim);
};

/// The joint of (input, output) when the input has the given marginal, as a full Gaussian.
Gaussian joint(const AffineGaussian& conditional, const Gaussian& input);

}  // namespace ovf
