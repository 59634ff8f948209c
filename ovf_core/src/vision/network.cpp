#include "vision/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ovf {

std::int64_t count_of(const NetworkTensor& tensor) {
  std::int64_t count = 1;
  for (const std::int64_t side : tensor.shape) count *= side;
  return count;
}

std::int64_t Network::parameter_count() const {
  std::int64_t count = 0;
  for (const NetworkTensor& tensor : tensors) count += count_of(tensor);
  return count;
}

NetworkBuilder::NetworkBuilder(int channels, int height, int width)
    : channels_(channels), height_(height), width_(width) {}

void NetworkBuilder::set_output(std::int64_t channels, std::int64_t height, std::int64_t width) {
  channels_ = channels;
  height_ = height;
  width_ = width;
  network_.largest_output = std::max(network_.largest_output, channels * height * width);
}

void NetworkBuilder::add(LayerKind kind, std::vector<std::int64_t> shape, std::int64_t fan_in,
                         int stride, int padding) {
  const auto number = network_.tensors.size() / 2;
  const std::int64_t outputs = kind == LayerKind::kTransposedConv ? shape[1] : shape[0];
  const double bound = 1.0 / std::sqrt(static_cast<double>(fan_in));
  network_.tensors.push_back({fmt::format("weight{}", number), std::move(shape), bound});
  network_.tensors.push_back({fmt::format("bias{}", number), {outputs}, bound});
  network_.layers.push_back({.kind = kind, .stride = stride, .padding = padding});
}

void NetworkBuilder::linear(int outputs) {
  add(LayerKind::kLinear, {outputs, channels_}, channels_, 1, 0);
  set_output(outputs, 1, 1);
}

void NetworkBuilder::conv(int outputs, int side) {
  add(LayerKind::kConv, {outputs, channels_, side, side}, channels_ * side * side, 1, side / 2);
  set_output(outputs, height_, width_);
}

void NetworkBuilder::strided_conv(int outputs) {
  add(LayerKind::kConv, {outputs, channels_, 4, 4}, channels_ * 16, 2, 1);
  set_output(outputs, height_ / 2, width_ / 2);
}

void NetworkBuilder::transposed_conv(int outputs) {
  // PyTorch takes the second size for the inputs here, too.
  add(LayerKind::kTransposedConv, {channels_, outputs, 4, 4}, std::int64_t{16} * outputs, 2, 1);
  set_output(outputs, 2 * height_, 2 * width_);
}

void NetworkBuilder::relu() { network_.layers.push_back({.kind = LayerKind::kRelu}); }

void NetworkBuilder::view(int channels, int height, int width) {
  network_.layers.push_back({.kind = LayerKind::kView, .view = {channels, height, width}});
  set_output(channels, height, width);
}

void NetworkBuilder::flatten() {
  network_.layers.push_back({.kind = LayerKind::kFlatten});
  set_output(channels_ * height_ * width_, 1, 1);
}

void NetworkBuilder::open_residual() {
  network_.layers.push_back({.kind = LayerKind::kOpenResidual});
}

void NetworkBuilder::close_residual() {
  network_.layers.push_back({.kind = LayerKind::kCloseResidual});
}

}  // namespace ovf
