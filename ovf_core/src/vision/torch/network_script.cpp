#include "vision/torch/network_script.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace ovf {

std::int64_t count_of(const NetworkWeight& weight) {
  std::int64_t count = 1;
  for (const std::int64_t side : weight.shape) count *= side;
  return count;
}

NetworkWriter::NetworkWriter(std::string class_name) {
  network_.class_name = std::move(class_name);
}

void NetworkWriter::layer(const char* call, std::vector<std::int64_t> shape, int outputs,
                          int fan_in, bool is_picture) {
  const auto number = network_.weights.size() / 2;
  const std::string w = fmt::format("weight{}", number);
  const std::string b = fmt::format("bias{}", number);
  const double bound = 1.0 / std::sqrt(fan_in);
  network_.weights.push_back({w, std::move(shape), bound});
  network_.weights.push_back({b, {outputs}, bound});
  const auto apply = [&](const char* x, const std::string& bias) {
    return fmt::format(fmt::runtime(call), fmt::arg("x", x), fmt::arg("w", "self." + w),
                       fmt::arg("b", bias));
  };
  forward_ += fmt::format("    x = {}\n", apply("x", "self." + b));
  if (is_linear_) {
    jacobian_ += fmt::format("    x = {}\n", apply("x", "self." + b));
    // The tangents of the latent numbers are unit vectors, which the first layer spares itself.
    const std::string tangents =
        number == 0 ? fmt::format("self.{}.t()", w) : apply("t", "None");
    jacobian_ += fmt::format("    t = {}\n", tangents);
  } else {
    jacobian_ += fmt::format("    x = {}\n", apply("x", "None"));
    jacobian_ += fmt::format("    x.select(0, 0).add_(self.{}{})\n", b,
                             is_picture ? ".view([-1, 1, 1])" : "");
  }
}

void NetworkWriter::linear(int inputs, int outputs) {
  layer("torch.linear({x}, {w}, {b})", {outputs, inputs}, outputs, inputs, false);
}

void NetworkWriter::conv(int inputs, int outputs, int side) {
  const char* call = side == 1 ? "torch.conv2d({x}, {w}, {b})"
                               : "torch.conv2d({x}, {w}, {b}, [1, 1], [1, 1])";
  layer(call, {outputs, inputs, side, side}, outputs, inputs * side * side, true);
}

void NetworkWriter::strided_conv(int inputs, int outputs) {
  layer("torch.conv2d({x}, {w}, {b}, [2, 2], [1, 1])", {outputs, inputs, 4, 4}, outputs,
        inputs * 16, true);
}

void NetworkWriter::transposed_conv(int inputs, int outputs) {
  // PyTorch takes the second size for the inputs here, too.
  layer("torch.conv_transpose2d({x}, {w}, {b}, [2, 2], [1, 1])", {inputs, outputs, 4, 4}, outputs,
        outputs * 16, true);
}

void NetworkWriter::relu() {
  forward_ += "    x = torch.relu(x)\n";
  if (is_linear_) jacobian_ += "    x = torch.cat([x, t])\n";
  is_linear_ = false;
  jacobian_ += "    x.mul_((x.select(0, 0) > 0).type_as(x))\n";
}

void NetworkWriter::reshape(const std::string& shape) {
  forward_ += fmt::format("    x = x.reshape({})\n", shape);
  jacobian_ += fmt::format("    x = x.reshape({})\n", shape);
  if (is_linear_) jacobian_ += fmt::format("    t = t.reshape({})\n", shape);
}

void NetworkWriter::view(int channels, int height, int width) {
  reshape(fmt::format("[-1, {}, {}, {}]", channels, height, width));
}

void NetworkWriter::flatten() {
  forward_ += "    x = x.flatten(1)\n";
  jacobian_ += "    x = x.flatten(1)\n";
  if (is_linear_) jacobian_ += "    t = t.flatten(1)\n";
}

void NetworkWriter::open_residual() {
  forward_ += "    before = x\n";
  jacobian_ += "    before = x\n";
}

void NetworkWriter::close_residual() {
  forward_ += "    x = before + x\n";
  jacobian_ += "    x = x.add_(before)\n";
}

NetworkScript NetworkWriter::script(bool with_jacobian) const {
  NetworkScript out = network_;
  out.code = "def forward(self, x: Tensor) -> Tensor:\n" + forward_ + "    return x\n";
  if (with_jacobian) {
    out.code += fmt::format("\ndef {}(self, x: Tensor) -> Tensor:\n", kJacobianFunction) +
                jacobian_ + "    return x\n";
  }
  return out;
}

}  // namespace ovf
