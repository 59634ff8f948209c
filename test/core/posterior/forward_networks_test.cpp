#include <gtest/gtest.h>

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
    network_->set_weights(weights);
    network_->begin(inputs_.vector(kSummary), inputs_.vector(kStatistics));
  }
  void take_steps(int count) {
    for (int t = 0; t < count; ++t) {
      begin(any_weights());
      network_->commit();
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
  const Eigen::VectorXd outputs = network_->outputs(network_->inputs());
  EXPECT_EQ(outputs, Eigen::VectorXd::Zero(kOutputs));
  // But not for long.
  Eigen::VectorXd gradient(weights.size());
  network_->gradient(inputs_.vector(kOutputs), gradient);
  EXPECT_GT(gradient.norm(), 0.1);
}

TEST_P(ForwardNetworks, HaveTheNumericalGradient) {
  const Eigen::VectorXd cotangent = inputs_.vector(kOutputs);
  for (const int past : {0, 1, kWindow, kWindow + 2}) {
    network_ = GetParam().make();
    take_steps(past);
    const Eigen::VectorXd weights = any_weights();
    begin(weights);
    network_->outputs(network_->inputs());
    Eigen::VectorXd gradient(weights.size());
    network_->gradient(cotangent, gradient);
    const auto objective = [&](const Eigen::VectorXd& moved) {
      network_->set_weights(moved);
      return cotangent.dot(network_->outputs(network_->inputs()));
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
  const Eigen::VectorXd outputs = network_->outputs(then);
  network_->commit();
  take_steps(kWindow + 1);
  begin(weights);
  EXPECT_TRUE(network_->accepts(then));
  const Eigen::VectorXd now = network_->outputs(network_->inputs());
  EXPECT_NE(now, outputs);
  EXPECT_EQ(network_->outputs(then), outputs);
  EXPECT_EQ(network_->outputs(network_->inputs()), now);
}

TEST_P(ForwardNetworks, AddUpTheGradientsOfExamples) {
  const Eigen::VectorXd weights = any_weights();
  std::vector<Eigen::VectorXd> examples;
  for (int k = 0; k < kWindow + 2; ++k) {
    begin(weights);
    examples.push_back(network_->inputs());
    network_->commit();
  }
  // The cotangent of each follows from its outputs.
  const auto cotangent = [](std::size_t k, const Eigen::VectorXd& outputs) -> Eigen::VectorXd {
    return (static_cast<double>(k) + 1.0) * outputs.cwiseAbs2();
  };
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(weights.size());
  Eigen::VectorXd part(weights.size());
  for (std::size_t k = 0; k < examples.size(); ++k) {
    network_->gradient(cotangent(k, network_->outputs(examples[k])), part);
    expected += part;
  }
  Eigen::VectorXd gradient(weights.size());
  network_->gradient_of_examples(
      examples,
      [&](std::size_t k, Eigen::Ref<Eigen::VectorXd> outputs) { outputs = cotangent(k, outputs); },
      gradient);
  EXPECT_GT(expected.norm(), 0.1);
  EXPECT_TRUE(all_close(gradient, expected, 1e-12));
}

TEST_P(ForwardNetworks, WithoutPastAnswerAsAfterForgetting) {
  const Eigen::VectorXd weights = any_weights();
  const Eigen::VectorXd summary = inputs_.vector(kSummary);
  const Eigen::VectorXd statistics = inputs_.vector(kStatistics);
  for (const int past : {0, 1, kWindow + 2}) {
    take_steps(past);
    network_->set_weights(weights);
    network_->begin(summary, statistics);
    const Eigen::VectorXd fresh = network_->without_past(network_->inputs());
    EXPECT_TRUE(network_->accepts(fresh));
    const Eigen::VectorXd outputs = network_->outputs(fresh);
    network_->forget();
    network_->begin(summary, statistics);
    EXPECT_EQ(network_->inputs(), fresh);
    EXPECT_EQ(network_->outputs(network_->inputs()), outputs);
  }
}

TEST_P(ForwardNetworks, LeaveNoTraceOfAStepThatWasNotTaken) {
  const Eigen::VectorXd weights = any_weights();
  const Eigen::VectorXd summary = inputs_.vector(kSummary);
  const Eigen::VectorXd statistics = inputs_.vector(kStatistics);
  for (const int past : {0, 1, kWindow + 1}) {
    take_steps(past);
    network_->set_weights(weights);
    network_->begin(summary, statistics);
    const Eigen::VectorXd context = network_->context();
    const Eigen::VectorXd expected = network_->inputs();
    const Archive::Bytes bytes = bytes_of(*network_);
    begin(any_weights());
    network_->outputs(network_->inputs());
    network_->set_weights(weights);
    network_->begin(summary, statistics);
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
        network->set_weights(weights);
        network->begin(summary, statistics);
      }
      ASSERT_EQ(copy->context(), network_->context());
      ASSERT_EQ(copy->inputs(), network_->inputs());
      ASSERT_EQ(copy->outputs(copy->inputs()), network_->outputs(network_->inputs()));
      network_->commit();
      copy->commit();
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
  network.set_weights(weights);
  network.begin(inputs.vector(kSummary), inputs.vector(kStatistics));
  network.commit();
  network.begin(summary, statistics);
  EXPECT_EQ(network.context(), statistics);
  Eigen::VectorXd both(kSummary + kStatistics);
  both << summary, statistics;
  EXPECT_EQ(network.inputs(), both);
  EXPECT_FALSE(network.accepts(summary));
  // Without a hidden layer it is affine in both.
  const auto W = weights.head(kOutputs * both.size()).reshaped(kOutputs, both.size());
  const Eigen::VectorXd expected = W * both + weights.tail(kOutputs);
  EXPECT_TRUE(all_close(network.outputs(network.inputs()), expected, 1e-13));
}

}  // namespace
}  // namespace ovf
