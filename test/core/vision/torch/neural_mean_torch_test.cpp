#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "ovf/math/random.hpp"
#include "ovf/model/neural_mean.hpp"

namespace ovf {
namespace {

using torch::Tensor;

// Both count in doubles; sums are in another order.
constexpr double kTolerance = 1e-11;

constexpr int kSamples = 5;

Tensor rows_of(const Eigen::MatrixXd& columns) {
  return torch::from_blob(const_cast<double*>(columns.data()), {columns.cols(), columns.rows()},
                          torch::kFloat64)
      .clone();
}

Eigen::MatrixXd columns_of(const Tensor& rows) {
  const Tensor plain = rows.detach().contiguous();
  return Eigen::Map<const Eigen::MatrixXd>(plain.data_ptr<double>(), plain.size(-1),
                                           plain.numel() / plain.size(-1));
}

/// The network as NeuralMean describes it, of theta: (samples, state) to (samples, state).
Tensor network(const NeuralMean::Spec& spec, const Tensor& theta, const Eigen::VectorXd& control,
               Tensor x) {
  std::int64_t at = 0;
  const auto take = [&](std::int64_t rows, std::int64_t cols) {
    const Tensor part = theta.narrow(0, at, rows * cols).view({cols, rows}).t();
    at += rows * cols;
    return part;
  };
  const Tensor u = rows_of(control).expand({x.size(0), spec.control_dim});
  for (int k = 0; k < spec.blocks; ++k) {
    const Tensor W1 = take(spec.hidden, spec.state_dim + spec.control_dim);
    const Tensor b1 = take(spec.hidden, 1).t();
    const Tensor W2 = take(spec.state_dim, spec.hidden);
    const Tensor b2 = take(spec.state_dim, 1).t();
    const Tensor s = take(1, 1);
    x = x + s * (torch::relu(torch::cat({x, u}, 1).matmul(W1.t()) + b1).matmul(W2.t()) + b2);
  }
  return x;
}

class NeuralMeanOfEach : public testing::TestWithParam<int> {
 protected:
  NeuralMean::Spec spec_ = {
      .state_dim = 6, .control_dim = GetParam(), .hidden = 7, .blocks = 3, .scale = 0.7, .seed = 4};
  NeuralMean mean_{spec_};
  Eigen::MatrixXd x_ = Eigen::MatrixXd(6, kSamples);
  Eigen::MatrixXd cotangent_ = Eigen::MatrixXd(6, kSamples);
  StepInput input_;
  Tensor theta_ = rows_of(mean_.parameters().values()).view({-1}).requires_grad_(true);
  Tensor rows_;
  Tensor out_;

  NeuralMeanOfEach() {
    RandomStream random(9);
    random.fill_normal(x_);
    random.fill_normal(cotangent_);
    Eigen::MatrixXd control(GetParam(), 1);
    random.fill_normal(control);
    input_.control = control;
    rows_ = rows_of(x_).requires_grad_(true);
    out_ = network(spec_, theta_, input_.control, rows_);
  }
};

INSTANTIATE_TEST_SUITE_P(Controls, NeuralMeanOfEach, testing::Values(0, 2));

TEST_P(NeuralMeanOfEach, ValuesAgreeWithLibTorch) {
  Eigen::MatrixXd values;
  mean_.values(input_, x_, values);
  EXPECT_LT((values - columns_of(out_)).cwiseAbs().maxCoeff(), kTolerance);
}

TEST_P(NeuralMeanOfEach, PullBackAgreesWithLibTorch) {
  Eigen::MatrixXd ours;
  mean_.pull_back(input_, x_, cotangent_, ours);
  const auto theirs = torch::autograd::grad({out_}, {rows_}, {rows_of(cotangent_)});
  EXPECT_LT((ours - columns_of(theirs.front())).cwiseAbs().maxCoeff(), kTolerance);
}

TEST_P(NeuralMeanOfEach, JacobianAgreesWithLibTorch) {
  Eigen::MatrixXd ours;
  mean_.jacobian(input_, x_.col(0), ours);
  for (int k = 0; k < 6; ++k) {
    const auto row = torch::autograd::grad({out_.select(0, 0).select(0, k)}, {rows_}, {}, true);
    EXPECT_LT((ours.row(k).transpose() - columns_of(row.front()).col(0)).cwiseAbs().maxCoeff(),
              kTolerance);
  }
}

TEST_P(NeuralMeanOfEach, ParameterGradientsAgreeWithLibTorch) {
  Eigen::MatrixXd ours(mean_.parameters().size(), kSamples);
  mean_.parameter_pull_back(input_, x_, cotangent_, ours);
  for (int k = 0; k < kSamples; ++k) {
    const auto theirs = torch::autograd::grad({out_.select(0, k)}, {theta_},
                                              {rows_of(cotangent_.col(k)).view({-1})}, true);
    EXPECT_LT((ours.col(k) - columns_of(theirs.front())).cwiseAbs().maxCoeff(), kTolerance);
  }
}

}  // namespace
}  // namespace ovf
