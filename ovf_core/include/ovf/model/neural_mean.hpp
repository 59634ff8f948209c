#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "ovf/model/mean_function.hpp"

namespace ovf {

/// The residual network of Section 5.3: blocks
///     x <- x + s (W2 relu(W1 (x, u) + b1) + b2),
/// each with weights and a scale s of its own, all of them learned. The control u, if there is one,
/// is a further input of every block, and with `control_products` so is each of its numbers times
/// x: then a control does not only push, it turns and stretches.
class NeuralMean final : public MeanFunction {
 public:
  /// The paper's network by default: 8452 parameters.
  struct Spec {
    int state_dim = 32;
    int control_dim = 0;
    bool control_products = false;
    int hidden = 32;
    int blocks = 4;
    /// First value of each s.
    double scale = 0.1;
    /// Weights and biases start uniform in +-1/sqrt(fan in), those of products at zero.
    std::uint64_t seed = 1;
  };

  /// Throws std::invalid_argument naming the size or scale that is out of range.
  explicit NeuralMean(const Spec& spec);

  const Spec& spec() const { return spec_; }
  int input_dim() const override { return spec_.state_dim; }
  int output_dim() const override { return spec_.state_dim; }
  /// Block by block "block<k>." and "W1[i,j]" (column by column, those of u and of its products
  /// last), "b1[i]", "W2[i,j]", "b2[i]", "s".
  const ParameterVector& parameters() const override { return parameters_; }
  void set_parameters(const Eigen::Ref<const Eigen::VectorXd>& values) override;

  /// An empty control stands for zeros. This and all below throw std::invalid_argument on a control
  /// of another size.
  void values(const StepInput& input, const Eigen::MatrixXd& x,
              Eigen::MatrixXd& out) const override;
  void jacobian(const StepInput& input, const Eigen::VectorXd& x,
                Eigen::MatrixXd& out) const override;
  void pull_back(const StepInput& input, const Eigen::MatrixXd& x, const Eigen::MatrixXd& cotangent,
                 Eigen::MatrixXd& out) const override;
  void parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                           const Eigen::MatrixXd& cotangent,
                           Eigen::Ref<Eigen::MatrixXd> out) const override {
    grouped_parameter_pull_back(input, x, cotangent, out);
  }
  void grouped_parameter_pull_back(const StepInput& input, const Eigen::MatrixXd& x,
                                   const Eigen::MatrixXd& cotangent,
                                   Eigen::Ref<Eigen::MatrixXd> out) const override;
  /// relu acts on each unit alone, so that one block's expectation has a closed form. A next block
  /// sees the Gaussian that the expected line makes of x.
  void expectation(const StepInput& input, const Gaussian& x, Eigen::VectorXd& value,
                   Eigen::MatrixXd& slope) const override;

 private:
  using Weights = Eigen::Map<const Eigen::MatrixXd>;
  using Bias = Eigen::Map<const Eigen::VectorXd>;

  /// Where a block's parameters begin in its part of theta.
  struct Layout {
    Eigen::Index W1, W1_control, W1_products, b1, W2, b2, s, size;
  };
  static Layout layout_of(const Spec& spec);
  const double* block(int k) const { return parameters_.values().data() + k * layout_.size; }
  /// Of the states; after assign_first_layer.
  const Eigen::MatrixXd& w1(int k) const { return first_[static_cast<std::size_t>(k)]; }
  Weights w2(int k) const { return {block(k) + layout_.W2, spec_.state_dim, spec_.hidden}; }
  Bias b2(int k) const { return {block(k) + layout_.b2, spec_.state_dim}; }
  double s(int k) const { return block(k)[layout_.s]; }

  bool controlled(const StepInput& input) const {
    return spec_.control_dim > 0 && input.control.size() > 0;
  }
  int products() const { return spec_.control_products ? spec_.control_dim : 0; }
  /// With a given control the first layer is one of the states alone: bias_ is b1 and what the
  /// control adds to it, w1(k) has what its products add.
  void assign_first_layer(int k, const StepInput& input) const;
  /// Fills activities_ for a batch and returns the last block's output.
  const Eigen::MatrixXd& forward(const StepInput& input, const Eigen::MatrixXd& x) const;
  /// After forward: from delta_, the cotangent of a block's output, those of its inner units
  /// (by_branch_, by_hidden_) and of its input (delta_ again).
  void backward(int k) const;

  Spec spec_;
  Layout layout_;
  ParameterVector parameters_;

  /// Of one block, a column for each sample.
  struct Activity {
    Eigen::MatrixXd input;
    Eigen::MatrixXd hidden;  // after relu
    Eigen::MatrixXd branch;  // W2 hidden + b2
  };
  mutable std::vector<Activity> activities_;
  mutable std::vector<Eigen::MatrixXd> first_;
  mutable Eigen::MatrixXd output_;
  mutable Eigen::VectorXd bias_;
  mutable Eigen::MatrixXd delta_, by_branch_, by_hidden_;
  mutable Eigen::RowVectorXd by_scale_;
  // Scratch of jacobian and expectation.
  mutable Eigen::MatrixXd spread_, hidden_spread_, hidden_slope_;
  mutable Eigen::VectorXd point_, units_, active_;
};

}  // namespace ovf
