#include "vision/torch/torch_network.hpp"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/cuda.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "vision/torch/torch_threads.hpp"

namespace ovf {

using torch::Tensor;

void set_torch_threads(int threads) {
  if (threads < 1) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  at::set_num_threads(threads);
  // Debian's LibTorch does not tell the BLAS below it, which is whatever the system provides.
  using SetThreads = void (*)(int);
  for (const char* name : {"openblas_set_num_threads", "bli_thread_set_num_threads"}) {
    if (auto* set = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, name))) set(threads);
  }
}

torch::Device torch_device() {
  return torch::cuda::is_available() ? torch::Device(torch::kCUDA) : torch::Device(torch::kCPU);
}

TorchNetwork::TorchNetwork(Network network, const Tensor& parameters, const Tensor& gradients)
    : network_(std::move(network)) {
  std::int64_t offset = 0;
  for (const NetworkTensor& tensor : network_.tensors) {
    const std::int64_t count = count_of(tensor);
    const auto part_of = [&](const Tensor& flat) {
      return flat.narrow(0, offset, count).view(tensor.shape);
    };
    Tensor part = part_of(parameters).detach();
    if (gradients.defined()) {
      part.requires_grad_(true);
      part.mutable_grad() = part_of(gradients);
    }
    tensors_.push_back(part);
    offset += count;
  }
}

Tensor TorchNetwork::apply(const NetworkLayer& layer, const Tensor& x, std::size_t at,
                           const Tensor& bias) const {
  const Tensor& weight = tensors_[at];
  const std::int64_t stride = layer.stride;
  const std::int64_t padding = layer.padding;
  switch (layer.kind) {
    case LayerKind::kLinear:
      return bias.defined() ? at::linear(x, weight, bias) : at::linear(x, weight);
    case LayerKind::kConv:
      return at::conv2d(x, weight, bias, {stride, stride}, {padding, padding});
    default:
      return at::conv_transpose2d(x, weight, bias, {stride, stride}, {padding, padding});
  }
}

Tensor TorchNetwork::forward(Tensor x) const {
  std::size_t at = 0;
  Tensor before;
  for (const NetworkLayer& layer : network_.layers) {
    switch (layer.kind) {
      case LayerKind::kLinear:
      case LayerKind::kConv:
      case LayerKind::kTransposedConv:
        x = apply(layer, x, at, tensors_[at + 1]);
        at += 2;
        break;
      case LayerKind::kRelu:
        x = torch::relu(x);
        break;
      case LayerKind::kView:
        x = x.reshape({-1, layer.view[0], layer.view[1], layer.view[2]});
        break;
      case LayerKind::kFlatten:
        x = x.flatten(1);
        break;
      case LayerKind::kOpenResidual:
        before = x;
        break;
      case LayerKind::kCloseResidual:
        x = before + x;
        break;
    }
  }
  return x;
}

Tensor TorchNetwork::forward_and_jacobian(Tensor x) const {
  std::size_t at = 0;
  Tensor before;
  // Up to the first relu the tangents are constant, and apart from the value.
  Tensor tangents;
  bool is_linear = true;
  for (const NetworkLayer& layer : network_.layers) {
    switch (layer.kind) {
      case LayerKind::kLinear:
      case LayerKind::kConv:
      case LayerKind::kTransposedConv: {
        const Tensor& bias = tensors_[at + 1];
        if (is_linear) {
          x = apply(layer, x, at, bias);
          // Those of the inputs are unit vectors, which the first layer spares itself.
          tangents = at == 0 ? tensors_[0].t() : apply(layer, tangents, at, {});
        } else {
          x = apply(layer, x, at, {});
          x.select(0, 0).add_(layer.kind == LayerKind::kLinear ? bias : bias.view({-1, 1, 1}));
        }
        at += 2;
        break;
      }
      case LayerKind::kRelu:
        if (is_linear) x = torch::cat({x, tangents});
        is_linear = false;
        x.mul_((x.select(0, 0) > 0).type_as(x));
        break;
      case LayerKind::kView: {
        const std::vector<std::int64_t> shape = {-1, layer.view[0], layer.view[1], layer.view[2]};
        x = x.reshape(shape);
        if (is_linear) tangents = tangents.reshape(shape);
        break;
      }
      case LayerKind::kFlatten:
        x = x.flatten(1);
        if (is_linear) tangents = tangents.flatten(1);
        break;
      case LayerKind::kOpenResidual:
        before = x;
        break;
      case LayerKind::kCloseResidual:
        x = x.add_(before);
        break;
    }
  }
  return x;
}

std::string reason_of(const std::exception& error) {
  const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
  const std::string text = torch_error ? torch_error->what_without_backtrace() : error.what();
  return text.substr(0, std::min<std::size_t>(text.find('\n'), 300));
}

}  // namespace ovf
