#pragma once

#include <Eigen/Core>

namespace ovf {

/// From a picture to what it says of the latent state, at once: the start of an inner loop.
class ImageEncoder {
 public:
  virtual ~ImageEncoder() = default;

  /// Mean and standard deviations of the latent state, of standardised pixels. Throws
  /// std::invalid_argument on another number of pixels.
  virtual void encode(const Eigen::VectorXd& pixels, Eigen::VectorXd& mean,
                      Eigen::VectorXd& deviation) = 0;
};

}  // namespace ovf
