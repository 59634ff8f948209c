#include "ovf/filter/online_variational_filter.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "filter/linear_problem.hpp"
#include "ovf/filter/kalman_filter.hpp"

namespace ovf {
namespace {

using test::observe;
using test::random_problem;

LinearGaussianSpec learned_problem(int dim) {
  auto spec = random_problem(dim, false, 41);
  spec.learn_F = spec.learn_G = Learned::kDiagonal;
  return spec;
}

OnlineVariationalFilterConfig small_paper_setting() {
  auto config = OnlineVariationalFilterConfig::paper();
  config.reparameterised.iterations = 50;
  config.value_regression.points = 60;
  config.score_regression.points = 80;
  config.score_regression.tune_points = 20;
  return config;
}

// All that a step leaves behind, as one vector.
Eigen::VectorXd trace(const LinearGaussianSpec& spec, const OnlineVariationalFilterConfig& config,
                      int steps) {
  const auto observations = observe(spec, steps, 41);
  OnlineVariationalFilter filter(make_linear_gaussian(spec), config);
  const int d = filter.model().state_dim();
  const auto count = filter.parameters().size();
  Eigen::VectorXd all(steps * (d + d * d + count + 1));
  Eigen::Index next = 0;
  for (int t = 0; t < steps; ++t) {
    all[next++] = filter.step(observations.col(t)).elbo;
    all.segment(next, d) = filter.belief().mean;
    all.segment(next + d, d * d) = filter.belief().factor.lower().reshaped();
    all.segment(next + d + d * d, count) = filter.parameters();
    next += d + d * d + count;
  }
  return all;
}

TEST(OnlineVariationalFilter, SameSeedGivesBitIdenticalResults) {
  const auto spec = learned_problem(3);
  auto config = small_paper_setting();
  EXPECT_EQ(trace(spec, config, 15), trace(spec, config, 15));
  EXPECT_EQ(trace(spec, OnlineVariationalFilterConfig::fast(), 200),
            trace(spec, OnlineVariationalFilterConfig::fast(), 200));
  const Eigen::VectorXd first = trace(spec, config, 15);
  config.seed += 1;
  EXPECT_NE(first, trace(spec, config, 15));
}

// The paper's own algorithm at the scale of a test: mean-field family that contains the truth.
TEST(PaperSetting, ConvergesToTheExactJointPosterior) {
  const auto spec = random_problem(3, false, 42);
  const auto observations = observe(spec, 8, 42);
  const auto exact = rts_smoother(make_linear_gaussian(spec), observations);
  auto config = OnlineVariationalFilterConfig::paper();
  config.kernel = KernelFamily::kAffineDiagonal;
  config.learning.rule = LearningRule::kNone;
  config.reparameterised.iterations = 2000;
  config.reparameterised.decay = 0.998;
  config.value_regression.points = 200;
  OnlineVariationalFilter filter(make_linear_gaussian(spec), config);
  for (Eigen::Index t = 0; t < observations.cols(); ++t) {
    ASSERT_EQ(filter.step(observations.col(t)).status, StepStatus::kOk);
    if (t == 0) continue;
    const auto k = static_cast<std::size_t>(t);
    const double kl = kl_divergence(joint(*filter.record().kernel->affine(), filter.belief()),
                                    joint(exact.kernels[k - 1], exact.filtered[k]));
    // What is left is the noise of the last iterates: about 1e-3 for 3 dimensions.
    EXPECT_LT(kl, 5e-3) << "step " << t;
  }
}

TEST(Aelbos, AreSettingsOfTheSameFilter) {
  const auto spec = random_problem(3, true, 43);
  const auto observations = observe(spec, 60, 43);
  const auto final_elbo = [&](Objective objective) {
    auto config = OnlineVariationalFilterConfig::fast();
    config.learning.rule = LearningRule::kNone;
    config.objective = objective;
    OnlineVariationalFilter filter(make_linear_gaussian(spec), config);
    double elbo = 0.0;
    for (Eigen::Index t = 0; t < observations.cols(); ++t) {
      elbo = filter.step(observations.col(t)).elbo;
    }
    if (objective == Objective::kAelbo1) {
      // Its kernel is the last marginal: no dependence between x_{t-1} and x_t.
      EXPECT_EQ(filter.record().kernel->affine()->matrix.norm(), 0.0);
      EXPECT_EQ(filter.record().kernel->affine()->offset, filter.record().previous.mean);
    }
    return elbo;
  };
  const double evidence = rts_smoother(make_linear_gaussian(spec), observations).log_evidence;
  // In the family that contains the truth AELBO-2 is exact; AELBO-1 never is.
  EXPECT_NEAR(final_elbo(Objective::kElbo), evidence, 1e-7);
  EXPECT_NEAR(final_elbo(Objective::kAelbo2), evidence, 1e-7);
  EXPECT_LT(final_elbo(Objective::kAelbo1), evidence - 10.0);
}

// AELBO-1 takes x_{t-1} as independent of x_t: its best q_t has f around the last mean as its
// prior, without the spread of x_{t-1}. All diagonal here, so that a mean field contains it.
TEST(Aelbo1, FindsItsOwnOptimum) {
  const auto spec = random_problem(3, false, 45);
  const auto observations = observe(spec, 10, 45);
  auto natural = OnlineVariationalFilterConfig::fast();
  natural.learning.rule = LearningRule::kNone;
  auto sampled = OnlineVariationalFilterConfig::paper();
  sampled.learning.rule = LearningRule::kNone;
  sampled.reparameterised.iterations = 2000;
  sampled.reparameterised.decay = 0.998;
  auto started = sampled;
  started.reparameterised.natural_start = true;
  started.reparameterised.iterations = 1;
  started.reparameterised.learning_rate = started.reparameterised.first_learning_rate = 1e-12;
  // What is left of Adam's is the noise of its last iterates.
  for (auto [config, tolerance] : {std::pair{natural, 1e-9}, {started, 1e-9}, {sampled, 0.05}}) {
    config.objective = Objective::kAelbo1;
    OnlineVariationalFilter filter(make_linear_gaussian(spec), config);
    ASSERT_EQ(filter.step(observations.col(0)).status, StepStatus::kOk);
    for (Eigen::Index t = 1; t < observations.cols(); ++t) {
      const Eigen::VectorXd last = filter.belief().mean;
      ASSERT_EQ(filter.step(observations.col(t)).status, StepStatus::kOk);
      const Eigen::ArrayXd u = spec.U.diagonal();
      const Eigen::ArrayXd v = spec.V.diagonal();
      const Eigen::ArrayXd g = spec.G.diagonal();
      const Eigen::ArrayXd variance = (1.0 / u + g.square() / v).inverse();
      const Eigen::ArrayXd mean =
          variance * ((spec.F * last).array() / u + g * observations.col(t).array() / v);
      const Eigen::ArrayXd error = (filter.belief().mean.array() - mean) / variance.sqrt();
      EXPECT_LT(error.abs().maxCoeff(), tolerance) << "step " << t;
      const Eigen::ArrayXd ratio =
          filter.belief().factor.standard_deviations().array() / variance.sqrt();
      EXPECT_LT((ratio - 1.0).abs().maxCoeff(), tolerance) << "step " << t;
    }
  }
}

class BadInput : public testing::TestWithParam<bool> {
 protected:
  BadInput()
      : spec_(learned_problem(3)),
        observations_(observe(spec_, 12, 44)),
        filter_(make_linear_gaussian(spec_),
                GetParam() ? OnlineVariationalFilterConfig::fast() : small_paper_setting()) {
    for (int t = 0; t < 10; ++t) filter_.step(observations_.col(t));
  }

  void expect_rejected(const Eigen::VectorXd& y, const StepInput& input, StepStatus status,
                       const std::string& words) {
    const StepResult before = filter_.step(observations_.col(10), {});  // a good one passes
    ASSERT_EQ(before.status, StepStatus::kOk);
    const Gaussian after = filter_.belief();
    const Eigen::VectorXd moved = filter_.parameters();
    const StepResult result = filter_.step(y, input);
    EXPECT_EQ(result.status, status);
    EXPECT_NE(result.reason.find(words), std::string::npos) << result.reason;
    EXPECT_EQ(filter_.belief().mean, after.mean);
    EXPECT_EQ(filter_.belief().factor.lower(), after.factor.lower());
    EXPECT_EQ(filter_.parameters(), moved);
    EXPECT_EQ(result.step, before.step);
    EXPECT_EQ(result.elbo, before.elbo);
    EXPECT_EQ(filter_.step(observations_.col(11)).status, StepStatus::kOk);  // and goes on
  }

  LinearGaussianSpec spec_;
  Eigen::MatrixXd observations_;
  OnlineVariationalFilter filter_;
};
INSTANTIATE_TEST_SUITE_P(PaperAndFast, BadInput, testing::Bool());

TEST_P(BadInput, RejectsOnNan) {
  Eigen::VectorXd y = observations_.col(11);
  y[1] = std::numeric_limits<double>::quiet_NaN();
  expect_rejected(y, {}, StepStatus::kNotFinite, "observation[1] is nan");
}

TEST_P(BadInput, RejectsOnInfinity) {
  Eigen::VectorXd y = observations_.col(11);
  y[2] = std::numeric_limits<double>::infinity();
  expect_rejected(y, {}, StepStatus::kNotFinite, "observation[2] is inf");
}

TEST_P(BadInput, RejectsOnWrongSize) {
  expect_rejected(Eigen::VectorXd::Zero(4), {}, StepStatus::kWrongSize,
                  "observation has 4 numbers; the model expects 3");
  expect_rejected(Eigen::VectorXd(), {}, StepStatus::kWrongSize, "observation has 0 numbers");
}

TEST_P(BadInput, RejectsOnTimeStepThatIsNotFinite) {
  StepInput input;
  input.dt = std::numeric_limits<double>::quiet_NaN();
  expect_rejected(observations_.col(11), input, StepStatus::kNotFinite, "dt (nan)");
}

TEST_P(BadInput, KeepsTheBeliefWhenNumbersOverflow) {
  expect_rejected(Eigen::VectorXd::Constant(3, 1e200), {}, StepStatus::kNumericalFailure,
                  "the step was not taken");
}

TEST(BadConfiguration, NamesTheKeyTheValueAndWhatWasExpected) {
  const auto message_of = [](const auto& change) -> std::string {
    auto config = OnlineVariationalFilterConfig::fast();
    change(config);
    try {
      const OnlineVariationalFilter filter(make_linear_gaussian(learned_problem(2)), config);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  using Config = OnlineVariationalFilterConfig;
  EXPECT_EQ(message_of([](Config& c) { c.reparameterised.samples = 0; }),
            "reparameterised.samples is 0; expected at least 1 (an empty batch has no gradient)");
  EXPECT_EQ(message_of([](Config& c) { c.lookback = 2; }),
            "lookback is 2; expected 1: closed-form recursions have no bias to trade");
  EXPECT_EQ(message_of([](Config& c) { c.value_regression.points = 0; }),
            "value_regression.points is 0; expected at least 1 sample");
  EXPECT_EQ(message_of([](Config& c) { c.learning.schedule.power = 2.0; }),
            "learning.schedule.power is 2; expected a power in (0, 1]");
  EXPECT_NE(message_of([](Config& c) {
              c.kernel = KernelFamily::kAffineFull;
            }).find("expected kernel: closed_form"),
            std::string::npos);
}

TEST(Model, RejectsMatricesThatCannotBe) {
  const auto message_of = [](const auto& change) -> std::string {
    auto spec = learned_problem(2);
    change(spec);
    try {
      make_linear_gaussian(spec);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(message_of([](LinearGaussianSpec& s) {
              s.U(0, 0) = -1.0;
            }).find("U: covariance is not positive definite"),
            std::string::npos);
  EXPECT_NE(message_of([](LinearGaussianSpec& s) {
              s.V(0, 1) = 1.0;
            }).find("V: covariance is not symmetric"),
            std::string::npos);
  EXPECT_NE(message_of([](LinearGaussianSpec& s) { s.F.setZero(2, 3); }).find("matrix F is 2x3"),
            std::string::npos);
  EXPECT_NE(message_of([](LinearGaussianSpec& s) { s.G(0, 0) = std::nan(""); }).find("matrix G"),
            std::string::npos);
}

}  // namespace
}  // namespace ovf
