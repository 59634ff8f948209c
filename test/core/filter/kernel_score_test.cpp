#include "ovf/filter/kernel_score.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "filter/linear_problem.hpp"
#include "filter/shared_kernel_sequence.hpp"
#include "ovf/math/gradient_check.hpp"
#include "posterior/wavy_function.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::RandomInputs;

constexpr int kDim = 2;
constexpr int kSteps = 4;

// V_{t-1} is the wavy function at every step.
class WavyValue final : public ValueRecursion {
 public:
  bool state_gradient(const StateSpaceModel& /*model*/, const Eigen::MatrixXd& x,
                      Eigen::MatrixXd& out) override {
    out = factor * test::wavy_gradient(x);
    return true;
  }
  double update(const StepView& /*step*/) override { return 0.0; }
  void commit() override {}
  void archive(Archive& /*archive*/, const StateSpaceModel& /*model*/) override {}

  double factor = 1.0;
};

RegressionConfig squares() {
  RegressionConfig config = AmortisedConfig::lines();
  config.regressor.hermite.degree = 2;
  config.points = 50;
  return config;
}

class KernelScores : public testing::Test {
 protected:
  Eigen::MatrixXd targets(KernelScore& score, std::size_t t) {
    Eigen::MatrixXd out;
    score.targets(steps_.at(t), value_, to_, noise_, out);
    return out;
  }
  void update(KernelScore& score, std::size_t first, std::size_t last) {
    for (std::size_t t = first; t <= last; ++t) score.update(steps_.at(t), value_);
  }
  Eigen::VectorXd increment(const KernelScore& score, const Eigen::MatrixXd& previous) const {
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(count_);
    score.add_increment(previous, gradient);
    return gradient;
  }
  Archive::Bytes bytes_of(KernelScore& score) const {
    Archive::Bytes bytes;
    Archive archive = Archive::writer(bytes);
    score.archive(archive, kDim, count_);
    return bytes;
  }
  void read(KernelScore& score, const Archive::Bytes& bytes) const {
    Archive archive = Archive::reader(bytes);
    score.archive(archive, kDim, count_);
    archive.finish();
  }

  LinearGaussianSpec spec_ = test::random_problem(kDim, true, 81);
  StateSpaceModel model_ = make_linear_gaussian(spec_);
  std::vector<StepRecord> records_ = test::shared_kernel_sequence(
      make_linear_gaussian(spec_), test::observe(spec_, kSteps, 81), {4}, 82);
  test::StepViews steps_{model_, records_};
  int count_ = records_[0].kernel->parameter_count();
  WavyValue value_;
  RandomInputs inputs_{83};
  Eigen::MatrixXd to_ = inputs_.matrix(kDim, 3);
  Eigen::MatrixXd noise_ = inputs_.matrix(kDim, 3);
};

// For each draw by itself, up to the kernel's entropy, which does not depend on x_t.
TEST_F(KernelScores, TargetsAreTheDerivativeOfTheValue) {
  KernelScore score(squares(), 1);
  const Eigen::MatrixXd found = targets(score, 2);
  StepRecord& record = records_[2];
  Eigen::VectorXd phi(count_);
  record.kernel->read_parameters(phi);
  for (Eigen::Index n = 0; n < to_.cols(); ++n) {
    const auto V = [&](const Eigen::VectorXd& moved) {
      record.kernel->write_parameters(moved);
      Eigen::MatrixXd from;
      record.kernel->sample(to_.col(n), noise_.col(n), from);
      Eigen::VectorXd reward;
      Reward().values(model_, record, from, to_.col(n), reward);
      return reward[0] + test::wavy(from) - record.kernel->noise().log_determinant();
    };
    // Rewards are of order 100.
    EXPECT_TRUE(all_close(found.col(n), numerical_gradient(V, phi), 1e-6)) << "draw " << n;
    record.kernel->write_parameters(phi);
  }
}

// U_{t-1} at the draws of x_{t-1}, whose differences an increment shows too.
TEST_F(KernelScores, TargetsContinueTheLastScore) {
  KernelScore none(squares(), 1);
  KernelScore score(squares(), 1);
  update(score, 0, 1);
  score.begin(records_[2]);
  const Eigen::MatrixXd last = targets(score, 2) - targets(none, 2);
  Eigen::MatrixXd from;
  records_[2].kernel->sample(to_, noise_, from);
  for (Eigen::Index n = 1; n < to_.cols(); ++n) {
    const Eigen::VectorXd expected = increment(score, from.col(n)) - increment(score, from.col(0));
    EXPECT_GT(expected.norm(), 0.1);
    EXPECT_TRUE(all_close(last.col(n) - last.col(0), expected, 1e-9));
  }
}

// The expectation under q_{t-1} by as many draws as U has points, mirrored: what is linear in x is
// exact, and for lines all of it is.
TEST_F(KernelScores, IncrementVanishesAtTheLastMarginal) {
  KernelScore score(AmortisedConfig::lines(), 1);
  update(score, 0, 1);
  score.begin(records_[2]);
  EXPECT_LT(increment(score, records_[2].previous.mean).norm(), 1e-9);
  const Eigen::VectorXd away = records_[2].previous.mean + Eigen::VectorXd::Ones(kDim);
  EXPECT_GT(increment(score, away).norm(), 0.1);
}

TEST_F(KernelScores, IsAddedToAGradient) {
  KernelScore score(squares(), 1);
  update(score, 0, 1);
  score.begin(records_[2]);
  const Eigen::VectorXd start = inputs_.vector(count_);
  Eigen::VectorXd gradient = start;
  score.add_increment(to_, gradient);
  EXPECT_TRUE(all_close(gradient - start, increment(score, to_), 1e-12));
}

TEST_F(KernelScores, IsZeroUntilAKernelWasUsedAndAfterARestart) {
  KernelScore score(squares(), 1);
  const auto expect_zero = [&] {
    update(score, 0, 0);
    score.begin(records_[1]);
    EXPECT_EQ(increment(score, to_).norm(), 0.0);
  };
  expect_zero();
  update(score, 1, 2);
  score.begin(records_[3]);
  EXPECT_GT(increment(score, to_).norm(), 0.1);
  score.restart();
  expect_zero();
}

// Numbers that overflowed are no targets: the last U stands in for the step, and its expectation is
// that under the belief of the day.
TEST_F(KernelScores, KeepsTheLastScoreWhereTheNextIsNotFinite) {
  KernelScore score(AmortisedConfig::lines(), 1);
  update(score, 0, 1);
  score.begin(records_[2]);
  const Eigen::VectorXd before = increment(score, to_.col(0)) - increment(score, to_.col(1));
  EXPECT_GT(increment(score, records_[3].previous.mean).norm(), 0.1);
  value_.factor = std::numeric_limits<double>::infinity();
  update(score, 2, 2);
  score.begin(records_[3]);
  const Eigen::VectorXd after = increment(score, to_.col(0)) - increment(score, to_.col(1));
  EXPECT_TRUE(all_close(after, before, 1e-12));
  EXPECT_LT(increment(score, records_[3].previous.mean).norm(), 1e-9);
}

// Whatever came of the step before.
TEST_F(KernelScores, LeavesNoTraceOfARejectedStep) {
  for (const double last : {1.0, std::numeric_limits<double>::infinity()}) {
    for (std::size_t taken = 0; taken + 1 < records_.size(); ++taken) {
      KernelScore untouched(squares(), 1);
      KernelScore score(squares(), 1);
      for (KernelScore* one : {&untouched, &score}) {
        for (std::size_t t = 0; t <= taken; ++t) {
          one->begin(records_[t]);
          value_.factor = t == taken ? last : 1.0;
          update(*one, t, t);
        }
      }
      score.begin(records_[taken + 1]);
      score.reject();
      EXPECT_EQ(bytes_of(score), bytes_of(untouched)) << "after " << taken << " and " << last;
    }
  }
}

TEST_F(KernelScores, ContinuesIdenticallyFromItsBytes) {
  for (std::size_t saved = 0; saved + 1 < records_.size(); ++saved) {
    KernelScore score(squares(), 1);
    update(score, 0, saved);
    KernelScore copy(squares(), 2);
    update(copy, 0, 3);
    read(copy, bytes_of(score));
    for (std::size_t t = saved + 1; t < records_.size(); ++t) {
      score.begin(records_[t]);
      copy.begin(records_[t]);
      EXPECT_EQ(increment(copy, to_), increment(score, to_));
      update(score, t, t);
      update(copy, t, t);
      ASSERT_EQ(bytes_of(copy), bytes_of(score)) << "step " << t << " after " << saved;
    }
  }
}

TEST_F(KernelScores, RefusesTheBytesOfAnotherRegressor) {
  KernelScore score(squares(), 1);
  RegressionConfig config;
  KernelScore ridge(config, 1);
  EXPECT_PRED2(test::contains, test::message_of([&] { read(ridge, bytes_of(score)); }),
               "regressor of U: expected ");
}

}  // namespace
}  // namespace ovf
