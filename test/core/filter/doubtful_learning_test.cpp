// Chaos learned from far off: where theta is not found, the filter says that it is not known.
#include <gtest/gtest.h>

#include <memory>

#include "ovf/filter/online_variational_filter.hpp"
#include "ovf/model/function_mean.hpp"
#include "ovf/model/linear_mean.hpp"
#include "ovf/model/nonlinear_gaussian.hpp"

namespace ovf {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const Vector3d kTruth(10.0, 28.0, 8.0 / 3.0);
constexpr double kDt = 0.1;

// Lorenz-63 by Runge-Kutta, of which one coordinate is seen.
VectorXd lorenz(const VectorXd& x, const VectorXd& theta, const StepInput& /*input*/) {
  const auto rate = [&](const Vector3d& s) {
    return Vector3d(theta[0] * (s[1] - s[0]), s[0] * (theta[1] - s[2]) - s[1],
                    s[0] * s[1] - theta[2] * s[2]);
  };
  const Vector3d a = rate(x);
  const Vector3d b = rate(x + 0.5 * kDt * a);
  const Vector3d c = rate(x + 0.5 * kDt * b);
  const Vector3d d = rate(x + kDt * c);
  return x + kDt / 6.0 * (a + 2.0 * b + 2.0 * c + d);
}

StateSpaceModel model(const Vector3d& theta) {
  FunctionMean::Spec f{.input_dim = 3, .output_dim = 3, .value = lorenz};
  const char* const names[] = {"sigma", "rho", "beta"};
  for (int i = 0; i < 3; ++i) {
    f.parameters.add({.name = names[i], .transform = Transform::kPositive}, theta[i]);
  }
  NonlinearGaussianSpec spec;
  spec.prior = {Vector3d(1.5, -1.5, 25.5),
                CovarianceFactor::from_standard_deviations(Vector3d::Constant(2.0))};
  spec.f = std::make_unique<FunctionMean>(f);
  spec.g = std::make_unique<LinearMean>(
      LinearMean::Spec{.A = Eigen::RowVector3d(1.0, 0.0, 0.0), .b = {}});
  spec.U = 0.1 * Eigen::Matrix3d::Identity();
  spec.V = VectorXd::Ones(1);
  return make_nonlinear_gaussian(std::move(spec));
}

class LearnedChaos : public ::testing::Test {
 protected:
  void learn_from(const Vector3d& start) {
    RandomStream random(1, 77);
    const auto sequence = simulate(model(kTruth), 3000, random);
    filter_ = std::make_unique<OnlineVariationalFilter>(model(start),
                                                        OnlineVariationalFilterConfig::fast());
    for (Eigen::Index t = 0; t < sequence.observations.cols(); ++t) {
      filter_->step(sequence.observations.col(t));
    }
    error_ = (filter_->parameters() - kTruth).cwiseAbs();
  }
  std::unique_ptr<OnlineVariationalFilter> filter_;
  VectorXd error_;
};

TEST_F(LearnedChaos, IsFoundFromTheTruth) {
  learn_from(kTruth);
  EXPECT_FALSE(filter_->learner().in_doubt());
  for (int i = 0; i < 3; ++i) EXPECT_LT(error_[i], 0.05 * kTruth[i]) << i;
}

// Another optimum: theta far from the truth, and predictions nearly as good.
TEST_F(LearnedChaos, IsInDoubtInAnotherOptimum) {
  learn_from({12.0, 40.0, 3.5});
  EXPECT_GT(error_[1], 0.2 * kTruth[1]);
  EXPECT_EQ(filter_->last_result().health, Health::kOverconfident);
  const VectorXd deviations = filter_->learner().standard_deviations();
  for (int i = 0; i < 3; ++i) EXPECT_LT(error_[i], 2.0 * deviations[i]) << i;
}

TEST_F(LearnedChaos, IsInDoubtWhereTheBeliefHasLeftTheTruth) {
  learn_from({5.0, 15.0, 1.0});
  EXPECT_EQ(filter_->last_result().health, Health::kInconsistent);
  EXPECT_TRUE(filter_->learner().in_doubt());
  const VectorXd deviations = filter_->learner().standard_deviations();
  for (int i = 0; i < 3; ++i) {
    EXPECT_GT(error_[i], 0.5 * kTruth[i]) << i;
    EXPECT_LT(error_[i], 2.0 * deviations[i]) << i;
    EXPECT_NE(filter_->learner().statuses()[static_cast<std::size_t>(i)],
              ParameterStatus::kIdentified);
  }
}

}  // namespace
}  // namespace ovf
