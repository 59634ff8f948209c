#include <fmt/format.h>
#include <torch/autograd.h>
#include <torch/utils.h>

#include <stdexcept>
#include <utility>

#include "ovf/vision/load_image_model.hpp"
#include "vision/torch/torch_network.hpp"
#include "vision/torch/torch_threads.hpp"
#include "vision/vae_networks.hpp"

namespace ovf {
namespace {

using torch::Tensor;

/// Columns of a matrix are rows of a tensor.
Tensor tensor_of(const Eigen::Ref<const Eigen::MatrixXd>& columns, torch::Device device) {
  const Tensor wide =
      torch::from_blob(const_cast<double*>(columns.data()), {columns.cols(), columns.rows()},
                       {columns.outerStride(), 1}, torch::kFloat64);
  return wide.to(device, torch::kFloat32);
}

void copy(const Tensor& rows, Eigen::MatrixXd& columns) {
  const Tensor flat = rows.detach().to(torch::kCPU).flatten(1).contiguous();
  columns = Eigen::Map<const Eigen::MatrixXf>(flat.data_ptr<float>(), flat.size(1), flat.size(0))
                .cast<double>();
}

void require_size(const char* name, Eigen::Index rows, Eigen::Index expected) {
  if (rows == expected) return;
  throw std::invalid_argument(
      fmt::format("image model: {} numbers of {}; expected {}", rows, name, expected));
}

Tensor parameters_of(const std::vector<float>& values, torch::Device device) {
  const auto count = static_cast<std::int64_t>(values.size());
  return torch::from_blob(const_cast<float*>(values.data()), {count}, torch::kFloat32)
      .to(device)
      .clone();
}

class TorchDecoder final : public ImageDecoder {
 public:
  TorchDecoder(const StoredImageModel& model, Network network, torch::Device device)
      : latent_dim_(model.latent_dim),
        size_(model.scale.size()),
        device_(device),
        network_(std::move(network), parameters_of(model.decoder, device)) {}

  int latent_dim() const override { return latent_dim_; }
  int pixel_dim() const override { return Image::kChannels * size_.width * size_.height; }

  void decode(const Eigen::MatrixXd& latents, Eigen::MatrixXd& pixels) override {
    require_size("latents", latents.rows(), latent_dim_);
    const torch::InferenceMode inference;
    copy(network_.forward(tensor_of(latents, device_)), pixels);
  }

  void vector_jacobian(const Eigen::MatrixXd& latents, const Eigen::MatrixXd& pixel_gradients,
                       Eigen::MatrixXd& pixels, Eigen::MatrixXd& latent_gradients) override {
    require_size("latents", latents.rows(), latent_dim_);
    require_size("pixel gradients", pixel_gradients.rows(), pixel_dim());
    require_size("pixel gradients' columns", pixel_gradients.cols(), latents.cols());
    const Tensor x = tensor_of(latents, device_).requires_grad_(true);
    const Tensor y = network_.forward(x);
    const Tensor given = tensor_of(pixel_gradients, device_).view(y.sizes());
    const auto gradients = torch::autograd::grad({y}, {x}, {given});
    copy(y, pixels);
    copy(gradients.front(), latent_gradients);
  }

  void jacobian(const Eigen::VectorXd& latent, Eigen::VectorXd& pixels,
                Eigen::MatrixXd& J) override {
    require_size("the latent state", latent.size(), latent_dim_);
    const torch::InferenceMode inference;
    const Tensor all = network_.forward_and_jacobian(tensor_of(latent, device_));
    const Tensor flat = all.select(0, 0).to(torch::kCPU).contiguous();
    pixels = Eigen::Map<const Eigen::VectorXf>(flat.data_ptr<float>(), flat.numel()).cast<double>();
    copy(all.slice(0, 1), J);
  }

 private:
  int latent_dim_;
  ImageSize size_;
  torch::Device device_;
  TorchNetwork network_;
};

class TorchEncoder final : public ImageEncoder {
 public:
  TorchEncoder(const StoredImageModel& model, Network network, torch::Device device)
      : latent_dim_(model.latent_dim),
        size_(model.scale.size()),
        device_(device),
        network_(std::move(network), parameters_of(model.encoder, device)) {}

  void encode(const Eigen::VectorXd& pixels, Eigen::VectorXd& mean,
              Eigen::VectorXd& deviation) override {
    require_size("pixels", pixels.size(),
                 Eigen::Index{Image::kChannels} * size_.width * size_.height);
    const torch::InferenceMode inference;
    const Tensor x =
        tensor_of(pixels, device_).view({1, Image::kChannels, size_.height, size_.width});
    copy(network_.forward(x), code_);
    mean = code_.col(0).head(latent_dim_);
    deviation = code_.col(0).tail(latent_dim_).array().exp();
  }

 private:
  int latent_dim_;
  ImageSize size_;
  torch::Device device_;
  TorchNetwork network_;
  Eigen::MatrixXd code_;
};

/// Finite weights may still be so large that what they make is not.
void require_finite_results(const ImageModel& model) {
  const int latent_dim = model.decoder->latent_dim();
  Eigen::VectorXd pixels;
  Eigen::MatrixXd J;
  model.decoder->jacobian(Eigen::VectorXd::LinSpaced(latent_dim, -2.0, 2.0), pixels, J);
  if (!pixels.allFinite() || !J.allFinite()) {
    throw ImageModelError("the decoder makes numbers that are not finite. Train it again.");
  }
  Eigen::VectorXd mean;
  Eigen::VectorXd deviation;
  model.encoder->encode(Eigen::VectorXd::LinSpaced(pixels.size(), -2.0, 2.0), mean, deviation);
  if (!mean.allFinite() || !deviation.allFinite()) {
    throw ImageModelError("the encoder makes numbers that are not finite. Train it again.");
  }
}

}  // namespace

ImageModel make_image_model(const StoredImageModel& stored, const ImageModelOptions& options) {
  set_torch_threads(options.threads);
  check_networks(stored);
  const torch::Device device = torch_device();
  VaeNetworks networks = vae_networks(stored.architecture, stored.latent_dim, stored.scale.size());
  ImageModel model = {
      .name = stored.name,
      .scale = stored.scale,
      .decoder = std::make_shared<TorchDecoder>(stored, std::move(networks.decoder), device),
      .encoder = std::make_shared<TorchEncoder>(stored, std::move(networks.encoder), device)};
  try {
    require_finite_results(model);
  } catch (const c10::Error& error) {
    throw ImageModelError(fmt::format("LibTorch cannot run the networks: {}", reason_of(error)));
  }
  return model;
}

ImageModel load_image_model(const std::filesystem::path& folder, const ImageModelOptions& options) {
  const StoredImageModel stored = read_image_model(folder);
  try {
    return make_image_model(stored, options);
  } catch (const ImageModelError& error) {
    throw ImageModelError(fmt::format("{}: {}", folder.string(), error.what()));
  }
}

}  // namespace ovf
