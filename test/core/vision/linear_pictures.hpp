#pragma once

#include <Eigen/Dense>
#include <memory>
#include <utility>
#include <vector>

#include "ovf/math/random.hpp"
#include "ovf/vision/camera_frame.hpp"
#include "ovf/vision/image_model.hpp"

// Pictures that are linear in a latent state, and a world that shows them: what needs a model of
// pictures can be tested without a network.
namespace ovf::test {

class LinearDecoder final : public ImageDecoder {
 public:
  explicit LinearDecoder(Eigen::MatrixXd W) : W_(std::move(W)) {}
  const Eigen::MatrixXd& W() const { return W_; }

  int latent_dim() const override { return static_cast<int>(W_.cols()); }
  int pixel_dim() const override { return static_cast<int>(W_.rows()); }
  void decode(const Eigen::MatrixXd& latents, Eigen::MatrixXd& pixels) override {
    pixels = W_ * latents;
  }
  void vector_jacobian(const Eigen::MatrixXd& latents, const Eigen::MatrixXd& pixel_gradients,
                       Eigen::MatrixXd& pixels, Eigen::MatrixXd& latent_gradients) override {
    pixels = W_ * latents;
    latent_gradients = W_.transpose() * pixel_gradients;
  }
  void jacobian(const Eigen::VectorXd& latent, Eigen::VectorXd& pixels,
                Eigen::MatrixXd& J) override {
    pixels = W_ * latent;
    J = W_;
  }

 private:
  Eigen::MatrixXd W_;
};

/// Least squares.
class LinearEncoder final : public ImageEncoder {
 public:
  explicit LinearEncoder(const Eigen::MatrixXd& W)
      : inverse_((W.transpose() * W).inverse() * W.transpose()) {}

  void encode(const Eigen::VectorXd& pixels, Eigen::VectorXd& mean,
              Eigen::VectorXd& deviation) override {
    mean = inverse_ * pixels;
    deviation.setConstant(mean.size(), 0.1);
  }

 private:
  Eigen::MatrixXd inverse_;
};

inline ImageModel linear_pictures(int latent = 2, ImageSize size = {4, 4}) {
  const int dim = Image::kChannels * size.width * size.height;
  Eigen::MatrixXd W(dim, latent);
  RandomStream(1).fill_normal(W);
  return {.name = "linear",
          .scale = PixelScale(size, Eigen::VectorXf::Constant(dim, 0.5F),
                              Eigen::VectorXf::Constant(dim, 0.1F)),
          .decoder = std::make_shared<LinearDecoder>(W),
          .encoder = std::make_shared<LinearEncoder>(W)};
}

inline const Eigen::MatrixXd& decoder_matrix(const ImageModel& model) {
  return static_cast<const LinearDecoder&>(*model.decoder).W();
}

inline Image picture_of(const ImageModel& model, const Eigen::VectorXd& latent) {
  return model.scale.to_image(decoder_matrix(model) * latent);
}

constexpr Stamp kPeriod = 100'000'000;

/// A latent state of two numbers that turns by `turn` at each step, faster with a control.
inline std::vector<CameraFrame> turning_pictures(const ImageModel& model, int count,
                                                 double turn = 0.4, double by_control = 0.0) {
  std::vector<CameraFrame> frames;
  Eigen::Vector2d x(1.0, 0.0);
  RandomStream random(2);
  for (int k = 0; k < count; ++k) {
    CameraFrame& frame = frames.emplace_back();
    frame.stamp = k * kPeriod;
    frame.control = {0.0, by_control == 0.0 ? 0.0 : 2.0 * random.uniform() - 1.0};
    x = Eigen::Rotation2Dd(turn + by_control * frame.control[1]) * x;
    frame.image = picture_of(model, x);
  }
  return frames;
}

}  // namespace ovf::test
