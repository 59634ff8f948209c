// Counts heap allocations: a steady-state step of the fast setting must make none.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

#include "filter/linear_problem.hpp"
#include "filter/neural_problem.hpp"
#include "ovf/evaluation/chaotic_rnn_problem.hpp"

namespace {

std::atomic<long> allocations{0};

}  // namespace

// Eigen calls malloc, operator new calls malloc: one hook sees both.
extern "C" void* malloc(std::size_t size) {
  using Malloc = void* (*)(std::size_t);
  static const auto real = reinterpret_cast<Malloc>(dlsym(RTLD_NEXT, "malloc"));
  ++allocations;
  return real(size);
}

namespace ovf {
namespace {

TEST(Allocations, AreSeenByTheHook) {
  const long before = allocations;
  const Eigen::VectorXd vector = Eigen::VectorXd::Ones(100);
  EXPECT_EQ(allocations - before, 1);
  EXPECT_EQ(vector.sum(), 100.0);
}

class FastStep : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(DiagonalAndFull, FastStep, testing::Bool());

TEST_P(FastStep, AllocatesNothingInTheSteadyState) {
  auto spec = test::random_problem(10, GetParam(), 31);
  spec.learn_F = spec.learn_G = Learned::kDiagonal;
  spec.learn_V = Learned::kDiagonal;
  if (GetParam()) spec.learn_V = Learned::kFull;
  const auto observations = test::observe(spec, 100, 31);
  for (const auto marginal : {CovarianceForm::kFull, CovarianceForm::kDiagonal}) {
    auto config = OnlineVariationalFilterConfig::fast();
    config.marginal = marginal;
    OnlineVariationalFilter filter(make_linear_gaussian(spec), config);
    Eigen::VectorXd y(10);
    const StepInput input;
    long in_steady_state = 0;
    int learned = 0;
    for (Eigen::Index t = 0; t < observations.cols(); ++t) {
      y = observations.col(t);
      const long before = allocations;
      const StepResult& result = filter.step(y, input);
      if (t >= 10) in_steady_state += allocations - before;
      ASSERT_EQ(result.status, StepStatus::kOk);
      learned += result.learned ? 1 : 0;
    }
    EXPECT_EQ(in_steady_state, 0);
    EXPECT_EQ(learned, 95);  // all but the burn-in
  }
}

// Whether parameters are learned.
class FastChaoticRnnStep : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(FrozenAndLearned, FastChaoticRnnStep, testing::Bool());

TEST_P(FastChaoticRnnStep, AllocatesNothingInTheSteadyState) {
  auto problem = random_chaotic_rnn_problem(5, 60, 32);
  auto& spec = problem.spec;
  spec.learn_gamma = spec.learn_process_noise = spec.learn_observation_scale = spec.learn_nu =
      GetParam();
  OnlineVariationalFilter filter(make_chaotic_rnn(spec), OnlineVariationalFilterConfig::fast());
  Eigen::VectorXd y(problem.dim());
  const StepInput input;
  long in_steady_state = 0;
  int learned = 0;
  for (int t = 0; t < problem.steps(); ++t) {
    y = problem.observations.col(t);
    const long before = allocations;
    const StepResult& result = filter.step(y, input);
    if (t >= 10) in_steady_state += allocations - before;
    ASSERT_EQ(result.status, StepStatus::kOk);
    learned += result.learned ? 1 : 0;
  }
  EXPECT_EQ(in_steady_state, 0);
  EXPECT_EQ(learned, GetParam() ? 55 : 0);  // all but the burn-in
}

// Whether S has squares.
class NeuralStep : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(LinesAndSquares, NeuralStep, testing::Bool());

TEST_P(NeuralStep, AllocatesNothingInTheSteadyState) {
  NeuralTransitionSpec spec = test::small_neural_spec();
  spec.control_dim = 1;
  spec.learn_noise = LearnedScale::kShared;
  auto config = OnlineVariationalFilterConfig::neural();
  config.score_squares = GetParam();
  OnlineVariationalFilter filter(test::observed_neural_model(spec, 0.3), config);
  RandomStream random(33);
  const auto y = simulate(test::observed_neural_model(spec, 0.3), 40, random).observations;
  Eigen::VectorXd now(3);
  StepInput input;
  input.control.setConstant(1, 0.5);
  long in_steady_state = 0;
  for (Eigen::Index t = 0; t < y.cols(); ++t) {
    now = y.col(t);
    const long before = allocations;
    const StepResult& result = filter.step(now, input);
    if (t >= 10) in_steady_state += allocations - before;
    ASSERT_EQ(result.status, StepStatus::kOk);
    ASSERT_EQ(result.learned, t >= 5);
  }
  EXPECT_EQ(in_steady_state, 0);
}

}  // namespace
}  // namespace ovf
