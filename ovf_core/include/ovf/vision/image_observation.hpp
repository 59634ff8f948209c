#pragma once

#include <Eigen/Core>
#include <memory>

#include "ovf/model/observation.hpp"
#include "ovf/vision/image_decoder.hpp"

namespace ovf {

/// What a camera sees of a latent state: g(y | x) = N(y; decoder(x), v I), y the standardised
/// pixels of a picture (Section 5.3).
///
/// A picture has thousands of numbers and the state a few tens: expectations take the decoder's
/// tangent at the mean of q (Gauss-Newton), so that everything but the decoder's Jacobian J happens
/// in the state's dimensions, with J'J / v for the curvature.
class ImageObservation final : public Observation {
 public:
  /// Throws std::invalid_argument without a decoder, or unless the variance is positive.
  ImageObservation(std::shared_ptr<ImageDecoder> decoder, double variance);

  double variance() const { return variance_; }

  int state_dim() const override { return decoder_->latent_dim(); }
  int observation_dim() const override { return decoder_->pixel_dim(); }
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;
  void log_density(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                   Eigen::VectorXd& out) const override;
  void gradient(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
                Eigen::MatrixXd& out) const override;
  void scores(const Eigen::VectorXd& y, const Eigen::MatrixXd& x,
              Eigen::Ref<Eigen::MatrixXd> out) const override;
  void sample(const Eigen::MatrixXd& x, RandomStream& random, Eigen::MatrixXd& y) const override;
  /// The tangent, whatever the method. Its noise is a matrix of pixels by pixels: for small
  /// pictures only.
  void linearise(const Gaussian& at, Linearisation method, AffineGaussian& out) const override;
  void expected_derivatives(const Eigen::VectorXd& y, const Gaussian& q,
                            ExpectedDerivatives& out) const override;
  bool has_many_numbers() const override { return true; }
  InnovationSize innovation(const Eigen::VectorXd& y, const Gaussian& prediction,
                            Eigen::VectorXd& out) const override;

 private:
  /// Sets pixels_ and J_; a latent state that comes twice in a row costs nothing the second time.
  void set_tangent(const Eigen::VectorXd& latent) const;
  double log_normaliser() const;

  std::shared_ptr<ImageDecoder> decoder_;
  double variance_;
  ParameterVector parameters_;  // none

  mutable Eigen::VectorXd tangent_at_;
  mutable Eigen::VectorXd pixels_;
  mutable Eigen::MatrixXd J_;
  mutable Eigen::MatrixXd information_;  // J'J
  mutable Eigen::VectorXd residual_;
  mutable Eigen::VectorXd projected_;
  mutable Eigen::MatrixXd samples_;
  mutable Eigen::MatrixXd pixel_gradients_;
  mutable Eigen::MatrixXd scratch_;
  mutable Eigen::MatrixXd whitened_;
};

}  // namespace ovf
