#pragma once

// The only header of ours with LibTorch in it: each source that includes it takes half a minute.
#include <torch/script.h>

#include <string>

#include "vision/torch/network_script.hpp"

namespace ovf {

/// A graphics card if there is one.
torch::Device torch_device();

/// The network with parameters that are parts of the flat `parameters`, from `offset` on, which is
/// moved to their end; their gradients gather in the same places of `gradients`.
torch::jit::Module make_module(const NetworkScript& script, const torch::Tensor& parameters,
                               const torch::Tensor& gradients, std::int64_t& offset);

/// The bytes of the file of the network with these parameters.
std::string stored_module(const NetworkScript& script, const torch::Tensor& parameters,
                          std::int64_t& offset);

/// What LibTorch says, without the C++ stack.
std::string first_line(const std::exception& error);

}  // namespace ovf
