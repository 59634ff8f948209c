#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ovf {

/// A tensor of parameters. It starts uniform in +-bound, as layers of PyTorch do.
struct NetworkTensor {
  std::string name = {};
  std::vector<std::int64_t> shape = {};
  double bound = 0.0;
};

std::int64_t count_of(const NetworkTensor& tensor);

enum class LayerKind {
  kLinear,
  kConv,
  kTransposedConv,
  kRelu,
  kView,
  kFlatten,
  /// What comes until kCloseResidual is added to what was before.
  kOpenResidual,
  kCloseResidual
};

/// Layers with parameters have two tensors each: weights, then biases.
struct NetworkLayer {
  LayerKind kind = LayerKind::kRelu;
  int stride = 1;
  int padding = 0;
  /// Channels, height and width that kView makes of a row.
  std::vector<std::int64_t> view = {};
};

/// A feed-forward network as data: what its layers are, and the tensors that they need, in order.
struct Network {
  std::vector<NetworkLayer> layers = {};
  std::vector<NetworkTensor> tensors = {};
  /// Numbers in the largest output of a layer, for one example.
  std::int64_t largest_output = 0;

  /// Of all tensors together.
  std::int64_t parameter_count() const;
};

/// Writes a network layer by layer, and keeps count of the sizes between them.
class NetworkBuilder {
 public:
  /// The input: a row of numbers, or a picture.
  NetworkBuilder(int channels, int height, int width);

  void linear(int outputs);
  /// Keeps the size of the picture.
  void conv(int outputs, int side);
  /// 4 x 4, to half the size.
  void strided_conv(int outputs);
  /// 4 x 4, to double the size.
  void transposed_conv(int outputs);
  void relu();
  void view(int channels, int height, int width);
  void flatten();
  void open_residual();
  void close_residual();

  const Network& network() const { return network_; }

 private:
  void add(LayerKind kind, std::vector<std::int64_t> shape, std::int64_t fan_in, int stride,
           int padding);
  void set_output(std::int64_t channels, std::int64_t height, std::int64_t width);

  Network network_;
  std::int64_t channels_;
  std::int64_t height_;
  std::int64_t width_;
};

}  // namespace ovf
