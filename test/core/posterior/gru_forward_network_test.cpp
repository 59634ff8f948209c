#include "ovf/posterior/gru_forward_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kSummary = 4;
constexpr int kOutputs = 5;
constexpr int kUnits = 6;
constexpr int kWindow = 3;

// The roll-out of a recurrent network without a window, step by step.
class RecurrentForwardNetwork : public testing::Test {
 protected:
  Eigen::VectorXd step(const Eigen::VectorXd& weights, const Eigen::VectorXd& summary,
                       const Eigen::VectorXd& before) {
    const Eigen::VectorXd recurrent = weights.head(gru_.parameter_count());
    return forward_step(gru_, recurrent, 0, summary, before, workspace_);
  }
  Eigen::VectorXd any_weights() {
    return inputs_.vector(static_cast<int>(network_.parameter_count()));
  }
  /// Takes a step and keeps its summary.
  void take_step(const Eigen::VectorXd& weights) {
    summaries_.push_back(inputs_.vector(kSummary));
    network_.set_weights(weights);
    network_.begin(summaries_.back(), none_);
    network_.commit();
  }
  const Eigen::VectorXd& seen(int t) const { return summaries_[static_cast<std::size_t>(t)]; }

  RandomInputs inputs_{153};
  GruNetwork gru_{kSummary, kUnits};
  GruWorkspace workspace_;
  GruForwardNetwork network_{kSummary, kUnits, kWindow, {}, kOutputs, Activation::kTanh};
  std::vector<Eigen::VectorXd> summaries_;
  Eigen::VectorXd none_;
};

TEST_F(RecurrentForwardNetwork, ContextIsTheStateBeforeTheStep) {
  const Eigen::VectorXd weights = any_weights();
  network_.set_weights(weights);
  Eigen::VectorXd state = Eigen::VectorXd::Zero(kUnits);
  for (int t = 0; t < 3 * kWindow; ++t) {
    const Eigen::VectorXd summary = inputs_.vector(kSummary);
    network_.begin(summary, none_);
    EXPECT_TRUE(all_close(network_.context(), state, 1e-14)) << "step " << t;
    network_.outputs(network_.inputs());
    EXPECT_TRUE(all_close(network_.context(), state, 1e-14)) << "step " << t;
    network_.commit();
    state = step(weights, summary, state);
  }
}

// A head without a hidden layer shows what it sees.
TEST_F(RecurrentForwardNetwork, OutputsFollowFromTheStateAfterTheStepAndItsSummary) {
  const Eigen::VectorXd weights = any_weights();
  network_.set_weights(weights);
  const Eigen::VectorXd head = weights.tail(kOutputs * (kUnits + kSummary + 1));
  Eigen::VectorXd state = Eigen::VectorXd::Zero(kUnits);
  for (int t = 0; t < 3 * kWindow; ++t) {
    const Eigen::VectorXd summary = inputs_.vector(kSummary);
    state = step(weights, summary, state);
    network_.begin(summary, none_);
    Eigen::VectorXd sees(kUnits + kSummary);
    sees << state, summary;
    const Eigen::VectorXd expected =
        head.head(kOutputs * sees.size()).reshaped(kOutputs, sees.size()) * sees +
        head.tail(kOutputs);
    EXPECT_TRUE(all_close(network_.outputs(network_.inputs()), expected, 1e-13));
    network_.commit();
  }
}

TEST_F(RecurrentForwardNetwork, StateThatLeavesTheWindowIsOfTheNewestWeights) {
  network_.set_weights(any_weights());
  for (int t = 0; t < kWindow; ++t) {
    summaries_.push_back(inputs_.vector(kSummary));
    network_.begin(summaries_.back(), none_);
    if (t + 1 < kWindow) network_.commit();
  }
  const Eigen::VectorXd newest = any_weights();
  network_.set_weights(newest);
  network_.commit();
  network_.begin(inputs_.vector(kSummary), none_);
  const Eigen::VectorXd expected = step(newest, seen(0), Eigen::VectorXd::Zero(kUnits));
  EXPECT_TRUE(all_close(network_.inputs().head(kUnits), expected, 1e-14));
}

TEST_F(RecurrentForwardNetwork, InputsAreTheStateBeforeTheWindowAndItsSummaries) {
  const Eigen::VectorXd weights = any_weights();
  network_.set_weights(weights);
  Eigen::VectorXd before = Eigen::VectorXd::Zero(kUnits);
  for (int t = 1; t <= 3 * kWindow; ++t) {
    summaries_.push_back(inputs_.vector(kSummary));
    network_.begin(summaries_.back(), none_);
    const int kept = std::min(t, kWindow);
    if (t > kWindow) before = step(weights, seen(t - kWindow - 1), before);
    Eigen::VectorXd expected(kUnits + kept * kSummary);
    expected.head(kUnits) = before;
    for (int k = 0; k < kept; ++k) {
      expected.segment(kUnits + k * kSummary, kSummary) = seen(t - kept + k);
    }
    EXPECT_TRUE(all_close(network_.inputs(), expected, 1e-14)) << "step " << t;
    network_.commit();
  }
}

// h_{t-H} stays as the weights that it was last computed with made it; what came after it follows
// the weights of today.
TEST_F(RecurrentForwardNetwork, StateBeforeTheWindowKeepsTheWeightsOfItsTime) {
  Eigen::VectorXd before = Eigen::VectorXd::Zero(kUnits);
  for (int t = 0; t < 3 * kWindow; ++t) {
    const Eigen::VectorXd weights = any_weights();
    take_step(weights);
    if (t + 1 >= kWindow) before = step(weights, seen(t + 1 - kWindow), before);
  }
  const Eigen::VectorXd weights = any_weights();
  Eigen::VectorXd expected = before;
  for (int t = 2 * kWindow + 1; t < 3 * kWindow; ++t) expected = step(weights, seen(t), expected);
  network_.set_weights(weights);
  network_.begin(inputs_.vector(kSummary), none_);
  EXPECT_TRUE(all_close(network_.inputs().head(kUnits), before, 1e-14));
  EXPECT_TRUE(all_close(network_.context(), expected, 1e-14));
}

// The gradient of a window of one step knows nothing of the steps before.
TEST_F(RecurrentForwardNetwork, WindowOfOneStepGoesBackOneStep) {
  GruForwardNetwork short_sighted(kSummary, kUnits, 1, {}, kOutputs, Activation::kTanh);
  const Eigen::VectorXd weights = any_weights();
  short_sighted.set_weights(weights);
  Eigen::VectorXd state = Eigen::VectorXd::Zero(kUnits);
  for (int t = 0; t < 4; ++t) {
    const Eigen::VectorXd summary = inputs_.vector(kSummary);
    short_sighted.begin(summary, none_);
    EXPECT_EQ(short_sighted.inputs().size(), kUnits + kSummary);
    EXPECT_TRUE(all_close(short_sighted.inputs().head(kUnits), state, 1e-14));
    EXPECT_TRUE(all_close(short_sighted.context(), state, 1e-14));
    short_sighted.commit();
    state = step(weights, summary, state);
  }
}

TEST_F(RecurrentForwardNetwork, ForgetsThePast) {
  const Eigen::VectorXd weights = any_weights();
  for (const int past : {1, kWindow + 2}) {
    for (int t = 0; t < past; ++t) take_step(weights);
    network_.forget();
    const Eigen::VectorXd summary = inputs_.vector(kSummary);
    network_.begin(summary, none_);
    EXPECT_EQ(network_.context(), Eigen::VectorXd::Zero(kUnits));
    Eigen::VectorXd expected(kUnits + kSummary);
    expected << Eigen::VectorXd::Zero(kUnits), summary;
    EXPECT_EQ(network_.inputs(), expected);
  }
}

TEST_F(RecurrentForwardNetwork, AcceptsTheInputsOfAtMostAWindow) {
  const auto accepts = [&](int size) { return network_.accepts(Eigen::VectorXd::Zero(size)); };
  for (int steps = 1; steps <= kWindow; ++steps) {
    EXPECT_TRUE(accepts(kUnits + steps * kSummary));
    EXPECT_FALSE(accepts(kUnits + steps * kSummary + 1));
    EXPECT_FALSE(accepts(kUnits + steps * kSummary - 1));
  }
  EXPECT_FALSE(accepts(0));
  EXPECT_FALSE(accepts(kUnits));
  EXPECT_FALSE(accepts(kUnits + (kWindow + 1) * kSummary));
}

TEST_F(RecurrentForwardNetwork, RefusesTheBytesOfALongerWindow) {
  const Eigen::VectorXd weights = any_weights();
  for (int t = 0; t < kWindow; ++t) take_step(weights);
  Archive::Bytes bytes;
  Archive writer = Archive::writer(bytes);
  network_.archive(writer);
  const auto refusal = [&](GruForwardNetwork network) {
    return test::message_of([&] {
      Archive archive = Archive::reader(bytes);
      network.archive(archive);
    });
  };
  EXPECT_PRED2(test::contains,
               refusal({kSummary, kUnits, kWindow - 1, {}, kOutputs, Activation::kTanh}),
               "steps in the window: expected an integer from 0 to 1, not 2");
  EXPECT_PRED2(test::contains,
               refusal({kSummary, kUnits + 1, kWindow, {}, kOutputs, Activation::kTanh}),
               "window: expected ");
}

}  // namespace
}  // namespace ovf
