#include "vision/torch/torch_module.hpp"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <torch/cuda.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "vision/torch/torch_threads.hpp"

namespace ovf {

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

namespace {

/// The part of the flat `tensor` that belongs to the weight.
torch::Tensor part_of(const torch::Tensor& tensor, const NetworkWeight& weight,
                      std::int64_t offset) {
  return tensor.narrow(0, offset, count_of(weight)).view(weight.shape);
}

}  // namespace

torch::jit::Module make_module(const NetworkScript& script, const torch::Tensor& parameters,
                               const torch::Tensor& gradients, std::int64_t& offset) {
  torch::jit::Module module(script.class_name);
  for (const NetworkWeight& weight : script.weights) {
    torch::Tensor part = part_of(parameters, weight, offset).detach();
    part.requires_grad_(true);
    part.mutable_grad() = part_of(gradients, weight, offset);
    module.register_parameter(weight.name, part, false);
    offset += count_of(weight);
  }
  module.define(script.code);
  return module;
}

std::string stored_module(const NetworkScript& script, const torch::Tensor& parameters,
                          std::int64_t& offset) {
  torch::jit::Module module(script.class_name);
  for (const NetworkWeight& weight : script.weights) {
    // Copied, as a part of a tensor would be stored with all of it.
    const torch::Tensor part = part_of(parameters, weight, offset).detach().to(torch::kCPU).clone();
    module.register_parameter(weight.name, part, false);
    offset += count_of(weight);
  }
  module.define(script.code);
  std::ostringstream stream;
  module.save(stream);
  return stream.str();
}

std::string first_line(const std::exception& error) {
  const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
  const std::string text = torch_error ? torch_error->what_without_backtrace() : error.what();
  const auto start = text.find_first_not_of(" \n");
  if (start == std::string::npos) return "no reason given";
  return text.substr(start, std::min<std::size_t>(text.find('\n', start) - start, 300));
}

}  // namespace ovf
