// What earlier steps teach the networks of amortised inference, judged by the Kalman filter.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "filter/amortised_filters.hpp"
#include "filter/linear_problem.hpp"
#include "ovf/filter/kalman_filter.hpp"

namespace ovf {
namespace {

using test::AmortisedSetting;

constexpr int kDim = 3;
constexpr int kTraining = 300;
constexpr int kUnseen = 50;
// The first steps differ from all others, and training has seen them once.
constexpr int kFirst = 10;

// The distance of two means in deviations of the second belief, per dimension.
double distance(const Gaussian& belief, const Gaussian& exact) {
  Eigen::VectorXd shift = belief.mean - exact.mean;
  exact.factor.whiten(shift);
  return shift.norm() / std::sqrt(static_cast<double>(shift.size()));
}

double mean(const std::vector<double>& values, std::size_t first, std::size_t count) {
  double sum = 0.0;
  for (std::size_t i = first; i < first + count; ++i) sum += values[i];
  return sum / static_cast<double>(count);
}

class AmortisedLinear : public testing::TestWithParam<AmortisedSetting> {
 protected:
  std::unique_ptr<OnlineVariationalFilter> make(const OnlineVariationalFilterConfig& config) const {
    return std::make_unique<OnlineVariationalFilter>(make_linear_gaussian(spec_), config);
  }
  OnlineVariationalFilterConfig at_test_time() const {
    auto config = GetParam().config;
    config.amortised.iterations = 0;
    return config;
  }
  /// Distances to the Kalman filter before the inner loop and after it.
  struct Distances {
    std::vector<double> zero_shot, final;
  };
  Distances run(OnlineVariationalFilter& filter, const Eigen::MatrixXd& observations) const {
    KalmanFilter exact(make_linear_gaussian(spec_));
    Distances found;
    filter.observe_iterations([&](int iteration, const StepRecord& record) {
      if (iteration > 0) return;
      found.zero_shot.push_back(distance(record.marginal.gaussian(), exact.belief()));
    });
    for (Eigen::Index t = 0; t < observations.cols(); ++t) {
      exact.step(observations.col(t));
      EXPECT_TRUE(filter.step(observations.col(t)).ok());
      found.final.push_back(distance(filter.belief(), exact.belief()));
    }
    filter.observe_iterations({});
    return found;
  }
  /// A filter that has seen the training data, once for all tests of the setting.
  struct Training {
    Distances errors;
    Archive::Bytes filter;
  };
  const Training& training() const {
    static std::map<std::string, Training> all;
    const auto [place, is_new] = all.try_emplace(GetParam().name);
    if (is_new) {
      auto filter = make(GetParam().config);
      place->second.errors = run(*filter, test::observe(spec_, kTraining, 91));
      place->second.filter = test::bytes_of(*filter);
    }
    return place->second;
  }
  /// It once more, at a first step.
  std::unique_ptr<OnlineVariationalFilter> trained(
      const OnlineVariationalFilterConfig& config) const {
    auto filter = make(config);
    test::read(*filter, training().filter);
    filter->restart(spec_.prior);
    return filter;
  }

  LinearGaussianSpec spec_ = test::random_problem(kDim, true, 91);
  Eigen::MatrixXd unseen_ = test::observe(spec_, kUnseen, 92);
};
INSTANTIATE_TEST_SUITE_P(, AmortisedLinear, testing::ValuesIn(test::forward_settings()),
                         [](const auto& tested) { return tested.param.name; });

// Measured: 0.9 ... 1.4 deviations in the first ten steps, 0.02 (natural gradient) and 0.06 (ELBO)
// in the last fifty.
TEST_P(AmortisedLinear, ZeroShotComesCloserToTheExactMean) {
  const std::vector<double>& errors = training().errors.zero_shot;
  ASSERT_EQ(errors.size(), static_cast<std::size_t>(kTraining));
  EXPECT_GT(mean(errors, 0, kFirst), 0.8);
  EXPECT_LT(mean(errors, kTraining - 50, 50), 0.1);
}

// With one teacher it ends at the exact posterior, with the other close to it.
TEST_P(AmortisedLinear, InnerLoopEndsCloserThanItStarts) {
  const Distances& errors = training().errors;
  if (GetParam().config.amortised.teacher == AmortisedTeacher::kNaturalGradient) {
    EXPECT_LT(mean(errors.final, 0, kTraining), 1e-9);
  } else {
    EXPECT_LT(mean(errors.final, 0, kFirst), 0.8 * mean(errors.zero_shot, 0, kFirst));
    EXPECT_LT(mean(errors.final, kTraining - 50, 50), 0.05);
  }
}

TEST_P(AmortisedLinear, ServesAsTrainedAtTestTime) {
  const Distances errors = run(*trained(at_test_time()), unseen_);
  EXPECT_EQ(errors.final, errors.zero_shot);
  const double error = mean(errors.final, kFirst, kUnseen - kFirst);
  const double untrained =
      mean(run(*make(at_test_time()), unseen_).final, kFirst, kUnseen - kFirst);
  EXPECT_LT(error, 0.15);
  EXPECT_GT(untrained, 5.0 * error);
}

// Whatever weights it began with. Measured over ten seeds: 0.02 (natural gradient) and 0.07 (ELBO)
// at most; a memory of the first, poor posteriors and a network that never saw a first step again
// had up to 1.7.
using AmortisedLinearSlow = AmortisedLinear;
INSTANTIATE_TEST_SUITE_P(, AmortisedLinearSlow, testing::ValuesIn(test::forward_settings()),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(AmortisedLinearSlow, AnyNetworkServesAfterARestart) {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    auto config = GetParam().config;
    config.seed = seed;
    const auto filter = make(config);
    run(*filter, test::observe(spec_, kTraining, 91));
    config.amortised.iterations = 0;
    const auto tested = make(config);
    test::read(*tested, test::bytes_of(*filter));
    tested->restart(spec_.prior);
    const Distances errors = run(*tested, unseen_);
    EXPECT_LT(mean(errors.final, kFirst, kUnseen - kFirst), 0.15) << "seed " << seed;
  }
}

// It learns nothing more: the same observations give the same beliefs to the last bit.
TEST_P(AmortisedLinear, StaysAsItIsAtTestTime) {
  const auto filter = trained(at_test_time());
  run(*filter, unseen_);
  const Gaussian first = filter->belief();
  filter->restart(spec_.prior);
  run(*filter, unseen_);
  EXPECT_EQ(filter->belief().mean, first.mean);
  EXPECT_EQ(filter->belief().factor.lower(), first.factor.lower());
}

// A restart forgets where the state was, not what the networks have learned.
TEST_P(AmortisedLinear, KeepsItsNetworksInARestart) {
  const Distances errors = run(*trained(GetParam().config), unseen_);
  EXPECT_LT(mean(errors.zero_shot, kFirst, kUnseen - kFirst), 0.2);
}

TEST_P(AmortisedLinear, SameSeedGivesBitIdenticalResults) {
  auto config = GetParam().config;
  const auto bytes = [&] {
    const auto filter = make(config);
    run(*filter, unseen_.leftCols(10));
    return test::bytes_of(*filter);
  };
  const Archive::Bytes first = bytes();
  EXPECT_EQ(bytes(), first);
  config.seed += 1;
  EXPECT_NE(bytes(), first);
}

TEST_P(AmortisedLinear, EndsEarlyWhenTimeIsUp) {
  const auto filter = make(GetParam().config);
  filter->set_out_of_time([] { return true; });
  int last = -1;
  filter->observe_iterations([&](int iteration, const StepRecord&) { last = iteration; });
  EXPECT_EQ(filter->step(unseen_.col(0)).iterations, 1);
  EXPECT_EQ(last, 1);
}

}  // namespace
}  // namespace ovf
