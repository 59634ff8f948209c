#pragma once

// The only header of ours with LibTorch in it, and with its tensors and derivatives alone: nothing
// that loads a program or a stored object is included anywhere.
#include <torch/types.h>

#include <string>
#include <vector>

#include "vision/network.hpp"

namespace ovf {

/// A graphics card if there is one.
torch::Device torch_device();

/// A Network with its parameters.
class TorchNetwork {
 public:
  TorchNetwork() = default;
  /// The parameters are parts of the flat `parameters`. With `gradients`, they can be trained, and
  /// what is found gathers in the same places of it.
  explicit TorchNetwork(Network network, const torch::Tensor& parameters,
                        const torch::Tensor& gradients = {});

  torch::Tensor forward(torch::Tensor x) const;

  /// Of one row (1, n), and of networks that begin with a linear layer and have a relu: the output
  /// and then its derivative along each of the n numbers, (1 + n, ...). Values and tangents are a
  /// batch of one pass: a layer's tangents are its linear part applied to those before, and relu
  /// lets those through whose value is positive.
  torch::Tensor forward_and_jacobian(torch::Tensor x) const;

 private:
  /// Of the layer whose weights are tensors_[at]; without its biases if `bias` is undefined.
  torch::Tensor apply(const NetworkLayer& layer, const torch::Tensor& x, std::size_t at,
                      const torch::Tensor& bias) const;

  Network network_;
  std::vector<torch::Tensor> tensors_;
};

/// What LibTorch says, without stacks and code.
std::string reason_of(const std::exception& error);

}  // namespace ovf
