#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ovf {

/// A tensor of parameters. It starts uniform in +-bound, as layers of PyTorch do.
struct NetworkWeight {
  std::string name = {};
  std::vector<std::int64_t> shape = {};
  double bound = 0.0;
};

std::int64_t count_of(const NetworkWeight& weight);

/// A network as TorchScript, and the parameters that it mentions.
struct NetworkScript {
  std::string class_name = {};
  std::vector<NetworkWeight> weights = {};
  std::string code = {};
};

/// The function of a decoder that computes pixels and their derivative in one go:
/// (1, latent_dim) to (1 + latent_dim, 3, height, width), the pixels and then the derivative along
/// each latent number.
inline constexpr const char* kJacobianFunction = "forward_and_jacobian";

/// Writes a network layer by layer, once as forward, once with the tangents that belong to it: a
/// layer's tangents are its linear part applied to those before, and relu lets those through whose
/// value is positive. Values and tangents are a batch of one pass.
class NetworkWriter {
 public:
  explicit NetworkWriter(std::string class_name);

  void linear(int inputs, int outputs);
  /// Keeps the size of the picture.
  void conv(int inputs, int outputs, int side);
  /// 4 x 4, to half the size.
  void strided_conv(int inputs, int outputs);
  /// 4 x 4, to double the size.
  void transposed_conv(int inputs, int outputs);
  void relu();
  void view(int channels, int height, int width);
  void flatten();
  /// What comes until close_residual is added to what was before.
  void open_residual();
  void close_residual();

  NetworkScript script(bool with_jacobian) const;

 private:
  /// `call` with {x} for the input, {w} and {b} for weights and biases.
  void layer(const char* call, std::vector<std::int64_t> shape, int outputs, int fan_in,
             bool is_picture);
  void reshape(const std::string& shape);

  NetworkScript network_;
  std::string forward_;
  std::string jacobian_;
  /// Up to the first relu the tangents are constant, and apart from the value.
  bool is_linear_ = true;
};

}  // namespace ovf
