#include "ovf/math/gru_network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kInputs = 3;
constexpr int kUnits = 4;
constexpr std::size_t kSteps = 5;
// Central differences of a sum of order 1.
constexpr double kDifferences = 1e-8;

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// One step, number by number, from the flat vector: W, R, b and c.
Eigen::VectorXd written_out(const Eigen::VectorXd& parameters, const Eigen::VectorXd& v,
                            const Eigen::VectorXd& h) {
  const auto W = [&](int row, int col) { return parameters[col * 3 * kUnits + row]; };
  const auto R = [&](int row, int col) { return parameters[(kInputs + col) * 3 * kUnits + row]; };
  const Eigen::Index biases = 3 * kUnits * (kInputs + kUnits);
  const auto from_input = [&](int row) {
    double sum = parameters[biases + row];
    for (int j = 0; j < kInputs; ++j) sum += W(row, j) * v[j];
    return sum;
  };
  const auto from_state = [&](int row) {
    double sum = 0.0;
    for (int j = 0; j < kUnits; ++j) sum += R(row, j) * h[j];
    return sum;
  };
  Eigen::VectorXd after(kUnits);
  for (int i = 0; i < kUnits; ++i) {
    const double r = sigmoid(from_input(i) + from_state(i));
    const double z = sigmoid(from_input(kUnits + i) + from_state(kUnits + i));
    const double c = parameters[biases + 3 * kUnits + i];
    const double n = std::tanh(from_input(2 * kUnits + i) + r * (from_state(2 * kUnits + i) + c));
    after[i] = (1.0 - z) * n + z * h[i];
  }
  return after;
}

class Gru : public testing::Test {
 protected:
  /// The state after all steps.
  Eigen::VectorXd roll_out(const Eigen::VectorXd& parameters, GruWorkspace& workspace) const {
    const Eigen::VectorXd* state = &start_;
    for (std::size_t k = 0; k < kSteps; ++k) {
      state = &forward_step(network_, parameters, k, observed_[k], *state, workspace);
    }
    return *state;
  }

  GruNetwork network_{kInputs, kUnits};
  RandomInputs inputs_{141};
  Eigen::VectorXd parameters_ = inputs_.vector(static_cast<int>(network_.parameter_count()));
  Eigen::VectorXd start_ = inputs_.vector(kUnits);
  Eigen::VectorXd cotangent_ = inputs_.vector(kUnits);
  std::vector<Eigen::VectorXd> observed_ = [this] {
    std::vector<Eigen::VectorXd> all;
    for (std::size_t k = 0; k < kSteps; ++k) all.push_back(inputs_.vector(kInputs));
    return all;
  }();
};

TEST_F(Gru, IsItsFormula) {
  ASSERT_EQ(network_.parameter_count(), 3 * kUnits * (kInputs + kUnits + 1) + kUnits);
  GruWorkspace workspace;
  Eigen::VectorXd state = start_;
  for (std::size_t k = 0; k < kSteps; ++k) {
    const Eigen::VectorXd expected = written_out(parameters_, observed_[k], state);
    state = forward_step(network_, parameters_, k, observed_[k], state, workspace);
    EXPECT_TRUE(all_close(state, expected, 1e-14)) << "step " << k;
  }
}

// A state that is handed on without a copy lives in a list that grows.
TEST_F(Gru, TakesAStateOfItsOwnWorkspace) {
  GruWorkspace workspace;
  const Eigen::VectorXd end = roll_out(parameters_, workspace);
  Eigen::VectorXd expected = start_;
  for (const Eigen::VectorXd& v : observed_) expected = written_out(parameters_, v, expected);
  EXPECT_TRUE(all_close(end, expected, 1e-14));
}

TEST_F(Gru, HasTheNumericalGradientThroughAllSteps) {
  GruWorkspace workspace;
  roll_out(parameters_, workspace);
  Eigen::VectorXd gradient = inputs_.vector(static_cast<int>(parameters_.size()));
  backward(network_, parameters_, kSteps, cotangent_, workspace, gradient);
  const auto objective = [&](const Eigen::VectorXd& moved) {
    GruWorkspace other;
    return cotangent_.dot(roll_out(moved, other));
  };
  const Eigen::VectorXd expected = numerical_gradient(objective, parameters_);
  EXPECT_GT(expected.norm(), 0.1);
  EXPECT_TRUE(all_close(gradient, expected, kDifferences));
}

// The state that the roll-out starts from does not move with the parameters, whatever made it.
TEST_F(Gru, TakesTheFirstStateForAConstant) {
  GruWorkspace workspace;
  Eigen::VectorXd gradient(parameters_.size());
  start_ = forward_step(network_, parameters_, 0, observed_[1], start_, workspace);
  forward_step(network_, parameters_, 0, observed_[0], start_, workspace);
  backward(network_, parameters_, 1, cotangent_, workspace, gradient);
  const auto objective = [&](const Eigen::VectorXd& moved) {
    return cotangent_.dot(written_out(moved, observed_[0], start_));
  };
  EXPECT_TRUE(all_close(gradient, numerical_gradient(objective, parameters_), kDifferences));
}

TEST_F(Gru, GoesBackThroughTheStepsItIsToldOf) {
  GruWorkspace workspace;
  roll_out(parameters_, workspace);
  Eigen::VectorXd gradient(parameters_.size());
  backward(network_, parameters_, 2, cotangent_, workspace, gradient);
  const auto objective = [&](const Eigen::VectorXd& moved) {
    return cotangent_.dot(
        written_out(moved, observed_[1], written_out(moved, observed_[0], start_)));
  };
  EXPECT_TRUE(all_close(gradient, numerical_gradient(objective, parameters_), kDifferences));
  backward(network_, parameters_, 0, cotangent_, workspace, gradient);
  EXPECT_EQ(gradient.norm(), 0.0);
}

TEST_F(Gru, StartsWithinTheReciprocalRootOfItsUnits) {
  RandomStream random(5);
  const Eigen::VectorXd initial = initial_parameters(network_, random);
  ASSERT_EQ(initial.size(), network_.parameter_count());
  EXPECT_LE(initial.cwiseAbs().maxCoeff(), 0.5);
  EXPECT_GT(initial.maxCoeff(), 0.4);
  EXPECT_LT(initial.minCoeff(), -0.4);
}

}  // namespace
}  // namespace ovf
