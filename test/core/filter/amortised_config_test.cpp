#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "filter/amortised_filters.hpp"
#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using Config = OnlineVariationalFilterConfig;

template <typename Change>
std::string refusal(Config config, const Change& change) {
  change(config);
  return test::message_of([&] { validate(config); });
}

// Both networks, and all that goes with them.
Config backward() { return test::small_backward(AmortisedMemory::kRecurrent, true); }

TEST(AmortisedConfig, IsSoundInEverySetting) {
  for (const auto& setting : test::all_amortised_settings()) {
    EXPECT_NO_THROW(validate(setting.config)) << setting.name;
  }
  EXPECT_NO_THROW(validate(Config::amortised_start()));
  // At test time nothing is learned, and a network without hidden layers is a line.
  Config config = backward();
  config.amortised.iterations = config.amortised.replay = config.amortised.replay_batch = 0;
  config.amortised.hidden_layers = {};
  config.amortised.schedule.scale = 0.0;
  EXPECT_NO_THROW(validate(config));
}

TEST(AmortisedConfig, NamesTheKeyTheValueAndWhatWasExpected) {
  const auto message = [](const auto& change) {
    // Whatever the inference: what is written down is sound.
    return refusal(Config::fast(), [&](Config& config) { change(config.amortised); });
  };
  using Amortised = AmortisedConfig;
  EXPECT_EQ(message([](Amortised& c) { c.iterations = -1; }),
            "amortised.iterations is -1; expected 0 or more");
  EXPECT_EQ(message([](Amortised& c) { c.samples = 0; }),
            "amortised.samples is 0; expected at least 1");
  EXPECT_EQ(message([](Amortised& c) { c.schedule.rate = 0.0; }),
            "amortised.schedule.rate is 0; expected a positive rate");
  EXPECT_EQ(message([](Amortised& c) { c.schedule.rate = std::nan(""); }),
            "amortised.schedule.rate is nan; expected a positive rate");
  EXPECT_EQ(message([](Amortised& c) { c.schedule.scale = -1.0; }),
            "amortised.schedule.scale is -1; expected 0 (constant rate) or more");
  EXPECT_EQ(message([](Amortised& c) { c.replay = -1; }),
            "amortised.replay is -1; expected 0 or more steps");
  EXPECT_EQ(message([](Amortised& c) { c.replay_batch = -2; }),
            "amortised.replay_batch is -2; expected 0 or more steps");
  EXPECT_EQ(message([](Amortised& c) { c.recurrent_units = 0; }),
            "amortised.recurrent_units is 0; expected at least 1");
  EXPECT_EQ(message([](Amortised& c) { c.window = 0; }),
            "amortised.window is 0; expected at least 1 observation");
  EXPECT_EQ(message([](Amortised& c) {
              c.hidden_layers = {20, 0};
            }),
            "amortised.hidden_layers is 0; expected layers of at least 1 unit");
  EXPECT_EQ(message([](Amortised& c) { c.kernel_regression.points = 0; }),
            "amortised.kernel_regression.points is 0; expected at least 1 sample");
}

TEST(AmortisedConfig, RefusesABackwardNetworkWithoutAForwardOne) {
  for (const auto inference :
       {InferenceMethod::kNaturalGradient, InferenceMethod::kReparameterised}) {
    EXPECT_EQ(refusal(backward(), [&](Config& c) { c.inference = inference; }),
              "kernel is amortised; expected inference: amortised with it");
  }
}

TEST(AmortisedConfig, RefusesAKernelThatIsLearnedAnewAtEachStep) {
  for (const auto kernel :
       {KernelFamily::kAffineDiagonal, KernelFamily::kAffineFull, KernelFamily::kAffineMlp}) {
    EXPECT_EQ(refusal(backward(), [&](Config& c) { c.kernel = kernel; }),
              "inference is amortised with a kernel that is learned anew at each step; expected "
              "kernel: closed_form or amortised");
  }
}

TEST(AmortisedConfig, RefusesTheNaturalGradientForWhatItCannotTeach) {
  const std::string expected =
      "amortised.teacher is natural_gradient; expected kernel: closed_form and value: closed_form "
      "with it";
  EXPECT_EQ(refusal(backward(),
                    [](Config& c) { c.amortised.teacher = AmortisedTeacher::kNaturalGradient; }),
            expected);
  EXPECT_EQ(
      refusal(Config::amortised_start(), [](Config& c) { c.value = RecursionMethod::kRegression; }),
      expected);
}

TEST(AmortisedConfig, RefusesTiltedFactors) {
  EXPECT_EQ(refusal(Config::amortised_start(), [](Config& c) { c.tilted = true; }),
            "tilted is true with inference: amortised; expected tilted: false");
}

TEST(AmortisedConfig, RefusesABackwardNetworkWithoutRegressions) {
  EXPECT_EQ(refusal(backward(), [](Config& c) { c.value = RecursionMethod::kClosedForm; }),
            "kernel has a network, with value: closed_form; expected value: regression");
  EXPECT_EQ(refusal(backward(),
                    [](Config& c) {
                      c.score = RecursionMethod::kClosedForm;
                      c.learning.rule = LearningRule::kAdam;
                    }),
            "kernel has a network, with a score that needs an affine one; expected score: "
            "regression or backward_weights");
}

}  // namespace
}  // namespace ovf
