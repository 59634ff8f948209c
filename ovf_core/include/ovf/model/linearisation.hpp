#pragma once

namespace ovf {

/// Which affine-Gaussian conditional stands for a non-linear one.
enum class Linearisation {
  kTangent,   ///< value and Jacobian at the mean (extended Kalman filter)
  kExpected,  ///< expected value and slope: the variational optimum
  kMoments,   ///< the same with the error of the line added to the noise (unscented Kalman filter)
};

}  // namespace ovf
