#pragma once

#include <Eigen/Core>

namespace ovf {

/// What a covariance that came with a message is good for.
enum class CovarianceState {
  kUsable,
  kUnset,     ///< none came, or it says so: all zeros, or -1 at the start
  kUnusable,  ///< another size, not finite, a variance that no sensor has, not definite
};

/// The lower factor of a message's covariance, if usable. Variances beyond 1e12 count as 1e12,
/// those below 1e-10, which no sensor has in SI units, are unusable, and smaller ones than that of
/// `least_deviation` count as that.
CovarianceState message_noise_factor(const Eigen::MatrixXd& covariance, int dim,
                                     double least_deviation, Eigen::MatrixXd& factor);

}  // namespace ovf
