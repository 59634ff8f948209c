// The state of a filter as bytes: whoever reads it goes on exactly as the one who wrote it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "filter/amortised_filters.hpp"
#include "filter/linear_problem.hpp"
#include "filter/neural_problem.hpp"
#include "math/random_inputs.hpp"
#include "ovf/evaluation/chaotic_rnn_problem.hpp"
#include "ovf/math/checksum.hpp"

namespace ovf {
namespace {

constexpr int kDim = 3;
constexpr int kSteps = 14;

using Config = OnlineVariationalFilterConfig;

struct Setting {
  std::string name;
  std::function<std::unique_ptr<OnlineVariationalFilter>()> make;
  Eigen::MatrixXd observations;
  bool learns = false;
};

// For the messages of failing tests.
void PrintTo(const Setting& setting, std::ostream* stream) { *stream << setting.name; }

Setting linear(const std::string& name, Config config, LearningRule rule) {
  auto spec = test::random_problem(kDim, true, 91);
  if (rule != LearningRule::kNone) {
    spec.learn_F = Learned::kFull;
    spec.learn_V = Learned::kFull;
  }
  config.learning.rule = rule;
  config.learning.burn_in = 2;
  return {
      "Linear" + name,
      [=] { return std::make_unique<OnlineVariationalFilter>(make_linear_gaussian(spec), config); },
      test::observe(spec, kSteps, 91), rule != LearningRule::kNone};
}

Setting chaotic(const std::string& name, Config config, LearningRule rule) {
  auto problem = random_chaotic_rnn_problem(kDim, kSteps, 92);
  ChaoticRnnSpec spec = problem.spec;
  spec.learn_gamma = spec.learn_process_noise = spec.learn_observation_scale = spec.learn_nu =
      rule != LearningRule::kNone;
  config.learning.rule = rule;
  config.learning.burn_in = 2;
  return {"Chaotic" + name,
          [=] { return std::make_unique<OnlineVariationalFilter>(make_chaotic_rnn(spec), config); },
          problem.observations, rule != LearningRule::kNone};
}

Setting neural(const std::string& name, Config config) {
  NeuralTransitionSpec spec = test::small_neural_spec();
  spec.learn_noise = LearnedScale::kShared;
  RandomStream random(94);
  config.learning.burn_in = 2;
  return {"Neural" + name,
          [=] {
            return std::make_unique<OnlineVariationalFilter>(test::observed_neural_model(spec, 0.3),
                                                             config);
          },
          simulate(test::observed_neural_model(spec, 0.3), kSteps, random).observations, true};
}

Config with(Config config, const std::function<void(Config&)>& change) {
  change(config);
  return config;
}

Config objective(Objective objective) {
  return with(Config::fast(), [=](Config& c) { c.objective = objective; });
}

// The paper's algorithm, small, with this regressor for V, T and S.
Config paper(RegressorKind kind) {
  return with(Config::paper(), [=](Config& c) {
    c.kernel_layers = {6};
    c.reparameterised.iterations = 8;
    c.reparameterised.samples = 8;
    c.value_regression.points = 40;
    c.value_regression.tune_steps = 3;
    c.value_regression.standardise = true;
    c.value_regression.regressor.kind = kind;
    c.value_regression.regressor.random_features.features = 16;
    c.value_regression.regressor.mlp.hidden_layers = {5};
    c.value_regression.regressor.mlp.iterations = 10;
    c.score = RecursionMethod::kRegression;
    c.score_regression = c.value_regression;
  });
}

Config paper_with_network() {
  return with(paper(RegressorKind::kKernelRidge), [](Config& c) {
    c.kernel = KernelFamily::kAffineMlp;
    c.lookback = 2;
    c.reparameterised.natural_start = true;
  });
}

// As published: nothing of the model in the kernel or in the starts.
Config from_random_starts(KernelFamily kernel) {
  return with(paper(RegressorKind::kKernelRidge), [=](Config& c) {
    c.kernel = kernel;
    c.reparameterised.start_deviation = 1.0;
  });
}

// A learned kernel with closed-form V.
Config learned_kernel() {
  return with(paper(RegressorKind::kKernelRidge), [](Config& c) {
    c.kernel = KernelFamily::kAffineDiagonal;
    c.value = c.score = RecursionMethod::kClosedForm;
  });
}

std::vector<Setting> settings() {
  using Rule = LearningRule;
  using Kind = RegressorKind;
  const Config accurate = with(Config::accurate(), [](Config& c) { c.tilted_samples = 20; });
  const Config looking_back = with(accurate, [](Config& c) {
    c.score = RecursionMethod::kRegression;
    c.score_regression.points = 30;
    c.score_regression.tune_steps = 2;
    c.lookback = 3;
  });
  const Config mean_field =
      with(Config::fast(), [](Config& c) { c.marginal = CovarianceForm::kDiagonal; });
  const auto backward_weights = [](const Config& config) {
    return with(config, [](Config& c) {
      c.score = RecursionMethod::kBackwardWeights;
      c.score_samples = 20;
    });
  };
  const Config in_double = with(paper(Kind::kKernelRidge), [](Config& c) {
    c.value_regression.regressor.kernel_ridge.single_precision = false;
  });
  const Config sampled_aelbo =
      with(paper(Kind::kKernelRidge), [](Config& c) { c.objective = Objective::kAelbo2; });
  const Config direction = with(paper(Kind::kMlp), [](Config& c) {
    c.score_regression.regressor.kind = RegressorKind::kDirectionMlp;
  });
  return {linear("Fast", Config::fast(), Rule::kNone),
          linear("FastSecondOrder", Config::fast(), Rule::kSecondOrder),
          linear("FastGradient", Config::fast(), Rule::kGradient),
          linear("MeanFieldAdam", mean_field, Rule::kAdam),
          linear("Aelbo1", objective(Objective::kAelbo1), Rule::kSecondOrder),
          linear("Aelbo2", objective(Objective::kAelbo2), Rule::kNone),
          linear("Paper", paper(Kind::kKernelRidge), Rule::kAdam),
          linear("LearnedKernel", learned_kernel(), Rule::kAdam),
          linear("RandomStarts", from_random_starts(KernelFamily::kAffineFull), Rule::kAdam),
          linear("BackwardWeights", backward_weights(Config::fast()), Rule::kSecondOrder),
          chaotic("Fast", Config::fast(), Rule::kNone),
          chaotic("FastSecondOrder", Config::fast(), Rule::kSecondOrder),
          chaotic("Aelbo1", objective(Objective::kAelbo1), Rule::kNone),
          chaotic("Aelbo2", objective(Objective::kAelbo2), Rule::kSecondOrder),
          chaotic("Accurate", accurate, Rule::kNone),
          chaotic("AccurateSecondOrder", accurate, Rule::kSecondOrder),
          chaotic("AccurateLookingBack", looking_back, Rule::kGradient),
          chaotic("AccurateBackwardWeights", backward_weights(accurate), Rule::kSecondOrder),
          chaotic("PaperBackwardWeights", backward_weights(paper_with_network()), Rule::kAdam),
          chaotic("Paper", paper(Kind::kKernelRidge), Rule::kNone),
          chaotic("PaperInDouble", in_double, Rule::kNone),
          chaotic("PaperAdam", paper(Kind::kKernelRidge), Rule::kAdam),
          chaotic("PaperHermite", paper(Kind::kHermite), Rule::kAdam),
          chaotic("PaperRandomFeatures", paper(Kind::kRandomFeatures), Rule::kAdam),
          chaotic("PaperMlp", paper(Kind::kMlp), Rule::kAdam),
          chaotic("PaperDirectionMlp", direction, Rule::kAdam),
          neural("Lines", Config::neural()),
          neural("Squares", with(Config::neural(), [](Config& c) { c.score_squares = true; })),
          chaotic("PaperNetworkKernel", paper_with_network(), Rule::kAdam),
          chaotic("PaperMlpKernel", from_random_starts(KernelFamily::kMlp), Rule::kAdam),
          chaotic("PaperAelbo2", sampled_aelbo, Rule::kGradient)};
}

// Few steps of small networks, and of the past less than the sequence has.
Config amortised(Config config) {
  config.amortised.iterations = 3;
  config.amortised.hidden_layers = {6};
  config.amortised.recurrent_units = 5;
  config.amortised.window = 3;
  config.amortised.replay = 4;
  config.amortised.replay_batch = 2;
  return config;
}

std::vector<Setting> amortised_settings() {
  using Rule = LearningRule;
  using Memory = AmortisedMemory;
  using Teacher = AmortisedTeacher;
  const auto forward = [](Memory memory, Teacher teacher) {
    return amortised(test::small_amortised(memory, teacher));
  };
  const auto backward = [](Memory memory, bool joint) {
    return amortised(test::small_backward(memory, joint));
  };
  const Config mean_field = with(forward(Memory::kStatistics, Teacher::kElbo),
                                 [](Config& c) { c.marginal = CovarianceForm::kDiagonal; });
  const Config test_time =
      with(backward(Memory::kRecurrent, true), [](Config& c) { c.amortised.iterations = 0; });
  return {linear("Statistics", forward(Memory::kStatistics, Teacher::kNaturalGradient),
                 Rule::kSecondOrder),
          linear("RecurrentElbo", forward(Memory::kRecurrent, Teacher::kElbo), Rule::kNone),
          chaotic("Recurrent", forward(Memory::kRecurrent, Teacher::kNaturalGradient), Rule::kNone),
          chaotic("MeanFieldElbo", mean_field, Rule::kSecondOrder),
          chaotic("T", backward(Memory::kStatistics, false), Rule::kNone),
          chaotic("TU", backward(Memory::kStatistics, true), Rule::kAdam),
          chaotic("RecurrentTU", backward(Memory::kRecurrent, true), Rule::kNone),
          chaotic("TestTime", test_time, Rule::kNone)};
}

class FilterArchive : public testing::TestWithParam<Setting> {
 protected:
  std::unique_ptr<OnlineVariationalFilter> make() const { return GetParam().make(); }

  /// Step t of a sequence in which one observation is missing, one is refused, and theta is frozen
  /// for a while.
  StepResult step(OnlineVariationalFilter& filter, int t) const {
    StepInput input;
    input.dt = 0.5;
    input.control = Eigen::VectorXd::Constant(t % 3, 0.1 * t);
    if (t == 6) return filter.skip(input);
    Eigen::VectorXd y = GetParam().observations.col(t);
    if (t == 8) y[0] = std::numeric_limits<double>::quiet_NaN();
    if (t == 9) filter.learner().freeze();
    if (t == 10) filter.learner().resume();
    return filter.step(y, input);
  }
  std::unique_ptr<OnlineVariationalFilter> after(int steps) const {
    auto filter = make();
    for (int t = 0; t < steps; ++t) step(*filter, t);
    return filter;
  }

  static Archive::Bytes bytes_of(OnlineVariationalFilter& filter) {
    Archive::Bytes bytes;
    Archive archive = Archive::writer(bytes);
    filter.archive(archive);
    return bytes;
  }
  static void read(OnlineVariationalFilter& filter, std::span<const std::byte> bytes) {
    Archive archive = Archive::reader(bytes);
    filter.archive(archive);
    archive.finish();
  }
  /// True if it was read; if not, the filter must be as it was.
  static bool try_to_read(OnlineVariationalFilter& filter, std::span<const std::byte> bytes) {
    const Archive::Bytes before = bytes_of(filter);
    try {
      read(filter, bytes);
      return true;
    } catch (const std::invalid_argument&) {
      EXPECT_EQ(bytes_of(filter), before);
      return false;
    }
  }
  /// Makes damaged bytes pass for sound ones.
  static void seal(Archive::Bytes& bytes) {
    const std::uint64_t sum = checksum(std::span(bytes).subspan(16));
    std::memcpy(bytes.data() + 8, &sum, sizeof(sum));
  }
  static void expect_sound(const OnlineVariationalFilter& filter) {
    EXPECT_TRUE(filter.belief().mean.allFinite());
    EXPECT_TRUE(filter.belief().factor.lower().allFinite());
    EXPECT_GT(filter.belief().factor.lower().diagonal().minCoeff(), 0.0);
    EXPECT_TRUE(filter.parameters().allFinite());
  }
};

TEST_P(FilterArchive, ContinuesBitForBit) {
  const auto untouched = after(kSteps);
  const Eigen::VectorXd start = make()->parameters();
  EXPECT_EQ(untouched->parameters() != start, GetParam().learns);
  for (const int saved : {0, 1, 2, 5, 7, 9, 12}) {
    const auto writer = after(saved);
    const Archive::Bytes bytes = bytes_of(*writer);
    // Into a new filter, and into one that is far ahead.
    const auto fresh = make();
    const auto used = after(kSteps);
    read(*fresh, bytes);
    read(*used, bytes);
    EXPECT_EQ(bytes_of(*fresh), bytes);
    for (int t = saved; t < kSteps; ++t) {
      const StepResult expected = step(*writer, t);
      for (auto* filter : {fresh.get(), used.get()}) {
        const StepResult result = step(*filter, t);
        ASSERT_EQ(result.status, expected.status) << result.reason;
        ASSERT_EQ(result.elbo, expected.elbo) << "step " << t << " after " << saved;
        ASSERT_EQ(filter->belief().mean, writer->belief().mean);
        ASSERT_EQ(filter->belief().factor.lower(), writer->belief().factor.lower());
        ASSERT_EQ(filter->parameters(), writer->parameters());
        ASSERT_EQ(bytes_of(*filter), bytes_of(*writer)) << "step " << t << " after " << saved;
      }
    }
    EXPECT_EQ(bytes_of(*writer), bytes_of(*untouched));
  }
}

TEST_P(FilterArchive, RefusesEveryTruncationAndStaysAsItWas) {
  const Archive::Bytes bytes = bytes_of(*after(7));
  const auto filter = after(4);
  const std::size_t stride = 1 + bytes.size() / 500;
  for (std::size_t length = 0; length < bytes.size(); length += stride) {
    EXPECT_FALSE(try_to_read(*filter, {bytes.data(), length})) << length;
  }
}

TEST_P(FilterArchive, RefusesFlippedBits) {
  Archive::Bytes bytes = bytes_of(*after(7));
  const auto filter = after(4);
  RandomStream random(93);
  for (int k = 0; k < 300; ++k) {
    const int bit = random.uniform_index(static_cast<int>(8 * bytes.size()));
    const std::byte flip = std::byte{1} << (bit % 8);
    bytes[static_cast<std::size_t>(bit / 8)] ^= flip;
    EXPECT_FALSE(try_to_read(*filter, bytes)) << "bit " << bit;
    bytes[static_cast<std::size_t>(bit / 8)] ^= flip;
  }
  EXPECT_TRUE(try_to_read(*filter, bytes));
}

// Even when the checksum agrees: no crash, and either refused or a belief that stays sound.
TEST_P(FilterArchive, SurvivesDamageThatIsSealed) {
  const Archive::Bytes sound = bytes_of(*after(7));
  const auto filter = after(4);
  RandomStream random(94);
  int refused = 0;
  const int trials = 200;
  for (int k = 0; k < trials; ++k) {
    Archive::Bytes bytes = sound;
    // A bit, or a run of zeros, ones or noise; near the front more often, where the sizes are.
    const double u = random.uniform();
    const auto at = static_cast<std::size_t>(16 + u * u * static_cast<double>(bytes.size() - 16));
    if (k % 2 == 0) {
      bytes[at] ^= std::byte{1} << random.uniform_index(8);
    } else {
      const int kind = random.uniform_index(3);
      for (std::size_t i = at; i < std::min(bytes.size(), at + 8); ++i) {
        bytes[i] = static_cast<std::byte>(kind == 0 ? 0 : kind == 1 ? 255 : random.bits() & 255);
      }
    }
    seal(bytes);
    if (!try_to_read(*filter, bytes)) {
      ++refused;
      continue;
    }
    expect_sound(*filter);
    for (int t = 7; t < 10; ++t) {
      step(*filter, t);
      expect_sound(*filter);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "trial " << k << " at byte " << at;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, trials);
}

// A restart replaces the prior: it has to come along.
TEST_P(FilterArchive, ContinuesBitForBitAfterARestart) {
  const auto writer = after(5);
  const Gaussian belief{Eigen::VectorXd::Constant(kDim, 0.3),
                        CovarianceFactor(kDim, CovarianceForm::kFull, 0.2)};
  writer->restart(belief);
  const auto fresh = make();
  read(*fresh, bytes_of(*writer));
  for (int t = 0; t < 4; ++t) {
    step(*writer, t);
    step(*fresh, t);
    ASSERT_EQ(bytes_of(*fresh), bytes_of(*writer)) << "step " << t;
  }
}

INSTANTIATE_TEST_SUITE_P(, FilterArchive, testing::ValuesIn(settings()),
                         [](const auto& tested) { return tested.param.name; });
INSTANTIATE_TEST_SUITE_P(Amortised, FilterArchive, testing::ValuesIn(amortised_settings()),
                         [](const auto& tested) { return tested.param.name; });

TEST(StepInputArchive, KeepsEverything) {
  StepInput input;
  input.dt = 0.25;
  input.control = Eigen::Vector2d(1.0, -2.0);
  input.last_control = Eigen::Vector2d(0.5, 3.0);
  input.noise_gain = Eigen::Vector3d(1.0, 0.5, 2.0);
  input.sensor = 4;
  input.target = -1;
  input.message_noise = Eigen::Matrix2d::Identity() * 0.1;
  input.gate = 9.0;
  input.last_reference = Eigen::Quaterniond(0.5, 0.5, -0.5, 0.5);
  input.reference = Eigen::Quaterniond(0.0, 0.6, 0.8, 0.0);
  Archive::Bytes bytes;
  Archive writer = Archive::writer(bytes);
  input.archive(writer);
  StepInput read;
  Archive reader = Archive::reader(bytes);
  read.archive(reader);
  reader.finish();
  EXPECT_EQ(read.dt, input.dt);
  EXPECT_EQ(read.control, input.control);
  EXPECT_EQ(read.last_control, input.last_control);
  EXPECT_EQ(read.noise_gain, input.noise_gain);
  EXPECT_EQ(read.sensor, input.sensor);
  EXPECT_EQ(read.target, input.target);
  EXPECT_EQ(read.message_noise, input.message_noise);
  EXPECT_EQ(read.gate, input.gate);
  EXPECT_EQ(read.last_reference.coeffs(), input.last_reference.coeffs());
  EXPECT_EQ(read.reference.coeffs(), input.reference.coeffs());
}

TEST(FilterArchiveOfAnother, IsRefusedByName) {
  const auto refusal = [](const Setting& writer, const Setting& reader) {
    const auto from = writer.make();
    const auto to = reader.make();
    Archive::Bytes bytes;
    Archive archive = Archive::writer(bytes);
    from->archive(archive);
    return test::message_of([&] {
      Archive in = Archive::reader(bytes);
      to->archive(in);
    });
  };
  const auto fast = linear("", Config::fast(), LearningRule::kNone);
  const auto learning = linear("", Config::fast(), LearningRule::kAdam);
  Setting larger = fast;
  larger.make = [] {
    return std::make_unique<OnlineVariationalFilter>(
        make_linear_gaussian(test::random_problem(5, true, 1)), Config::fast());
  };
  EXPECT_PRED2(test::contains, refusal(larger, fast), "state dimension: expected 3, not 5");
  EXPECT_PRED2(test::contains, refusal(learning, fast), "number of parameters: expected 0, not 15");
  EXPECT_PRED2(test::contains,
               refusal(linear("", Config::fast(), LearningRule::kGradient), learning),
               "learning.rule: expected ");
  EXPECT_PRED2(test::contains,
               refusal(linear("", objective(Objective::kAelbo1), LearningRule::kNone), fast),
               "objective: expected ");
  const auto ridge = linear("", paper(RegressorKind::kKernelRidge), LearningRule::kNone);
  const auto hermite = linear("", paper(RegressorKind::kHermite), LearningRule::kNone);
  EXPECT_PRED2(test::contains, refusal(ridge, hermite), "regressor of V: expected ");
}

TEST(FilterArchiveOfOtherNetworks, IsRefusedByName) {
  using Memory = AmortisedMemory;
  using Teacher = AmortisedTeacher;
  const auto refusal = [](const Config& writer, const Config& reader) {
    const auto spec = test::random_problem(kDim, true, 91);
    OnlineVariationalFilter from(make_linear_gaussian(spec), writer);
    OnlineVariationalFilter to(make_linear_gaussian(spec), reader);
    return test::message_of([&] { test::read(to, test::bytes_of(from)); });
  };
  const Config statistics = test::small_amortised(Memory::kStatistics, Teacher::kElbo);
  EXPECT_PRED2(test::contains, refusal(statistics, {}), "inference: expected ");
  EXPECT_PRED2(test::contains,
               refusal(test::small_amortised(Memory::kRecurrent, Teacher::kElbo), statistics),
               "amortised.memory: expected ");
  const auto wider = with(statistics, [](Config& c) { c.amortised.hidden_layers = {21}; });
  EXPECT_PRED2(test::contains, refusal(wider, statistics), "network weights: expected ");
  EXPECT_PRED2(test::contains,
               refusal(test::small_backward(Memory::kStatistics, false),
                       test::small_backward(Memory::kStatistics, true)),
               "amortised.joint_kernel: expected ");
}

}  // namespace
}  // namespace ovf
