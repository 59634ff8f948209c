#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "math/random_inputs.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/posterior/gru_forward_network.hpp"
#include "ovf/posterior/mlp_forward_network.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kSummary = 4;
constexpr int kStatistics = 3;
constexpr int kOutputs = 5;
constexpr int kUnits = 6;
constexpr int kWindow = 3;
// Central differences of sums of order 1.
constexpr double kDifferences = 1e-8;

struct Setting {
  std::string name;
  std::function<std::unique_ptr<ForwardNetwork>()> make;
};

// For the messages of failing tests.
void PrintTo(const Setting& setting, std::ostream* stream) { *stream << setting.name; }

std::vector<Setting> settings() {
  const std::vector<int> layers = {7};
  return {{"Statistics",
           [=] {
             return std::make_unique<MlpForwardNetwork>(kSummary, kStatistics, layers, kOutputs,
                                                        Activation::kTanh);
           }},
          {"Recurrent", [=] {
             return std::make_unique<GruForwardNetwork>(kSummary, kUnits, kWindow, layers, kOutputs,
                                                        Activation::kTanh);
           }}};
}

Archive::Bytes bytes_of(ForwardNetwork& network) {
  Archive::Bytes bytes;
  Archive archive = Archive::writer(bytes);
  network.archive(archive);
  return bytes;
}

void read(ForwardNetwork& network, const Archive::Bytes& bytes) {
  Archive archive = Archive::reader(bytes);
  network.archive(archive);
  archive.finish();
}

class ForwardNetworks : public testing::TestWithParam<Setting> {
 protected:
  Eigen::VectorXd any_weights() {
    return inputs_.vector(static_cast<int>(network_->parameter_count()));
  }
  void begin(const Eigen::VectorXd& weights) {
    network_->begin(weights, inputs_.vector(kSummary), inputs_.vector(kStatistics));
  }
  void take_steps(int count) {
    for (int t = 0; t < count; ++t) {
      const Eigen::VectorXd weights = any_weights();
      begin(weights);
      network_->commit(weights);
    }
  }

  RandomInputs inputs_{151};
  std::unique_ptr<ForwardNetwork> network_ = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(, ForwardNetworks, testing::ValuesIn(settings()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(ForwardNetworks, StartAtZeroWhateverTheySee) {
  RandomStream random(7);
  const Eigen::VectorXd weights = network_->initial_weights(random);
  ASSERT_EQ(weights.size(), network_->parameter_count());
  take_steps(2);
  begin(weights);
  const Eigen::VectorXd outputs = network_->outputs(weights, network_->inputs());
  EXPECT_EQ(outputs, Eigen::VectorXd::Zero(kOutputs));
  // But not for long.
  Eigen::VectorXd gradient(weights.size());
  network_->gradient(weights, inputs_.vector(kOutputs), gradient);
  EXPECT_GT(gradient.norm(), 0.1);
}

TEST_P(ForwardNetworks, HaveTheNumericalGradient) {
  const Eigen::VectorXd cotangent = inputs_.vector(kOutputs);
  for (const int past : {0, 1, kWindow, kWindow + 2}) {
    network_ = GetParam().make();
    take_steps(past);
    const Eigen::VectorXd weights = any_weights();
    begin(weights);
    network_->outputs(weights, network_->inputs());
    Eigen::VectorXd gradient(weights.size());
    network_->gradient(weights, cotangent, gradient);
    const auto objective = [&](const Eigen::VectorXd& moved) {
      return cotangent.dot(network_->outputs(moved, network_->inputs()));
    };
    const Eigen::VectorXd expected = numerical_gradient(objective, weights);
    EXPECT_GT(expected.norm(), 0.1);
    EXPECT_TRUE(all_close(gradient, expected, kDifferences)) << "after " << past << " steps";
  }
}

// A step of the past is as good an example as the one in work.
TEST_P(ForwardNetworks, GiveTheOutputsOfAnEarlierStepFromItsInputs) {
  const Eigen::VectorXd weights = any_weights();
  take_steps(2);
  begin(weights);
  const Eigen::VectorXd then = network_->inputs();
  const Eigen::VectorXd outputs = network_->outputs(weights, then);
  network_->commit(weights);
  take_steps(kWindow + 1);
  begin(weights);
  const Eigen::VectorXd now = network_->outputs(weights, network_->inputs());
  EXPECT_NE(now, outputs);
  EXPECT_EQ(network_->outputs(weights, then), outputs);
  EXPECT_EQ(network_->outputs(weights, network_->inputs()), now);
}

TEST_P(ForwardNetworks, LeaveNoTraceOfAStepThatWasNotTaken) {
  const Eigen::VectorXd weights = any_weights();
  const Eigen::VectorXd summary = inputs_.vector(kSummary);
  const Eigen::VectorXd statistics = inputs_.vector(kStatistics);
  for (const int past : {0, 1, kWindow + 1}) {
    take_steps(past);
    network_->begin(weights, summary, statistics);
    const Eigen::VectorXd context = network_->context();
    const Eigen::VectorXd expected = network_->inputs();
    const Archive::Bytes bytes = bytes_of(*network_);
    begin(any_weights());
    network_->outputs(any_weights(), network_->inputs());
    network_->begin(weights, summary, statistics);
    EXPECT_EQ(network_->inputs(), expected);
    EXPECT_EQ(network_->context(), context);
    EXPECT_EQ(bytes_of(*network_), bytes);
  }
}

TEST_P(ForwardNetworks, ContinueIdenticallyFromTheirBytes) {
  for (const int past : {0, 1, kWindow, kWindow + 2}) {
    network_ = GetParam().make();
    take_steps(past);
    const auto copy = GetParam().make();
    read(*copy, bytes_of(*network_));
    for (int t = 0; t < kWindow + 2; ++t) {
      const Eigen::VectorXd weights = any_weights();
      const Eigen::VectorXd summary = inputs_.vector(kSummary);
      const Eigen::VectorXd statistics = inputs_.vector(kStatistics);
      for (ForwardNetwork* network : {network_.get(), copy.get()}) {
        network->begin(weights, summary, statistics);
        network->commit(weights);
      }
      network_->begin(weights, summary, statistics);
      copy->begin(weights, summary, statistics);
      ASSERT_EQ(copy->context(), network_->context());
      ASSERT_EQ(copy->inputs(), network_->inputs());
      ASSERT_EQ(bytes_of(*copy), bytes_of(*network_));
    }
  }
}

TEST(MlpForwardNetwork, KnowsTheStatisticsOfThePastAndNoMore) {
  RandomInputs inputs(152);
  MlpForwardNetwork network(kSummary, kStatistics, {}, kOutputs, Activation::kTanh);
  const Eigen::VectorXd weights = inputs.vector(static_cast<int>(network.parameter_count()));
  const Eigen::VectorXd summary = inputs.vector(kSummary);
  const Eigen::VectorXd statistics = inputs.vector(kStatistics);
  network.begin(weights, inputs.vector(kSummary), inputs.vector(kStatistics));
  network.commit(weights);
  network.begin(weights, summary, statistics);
  EXPECT_EQ(network.context(), statistics);
  Eigen::VectorXd both(kSummary + kStatistics);
  both << summary, statistics;
  EXPECT_EQ(network.inputs(), both);
  // Without a hidden layer it is affine in both.
  const auto W = weights.head(kOutputs * both.size()).reshaped(kOutputs, both.size());
  const Eigen::VectorXd expected = W * both + weights.tail(kOutputs);
  EXPECT_TRUE(all_close(network.outputs(weights, network.inputs()), expected, 1e-13));
}

// The roll-out of a recurrent network without a window, step by step.
class Recurrent : public testing::Test {
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
    network_.begin(weights, summaries_.back(), none_);
    network_.commit(weights);
  }

  RandomInputs inputs_{153};
  GruNetwork gru_{kSummary, kUnits};
  GruWorkspace workspace_;
  GruForwardNetwork network_{kSummary, kUnits, kWindow, {}, kOutputs, Activation::kTanh};
  std::vector<Eigen::VectorXd> summaries_;
  Eigen::VectorXd none_;
};

TEST_F(Recurrent, ContextIsTheStateBeforeTheStep) {
  const Eigen::VectorXd weights = any_weights();
  Eigen::VectorXd state = Eigen::VectorXd::Zero(kUnits);
  for (int t = 0; t < 3 * kWindow; ++t) {
    const Eigen::VectorXd summary = inputs_.vector(kSummary);
    network_.begin(weights, summary, none_);
    EXPECT_TRUE(all_close(network_.context(), state, 1e-14)) << "step " << t;
    network_.outputs(weights, network_.inputs());
    EXPECT_TRUE(all_close(network_.context(), state, 1e-14)) << "step " << t;
    network_.commit(weights);
    state = step(weights, summary, state);
  }
}

// A head without a hidden layer shows the state after the step.
TEST_F(Recurrent, OutputsFollowFromTheStateAfterTheStep) {
  const Eigen::VectorXd weights = any_weights();
  const Eigen::VectorXd head = weights.tail(kOutputs * (kUnits + 1));
  Eigen::VectorXd state = Eigen::VectorXd::Zero(kUnits);
  for (int t = 0; t < 3 * kWindow; ++t) {
    const Eigen::VectorXd summary = inputs_.vector(kSummary);
    state = step(weights, summary, state);
    network_.begin(weights, summary, none_);
    const Eigen::VectorXd expected =
        head.head(kOutputs * kUnits).reshaped(kOutputs, kUnits) * state + head.tail(kOutputs);
    EXPECT_TRUE(all_close(network_.outputs(weights, network_.inputs()), expected, 1e-13));
    network_.commit(weights);
  }
}

TEST_F(Recurrent, InputsAreTheStateBeforeTheWindowAndItsSummaries) {
  const Eigen::VectorXd weights = any_weights();
  Eigen::VectorXd before = Eigen::VectorXd::Zero(kUnits);
  for (int t = 1; t <= 3 * kWindow; ++t) {
    summaries_.push_back(inputs_.vector(kSummary));
    network_.begin(weights, summaries_.back(), none_);
    const int kept = std::min(t, kWindow);
    if (t > kWindow)
      before = step(weights, summaries_[static_cast<std::size_t>(t - kept - 1)], before);
    Eigen::VectorXd expected(kUnits + kept * kSummary);
    expected.head(kUnits) = before;
    for (int k = 0; k < kept; ++k) {
      expected.segment(kUnits + k * kSummary, kSummary) =
          summaries_[static_cast<std::size_t>(t - kept + k)];
    }
    EXPECT_TRUE(all_close(network_.inputs(), expected, 1e-14)) << "step " << t;
    network_.commit(weights);
  }
}

// h_{t-H} stays as the weights that it was last computed with made it; what came after it follows
// the weights of today.
TEST_F(Recurrent, StateBeforeTheWindowKeepsTheWeightsOfItsTime) {
  Eigen::VectorXd before = Eigen::VectorXd::Zero(kUnits);
  for (int t = 0; t < 3 * kWindow; ++t) {
    const Eigen::VectorXd weights = any_weights();
    take_step(weights);
    if (t + 1 >= kWindow)
      before = step(weights, summaries_[static_cast<std::size_t>(t + 1 - kWindow)], before);
  }
  const Eigen::VectorXd weights = any_weights();
  Eigen::VectorXd expected = before;
  for (std::size_t k = summaries_.size() + 1 - kWindow; k < summaries_.size(); ++k) {
    expected = step(weights, summaries_[k], expected);
  }
  network_.begin(weights, inputs_.vector(kSummary), none_);
  EXPECT_TRUE(all_close(network_.inputs().head(kUnits), before, 1e-14));
  EXPECT_TRUE(all_close(network_.context(), expected, 1e-14));
}

// The gradient of a window of one step knows nothing of the steps before.
TEST_F(Recurrent, WindowOfOneStepGoesBackOneStep) {
  GruForwardNetwork short_sighted(kSummary, kUnits, 1, {}, kOutputs, Activation::kTanh);
  const Eigen::VectorXd weights = any_weights();
  Eigen::VectorXd state = Eigen::VectorXd::Zero(kUnits);
  for (int t = 0; t < 4; ++t) {
    const Eigen::VectorXd summary = inputs_.vector(kSummary);
    short_sighted.begin(weights, summary, none_);
    EXPECT_EQ(short_sighted.inputs().size(), kUnits + kSummary);
    EXPECT_TRUE(all_close(short_sighted.inputs().head(kUnits), state, 1e-14));
    EXPECT_TRUE(all_close(short_sighted.context(), state, 1e-14));
    short_sighted.commit(weights);
    state = step(weights, summary, state);
  }
}

TEST_F(Recurrent, ForgetsThePast) {
  const Eigen::VectorXd weights = any_weights();
  for (const int past : {1, kWindow + 2}) {
    for (int t = 0; t < past; ++t) take_step(weights);
    network_.forget();
    const Eigen::VectorXd summary = inputs_.vector(kSummary);
    network_.begin(weights, summary, none_);
    EXPECT_EQ(network_.context(), Eigen::VectorXd::Zero(kUnits));
    Eigen::VectorXd expected(kUnits + kSummary);
    expected << Eigen::VectorXd::Zero(kUnits), summary;
    EXPECT_EQ(network_.inputs(), expected);
  }
}

TEST_F(Recurrent, RefusesTheBytesOfALongerWindow) {
  const Eigen::VectorXd weights = any_weights();
  for (int t = 0; t < kWindow; ++t) take_step(weights);
  const Archive::Bytes bytes = bytes_of(network_);
  GruForwardNetwork short_sighted(kSummary, kUnits, kWindow - 1, {}, kOutputs, Activation::kTanh);
  EXPECT_PRED2(test::contains, test::message_of([&] { read(short_sighted, bytes); }),
               "steps in the window: expected an integer from 0 to 1, not 2");
  GruForwardNetwork larger(kSummary, kUnits + 1, kWindow, {}, kOutputs, Activation::kTanh);
  EXPECT_PRED2(test::contains, test::message_of([&] { read(larger, bytes); }), "window: expected ");
}

}  // namespace
}  // namespace ovf
