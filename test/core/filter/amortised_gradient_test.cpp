// The gradient of the ELBO with respect to the weights of both networks, for given noise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "filter/amortised_filters.hpp"
#include "math/random_inputs.hpp"
#include "ovf/filter/amortised_inference.hpp"
#include "ovf/math/gradient_check.hpp"
#include "ovf/model/chaotic_rnn_model.hpp"
#include "ovf/posterior/affine_kernel.hpp"
#include "ovf/posterior/amortised_kernel.hpp"
#include "posterior/wavy_function.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kDim = 2;
constexpr int kSamples = 4;
// Central differences of rewards of order 100.
constexpr double kDifferences = 1e-5;

StateSpaceModel chaotic_rnn() {
  RandomStream random(61);
  ChaoticRnnSpec spec;
  spec.W = ChaoticRnn::random(kDim, random).weights();
  return make_chaotic_rnn(spec);
}

// V_{t-1} is the wavy function.
class WavyValue final : public ValueRecursion {
 public:
  bool state_gradient(const StateSpaceModel& /*model*/, const Eigen::MatrixXd& x,
                      Eigen::MatrixXd& out) override {
    out = test::wavy_gradient(x);
    return true;
  }
  double update(const StepView& /*step*/) override { return 0.0; }
  void commit() override {}
  void archive(Archive& /*archive*/, const StateSpaceModel& /*model*/) override {}
};

class AmortisedGradient
    : public testing::TestWithParam<std::tuple<AmortisedMemory, CovarianceForm, bool>> {
 protected:
  AmortisedGradient() {
    config_.marginal = form_;
    config_.kernel_noise = form_;
    config_.amortised.iterations = 0;  // no steps of the weights
    config_.amortised.path_derivative = false;
    config_.amortised.activation = Activation::kTanh;
    config_.amortised.hidden_layers = {5};
    config_.amortised.recurrent_units = 4;
    config_.amortised.window = 2;
    if (!backward_) config_.kernel = KernelFamily::kClosedForm;
  }

  /// A step that is far from optimal, with numbers of order 1.
  StepRecord any_step(bool first) {
    StepRecord record;
    record.first = first;
    record.y = inputs_.vector(kDim);
    record.previous = first ? model_.prior() : inputs_.gaussian(kDim, form_);
    record.marginal = FilterMarginal(standard_gaussian(kDim, form_));
    const AffineGaussian closed_form = inputs_.conditional(kDim, kDim, form_);
    if (backward_) {
      auto kernel = std::make_unique<AmortisedKernel>(
          kDim, amortised_context_dim(config_.amortised, kDim), config_.amortised.hidden_layers,
          config_.amortised.activation, form_, 1);
      kernel->assign(closed_form);
      kernel->set_scales(prediction_, record.previous);
      record.kernel = std::move(kernel);
    } else {
      auto kernel = std::make_unique<AffineKernel>(kDim, CovarianceForm::kFull, form_);
      kernel->assign(closed_form);
      record.kernel = std::move(kernel);
    }
    return record;
  }
  void begin(AmortisedInference& inference, StepRecord& record) {
    EXPECT_EQ(inference.optimise(model_, prediction_, true, value_, record), 1);
  }
  /// The bytes of an inference, with other weights in the place of its own.
  Archive::Bytes with_weights(AmortisedInference& inference, const Eigen::VectorXd& weights) const {
    Archive::Bytes bytes;
    Archive archive = Archive::writer(bytes);
    inference.archive(archive);
    const Eigen::VectorXd& replaced = inference.weights();
    const auto own =
        std::as_bytes(std::span(replaced.data(), static_cast<std::size_t>(replaced.size())));
    const auto place = std::search(bytes.begin(), bytes.end(), own.begin(), own.end());
    EXPECT_NE(place, bytes.end());
    std::memcpy(&*place, weights.data(), own.size());
    return bytes;
  }
  std::unique_ptr<AmortisedInference> from(const Archive::Bytes& bytes) const {
    auto inference = std::make_unique<AmortisedInference>(config_, kDim);
    Archive archive = Archive::reader(bytes);
    inference->archive(archive);
    archive.finish();
    return inference;
  }

  CovarianceForm form_ = std::get<1>(GetParam());
  bool backward_ = std::get<2>(GetParam());
  OnlineVariationalFilterConfig config_ = test::small_backward(std::get<0>(GetParam()), false);
  StateSpaceModel model_ = chaotic_rnn();
  RandomInputs inputs_{101};
  Gaussian prediction_ = inputs_.gaussian(kDim, form_);
  WavyValue value_;
  Eigen::MatrixXd noise_ = inputs_.matrix(kDim, kSamples);
  Eigen::MatrixXd kernel_noise_ = inputs_.matrix(kDim, kSamples);
};

INSTANTIATE_TEST_SUITE_P(
    , AmortisedGradient,
    testing::Combine(testing::Values(AmortisedMemory::kStatistics, AmortisedMemory::kRecurrent),
                     testing::Values(CovarianceForm::kDiagonal, CovarianceForm::kFull),
                     testing::Bool()),
    [](const auto& tested) {
      const bool recurrent = std::get<0>(tested.param) == AmortisedMemory::kRecurrent;
      return std::string(recurrent ? "Recurrent" : "Statistics") +
             test::form_name(std::get<1>(tested.param)) +
             (std::get<2>(tested.param) ? "BackwardNetwork" : "ClosedFormKernel");
    });

TEST_P(AmortisedGradient, IsTheNumericalOne) {
  AmortisedInference start(config_, kDim);
  const Eigen::VectorXd weights =
      start.weights() + 0.3 * inputs_.vector(static_cast<int>(start.weights().size()));
  const AffineGaussian transition;
  for (int past = 0; past < 4; ++past) {
    SCOPED_TRACE("after " + std::to_string(past) + " steps");
    StepRecord record = any_step(past == 0);
    const auto inference = from(with_weights(start, weights));
    begin(*inference, record);
    Eigen::VectorXd gradient;
    inference->gradient(model_, value_, record, noise_, kernel_noise_, gradient);

    const Eigen::Index kernel_count =
        backward_ && !record.first ? record.kernel->parameter_count() : 0;
    const auto objective = [&](const Eigen::VectorXd& moved) {
      // h_{t-1}, which the kernel has, is a constant.
      StepRecord other = record.copy();
      begin(*from(with_weights(start, moved)), other);
      other.kernel = record.kernel->clone();
      if (kernel_count > 0) other.kernel->write_parameters(moved.tail(kernel_count));
      Eigen::MatrixXd to, previous;
      other.marginal.sample(noise_, to);
      other.kernel->sample(to, kernel_noise_, previous);
      Eigen::VectorXd rewards;
      Reward().values(model_, other, previous, to, rewards);
      return rewards.mean() + (record.first ? 0.0 : test::wavy_mean(previous));
    };
    const Eigen::VectorXd expected = numerical_gradient(objective, weights);
    EXPECT_GT(expected.norm(), 1.0);
    EXPECT_TRUE(all_close(gradient, expected, kDifferences));

    // On to the next step.
    begin(start, record);
    const std::vector<const StepRecord*> chain{&record};
    start.commit({model_, record, chain, transition}, value_);
  }
}

// U says what the weights meant for the steps before, as far as those were taken with them: it
// turns the gradient of the backward network, but is never longer than half of it.
using AmortisedPast = AmortisedGradient;
INSTANTIATE_TEST_SUITE_P(
    , AmortisedPast,
    testing::Values(std::tuple(AmortisedMemory::kStatistics, CovarianceForm::kFull, true),
                    std::tuple(AmortisedMemory::kRecurrent, CovarianceForm::kDiagonal, true)));

TEST_P(AmortisedPast, TurnsTheGradientWithoutOutweighingIt) {
  config_.amortised.joint_kernel = true;
  config_.amortised.iterations = 1;
  AmortisedInference inference(config_, kDim);
  ElboGradient present(false);
  const AffineGaussian transition;
  for (int t = 0; t < 5; ++t) {
    StepRecord record = any_step(t == 0);
    begin(inference, record);
    Eigen::VectorXd gradient;
    inference.gradient(model_, value_, record, noise_, kernel_noise_, gradient);
    if (t > 0) {
      Eigen::VectorXd without(record.kernel->parameter_count());
      present.estimate(model_, value_, record, noise_, kernel_noise_, without);
      const double past = (gradient.tail(without.size()) - without).norm();
      EXPECT_LT(past, 0.5 * without.norm() * (1.0 + 1e-9)) << "step " << t;
      // Of the first kernel there is no past.
      EXPECT_EQ(past > 1e-3 * without.norm(), t > 1) << "step " << t;
    }
    const std::vector<const StepRecord*> chain{&record};
    inference.commit({model_, record, chain, transition}, value_);
  }
}

}  // namespace
}  // namespace ovf
