#include "ovf/model/neural_mean.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

#include "ovf/math/random.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kStream = 12;

void check(const NeuralMean::Spec& spec) {
  const auto require = [](bool ok, const char* name, double value, const char* expected) {
    if (ok) return;
    throw std::invalid_argument(
        fmt::format("neural transition: {} is {}; expected {}", name, value, expected));
  };
  require(spec.state_dim >= 1, "state_dim", spec.state_dim, "one or more states");
  require(spec.control_dim >= 0, "control_dim", spec.control_dim, "0 or more controls");
  require(spec.hidden >= 1, "hidden", spec.hidden, "one or more units");
  require(spec.blocks >= 1, "blocks", spec.blocks, "one or more blocks");
  require(std::isfinite(spec.scale), "scale", spec.scale, "a finite number");
}

double normal_density(double z) {
  return std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
}

double normal_probability(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

// E[relu(v)] and E[relu'(v)] for v ~ N(mean, deviation^2).
void expect_relu(double mean, double deviation, double& value, double& slope) {
  const double z = mean / deviation;
  if (!std::isfinite(z)) {  // no spread to speak of
    slope = mean > 0.0 ? 1.0 : 0.0;
    value = slope * mean;
    return;
  }
  slope = normal_probability(z);
  value = mean * slope + deviation * normal_density(z);
}

// The sum over columns of left right'. A general product would take longer to set up than a few
// columns take to multiply.
template <typename Left, typename Right>
void sum_of_products(const Left& left, const Right& right, Eigen::Map<Eigen::MatrixXd> out) {
  constexpr Eigen::Index kFew = 4;
  if (left.cols() > kFew) {
    out.noalias() = left * right.transpose();
    return;
  }
  out.noalias() = left.col(0) * right.col(0).transpose();
  for (Eigen::Index n = 1; n < left.cols(); ++n) {
    out.noalias() += left.col(n) * right.col(n).transpose();
  }
}

}  // namespace

NeuralMean::Layout NeuralMean::layout_of(const Spec& spec) {
  check(spec);
  const Eigen::Index d = spec.state_dim, u = spec.control_dim, h = spec.hidden;
  Layout layout{};
  layout.W1_control = layout.W1 + h * d;
  layout.W1_products = layout.W1_control + h * u;
  layout.b1 = layout.W1_products + (spec.control_products ? h * d * u : 0);
  layout.W2 = layout.b1 + h;
  layout.b2 = layout.W2 + d * h;
  layout.s = layout.b2 + d;
  layout.size = layout.s + 1;
  return layout;
}

NeuralMean::NeuralMean(const Spec& spec)
    : spec_(spec),
      layout_(layout_of(spec)),
      activities_(static_cast<std::size_t>(spec.blocks)),
      first_(static_cast<std::size_t>(spec.blocks)),
      units_(spec.hidden),
      active_(spec.hidden) {
  RandomStream random(spec.seed, kStream);
  const int inputs = spec.state_dim + spec.control_dim;
  for (int k = 0; k < spec.blocks; ++k) {
    const auto add_layer = [&](int layer, int rows, int cols, int zeros) {
      const double bound = 1.0 / std::sqrt(static_cast<double>(cols));
      const auto draw = [&] { return bound * (2.0 * random.uniform() - 1.0); };
      for (int j = 0; j < cols + zeros; ++j) {
        for (int i = 0; i < rows; ++i) {
          parameters_.add({.name = fmt::format("block{}.W{}[{},{}]", k, layer, i, j)},
                          j < cols ? draw() : 0.0);
        }
      }
      for (int i = 0; i < rows; ++i) {
        parameters_.add({.name = fmt::format("block{}.b{}[{}]", k, layer, i)}, draw());
      }
    };
    add_layer(1, spec.hidden, inputs, products() * spec.state_dim);
    add_layer(2, spec.state_dim, spec.hidden, 0);
    parameters_.add({.name = fmt::format("block{}.s", k)}, spec.scale);
  }
}

void NeuralMean::set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) {
  parameters_.set_values(values);
}

void NeuralMean::assign_first_layer(int k, const StepInput& input) const {
  Eigen::MatrixXd& weights = first_[static_cast<std::size_t>(k)];
  weights = Weights(block(k) + layout_.W1, spec_.hidden, spec_.state_dim);
  bias_ = Bias(block(k) + layout_.b1, spec_.hidden);
  if (!controlled(input)) return;
  if (input.control.size() != spec_.control_dim) {
    throw std::invalid_argument(
        fmt::format("neural transition: a control of {} numbers came; expected {}, or none",
                    input.control.size(), spec_.control_dim));
  }
  bias_.noalias() +=
      Weights(block(k) + layout_.W1_control, spec_.hidden, spec_.control_dim) * input.control;
  for (int j = 0; j < products(); ++j) {
    weights += input.control[j] * Weights(block(k) + layout_.W1_products + j * weights.size(),
                                          spec_.hidden, spec_.state_dim);
  }
}

const Eigen::MatrixXd& NeuralMean::forward(const StepInput& input, const Eigen::MatrixXd& x) const {
  output_ = x;
  for (int k = 0; k < spec_.blocks; ++k) {
    auto& [from, hidden, branch] = activities_[static_cast<std::size_t>(k)];
    assign_first_layer(k, input);
    from.swap(output_);
    hidden.noalias() = w1(k) * from;
    hidden = (hidden.colwise() + bias_).cwiseMax(0.0);
    branch.noalias() = w2(k) * hidden;
    branch.colwise() += b2(k);
    output_ = from + s(k) * branch;
  }
  return output_;
}

void NeuralMean::backward(int k) const {
  const Activity& activity = activities_[static_cast<std::size_t>(k)];
  by_branch_ = s(k) * delta_;
  by_hidden_.noalias() = w2(k).transpose() * by_branch_;
  by_hidden_.array() *= (activity.hidden.array() > 0.0).cast<double>();
  delta_.noalias() += w1(k).transpose() * by_hidden_;
}

void NeuralMean::values(const StepInput& input, const Eigen::MatrixXd& x,
                        Eigen::MatrixXd& out) const {
  out = forward(input, x);
}

void NeuralMean::pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                           const Eigen::MatrixXd& cotangent, Eigen::MatrixXd& out) const {
  forward(input, x);
  delta_ = cotangent;
  for (int k = spec_.blocks; k-- > 0;) backward(k);
  out = delta_;
}

void NeuralMean::grouped_parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                                             const Eigen::MatrixXd& cotangent,
                                             Eigen::Ref<Eigen::MatrixXd> out) const {
  forward(input, x);
  delta_ = cotangent;
  const Eigen::Index d = spec_.state_dim, u = spec_.control_dim, h = spec_.hidden;
  const Eigen::Index size = x.cols() / out.cols();
  for (int k = spec_.blocks; k-- > 0;) {
    const Activity& activity = activities_[static_cast<std::size_t>(k)];
    by_scale_ = delta_.cwiseProduct(activity.branch).colwise().sum();
    backward(k);
    for (Eigen::Index g = 0; g < out.cols(); ++g) {
      double* part = &out.coeffRef(k * layout_.size, g);
      const auto by_hidden = by_hidden_.middleCols(g * size, size);
      const auto by_branch = by_branch_.middleCols(g * size, size);
      Eigen::Map<Eigen::VectorXd> by_b1(part + layout_.b1, h);
      by_b1 = by_hidden.rowwise().sum();
      Eigen::Map<Eigen::VectorXd>(part + layout_.b2, d) = by_branch.rowwise().sum();
      part[layout_.s] = by_scale_.segment(g * size, size).sum();
      const Eigen::Map<Eigen::MatrixXd> by_W1(part + layout_.W1, h, d);
      sum_of_products(by_hidden, activity.input.middleCols(g * size, size), by_W1);
      sum_of_products(by_branch, activity.hidden.middleCols(g * size, size),
                      Eigen::Map<Eigen::MatrixXd>(part + layout_.W2, d, h));
      Eigen::Map<Eigen::MatrixXd> by_control(part + layout_.W1_control, h, u);
      if (controlled(input)) {
        by_control.noalias() = by_b1 * input.control.transpose();
      } else {
        by_control.setZero();
      }
      for (int j = 0; j < products(); ++j) {
        const double factor = controlled(input) ? input.control[j] : 0.0;
        Eigen::Map<Eigen::MatrixXd>(part + layout_.W1_products + j * h * d, h, d) = factor * by_W1;
      }
    }
  }
}

void NeuralMean::jacobian(const StepInput& input, const Eigen::VectorXd& x,
                          Eigen::MatrixXd& out) const {
  point_ = x;
  out.setIdentity(spec_.state_dim, spec_.state_dim);
  for (int k = 0; k < spec_.blocks; ++k) {
    assign_first_layer(k, input);
    units_ = bias_;
    units_.noalias() += w1(k) * point_;
    active_ = s(k) * (units_.array() > 0.0).cast<double>();
    units_ = units_.cwiseMax(0.0);
    point_ += s(k) * b2(k);
    point_.noalias() += s(k) * w2(k) * units_;
    hidden_slope_.noalias() = w1(k) * out;
    hidden_slope_.array().colwise() *= active_.array();
    out.noalias() += w2(k) * hidden_slope_;
  }
}

void NeuralMean::expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                             Eigen::MatrixXd& slope) const {
  value = x.mean;
  slope.setIdentity(spec_.state_dim, spec_.state_dim);
  spread_ = x.factor.lower();  // always slope * lower
  for (int k = 0; k < spec_.blocks; ++k) {
    assign_first_layer(k, input);
    units_ = bias_;
    units_.noalias() += w1(k) * value;
    hidden_spread_.noalias() = w1(k) * spread_;
    for (Eigen::Index i = 0; i < units_.size(); ++i) {
      expect_relu(units_[i], hidden_spread_.row(i).norm(), units_[i], active_[i]);
    }
    value += s(k) * b2(k);
    value.noalias() += s(k) * w2(k) * units_;
    active_ *= s(k);
    hidden_spread_.array().colwise() *= active_.array();
    spread_.noalias() += w2(k) * hidden_spread_;
    hidden_slope_.noalias() = w1(k) * slope;
    hidden_slope_.array().colwise() *= active_.array();
    slope.noalias() += w2(k) * hidden_slope_;
  }
}

}  // namespace ovf
