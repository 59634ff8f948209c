#pragma once

#include <Eigen/Core>

namespace ovf {

/// From a few numbers, the latent state, to the picture that belongs to them: the mean of an
/// observation model N(decoder(x), V) of pictures. Pixels are standardised, in the order of
/// PixelScale. Several latent states are the columns of a matrix.
class ImageDecoder {
 public:
  virtual ~ImageDecoder() = default;

  virtual int latent_dim() const = 0;
  virtual int pixel_dim() const = 0;

  /// pixels (pixel_dim x n) of latents (latent_dim x n). Throws std::invalid_argument on other
  /// sizes, as the other functions do.
  virtual void decode(const Eigen::MatrixXd& latents, Eigen::MatrixXd& pixels) = 0;

  /// For each column: the gradient of a function of the latent state, from its gradient in the
  /// pixels (pixel_dim x n). The pixels come along, as they are computed anyway.
  virtual void vector_jacobian(const Eigen::MatrixXd& latents,
                               const Eigen::MatrixXd& pixel_gradients, Eigen::MatrixXd& pixels,
                               Eigen::MatrixXd& latent_gradients) = 0;

  /// The derivative (pixel_dim x latent_dim) at one latent state, and its pixels.
  virtual void jacobian(const Eigen::VectorXd& latent, Eigen::VectorXd& pixels,
                        Eigen::MatrixXd& J) = 0;
};

}  // namespace ovf
