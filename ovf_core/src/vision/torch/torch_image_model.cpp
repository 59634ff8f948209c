#include "vision/torch/torch_image_model.hpp"

#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/forward_grad.h>
#include <torch/csrc/jit/passes/freeze_module.h>

#include <sstream>
#include <stdexcept>
#include <utility>

#include "vision/torch/torch_module.hpp"
#include "vision/torch/torch_threads.hpp"

namespace ovf {
namespace {

using torch::Tensor;

[[noreturn]] void refuse(const char* file, const std::string& what) {
  throw ImageModelError(fmt::format("{}: {}", file, what));
}

bool has_loop(const torch::jit::Block& block) {
  for (const torch::jit::Node* node : block.nodes()) {
    if (node->kind() == torch::jit::prim::Loop) return true;
    for (const torch::jit::Block* inner : node->blocks()) {
      if (has_loop(*inner)) return true;
    }
  }
  return false;
}

/// Only tensors, plain values and further modules of such.
void require_plain(const char* file, const torch::jit::Module& module) {
  for (const auto& attribute : module.named_attributes()) {
    const torch::jit::IValue& value = attribute.value;
    if (value.isTensor() || value.isModule() || value.isNone() || value.isBool() || value.isInt() ||
        value.isDouble() || value.isString() || value.isIntList() || value.isDoubleList() ||
        value.isTuple()) {
      continue;
    }
    refuse(file, fmt::format("{} is a {}; a network has tensors and numbers only", attribute.name,
                             value.tagKind()));
  }
  for (const auto& parameter : module.named_parameters()) {
    if (!torch::isfinite(parameter.value).all().item<bool>()) {
      refuse(file, fmt::format("the parameters {} are not all finite. Train it again.",
                               parameter.name));
    }
  }
}

std::string shape_text(c10::IntArrayRef shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

Tensor run(const char* file, torch::jit::Module& module, const char* function, const Tensor& input,
           const std::vector<std::int64_t>& expected) {
  const torch::jit::IValue result = module.get_method(function)({input});
  if (!result.isTensor()) {
    refuse(file, fmt::format("{} gives a {}; expected a tensor", function, result.tagKind()));
  }
  Tensor output = result.toTensor();
  if (output.sizes() != c10::IntArrayRef(expected) || output.scalar_type() != torch::kFloat32 ||
      output.layout() != torch::kStrided) {
    refuse(file, fmt::format("{} makes {} {} of an input {}; expected Float {}", function,
                             toString(output.scalar_type()), shape_text(output.sizes()),
                             shape_text(input.sizes()), shape_text(expected)));
  }
  if (!torch::isfinite(output).all().item<bool>()) {
    refuse(file, fmt::format("{} gives numbers that are not finite", function));
  }
  return output;
}

torch::jit::Module load(const char* file, const std::string& bytes, torch::Device device) {
  try {
    std::istringstream stream(bytes);
    torch::jit::Module module = torch::jit::load(stream, device);
    module.eval();
    if (!module.find_method("forward")) refuse(file, "has no function forward");
    require_plain(file, module);
    std::vector<std::string> kept;
    if (module.find_method(kJacobianFunction)) kept.emplace_back(kJacobianFunction);
    // Parameters become constants, and what depends on them alone is computed now.
    module = torch::jit::freeze_module(module, kept);
    for (const char* function : {"forward", kJacobianFunction}) {
      const auto method = module.find_method(function);
      if (!method) continue;
      if (method->num_inputs() != 2) {
        refuse(file, fmt::format("{} takes {} inputs; expected one tensor", function,
                                 method->num_inputs() - 1));
      }
      if (has_loop(*method->graph()->block())) {
        refuse(file, fmt::format("{} has a loop, which may never end; networks with loops are not "
                                 "taken. Export it with torch.jit.trace.",
                                 function));
      }
    }
    return module;
  } catch (const ImageModelError&) {
    throw;
  } catch (const std::exception& error) {
    refuse(file, fmt::format("LibTorch cannot load it: {}", first_line(error)));
  }
}

/// One tangent for each latent number, while it lives.
class ForwardLevel {
 public:
  ForwardLevel() : index_(torch::autograd::ForwardADLevel::get_next_idx()) {}
  ~ForwardLevel() { torch::autograd::ForwardADLevel::release_idx(index_); }
  ForwardLevel(const ForwardLevel&) = delete;
  ForwardLevel& operator=(const ForwardLevel&) = delete;
  std::int64_t index() const { return static_cast<std::int64_t>(index_); }

 private:
  std::uint64_t index_;
};

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

// Without the profiling executor: it would compile anew for each size of a batch.
class Plainly {
 private:
  torch::jit::GraphOptimizerEnabledGuard guard_{false};
};

class TorchDecoder final : public ImageDecoder {
 public:
  TorchDecoder(const StoredImageModel& model, torch::Device device)
      : latent_dim_(model.latent_dim),
        size_(model.scale.size()),
        device_(device),
        module_(load("decoder.pt", model.decoder, device)),
        has_jacobian_(static_cast<bool>(module_.find_method(kJacobianFunction))) {}

  /// Throws ImageModelError if shapes are wrong or numbers not finite.
  void try_out() {
    const torch::NoGradGuard no_gradients;
    const Plainly plainly;
    for (const std::int64_t count : {1, 3}) {
      const Tensor latents = torch::linspace(-2.0, 2.0, count * latent_dim_).view({count, -1});
      run("decoder.pt", module_, "forward", latents.to(device_),
          {count, Image::kChannels, size_.height, size_.width});
    }
    if (!has_jacobian_) return;
    run("decoder.pt", module_, kJacobianFunction, torch::zeros({1, latent_dim_}).to(device_),
        {1 + latent_dim_, Image::kChannels, size_.height, size_.width});
  }

  void leave_out_jacobian_function() { has_jacobian_ = false; }

  int latent_dim() const override { return latent_dim_; }
  int pixel_dim() const override { return Image::kChannels * size_.width * size_.height; }

  void decode(const Eigen::MatrixXd& latents, Eigen::MatrixXd& pixels) override {
    require_size("latents", latents.rows(), latent_dim_);
    const torch::InferenceMode inference;
    const Plainly plainly;
    copy(module_.forward({tensor_of(latents, device_)}).toTensor(), pixels);
  }

  void vector_jacobian(const Eigen::MatrixXd& latents, const Eigen::MatrixXd& pixel_gradients,
                       Eigen::MatrixXd& pixels, Eigen::MatrixXd& latent_gradients) override {
    require_size("latents", latents.rows(), latent_dim_);
    require_size("pixel gradients", pixel_gradients.rows(), pixel_dim());
    require_size("pixel gradients' columns", pixel_gradients.cols(), latents.cols());
    const Plainly plainly;
    const Tensor x = tensor_of(latents, device_).requires_grad_(true);
    const Tensor y = module_.forward({x}).toTensor();
    const Tensor given = tensor_of(pixel_gradients, device_).view(y.sizes());
    const auto gradients = torch::autograd::grad({y}, {x}, {given});
    copy(y, pixels);
    copy(gradients.front(), latent_gradients);
  }

  void jacobian(const Eigen::VectorXd& latent, Eigen::VectorXd& pixels,
                Eigen::MatrixXd& J) override {
    require_size("the latent state", latent.size(), latent_dim_);
    const Plainly plainly;
    const Tensor x = tensor_of(latent, device_);
    if (has_jacobian_) {
      const torch::InferenceMode inference;
      const Tensor all = module_.get_method(kJacobianFunction)({x}).toTensor();
      set_pixels(all.slice(0, 0, 1), pixels);
      copy(all.slice(0, 1), J);
    } else {
      forward_mode(x, pixels, J);
    }
  }

 private:
  void set_pixels(const Tensor& row, Eigen::VectorXd& pixels) {
    const Tensor flat = row.detach().to(torch::kCPU).contiguous();
    pixels = Eigen::Map<const Eigen::VectorXf>(flat.data_ptr<float>(), flat.numel()).cast<double>();
  }

  /// The same latent state latent_dim times over, each with a tangent of its own.
  void forward_mode(const Tensor& x, Eigen::VectorXd& pixels, Eigen::MatrixXd& J) {
    const ForwardLevel level;
    const Tensor dual = torch::_make_dual(x.expand({latent_dim_, latent_dim_}).contiguous(),
                                          torch::eye(latent_dim_, x.options()), level.index());
    const auto [y, tangents] =
        torch::_unpack_dual(module_.forward({dual}).toTensor(), level.index());
    set_pixels(y.slice(0, 0, 1), pixels);
    copy(tangents, J);
  }

  int latent_dim_;
  ImageSize size_;
  torch::Device device_;
  torch::jit::Module module_;
  bool has_jacobian_;
};

class TorchEncoder final : public ImageEncoder {
 public:
  TorchEncoder(const StoredImageModel& model, torch::Device device)
      : latent_dim_(model.latent_dim),
        size_(model.scale.size()),
        device_(device),
        module_(load("encoder.pt", model.encoder, device)) {}

  void try_out() {
    const torch::NoGradGuard no_gradients;
    const Plainly plainly;
    for (const std::int64_t count : {1, 3}) {
      const std::vector<std::int64_t> shape = {count, Image::kChannels, size_.height, size_.width};
      const Tensor pixels =
          torch::linspace(-2.0, 2.0, count * Image::kChannels * size_.height * size_.width);
      run("encoder.pt", module_, "forward", pixels.view(shape).to(device_),
          {count, 2 * latent_dim_});
    }
  }

  void encode(const Eigen::VectorXd& pixels, Eigen::VectorXd& mean,
              Eigen::VectorXd& deviation) override {
    require_size("pixels", pixels.size(),
                 Eigen::Index{Image::kChannels} * size_.width * size_.height);
    const torch::InferenceMode inference;
    const Plainly plainly;
    const Tensor x = tensor_of(pixels, device_).view(
        {1, Image::kChannels, size_.height, size_.width});
    copy(module_.forward({x}).toTensor(), code_);
    mean = code_.col(0).head(latent_dim_);
    deviation = code_.col(0).tail(latent_dim_).array().exp();
  }

 private:
  int latent_dim_;
  ImageSize size_;
  torch::Device device_;
  torch::jit::Module module_;
  Eigen::MatrixXd code_;
};

}  // namespace

void try_networks(const StoredImageModel& model) {
  TorchDecoder(model, torch::kCPU).try_out();
  TorchEncoder(model, torch::kCPU).try_out();
}

ImageModel make_image_model(const StoredImageModel& model, const ImageModelOptions& options) {
  set_torch_threads(options.threads);
  const torch::Device device = torch_device();
  const auto decoder = std::make_shared<TorchDecoder>(model, device);
  const auto encoder = std::make_shared<TorchEncoder>(model, device);
  if (!options.use_jacobian_function) decoder->leave_out_jacobian_function();
  decoder->try_out();
  encoder->try_out();
  return {.name = model.name, .scale = model.scale, .decoder = decoder, .encoder = encoder};
}

}  // namespace ovf
