#include "ovf/filter/systematic_resampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ovf/math/random.hpp"

namespace ovf {
namespace {

Eigen::VectorXd random_weights(int count, RandomStream& random) {
  Eigen::VectorXd weights(count);
  for (double& weight : weights) weight = random.uniform() < 0.2 ? 0.0 : random.uniform();
  return weights;
}

Eigen::VectorXd counts_of(const Eigen::VectorXi& ancestors, Eigen::Index particles) {
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(particles);
  for (const int ancestor : ancestors) counts[ancestor] += 1.0;
  return counts;
}

TEST(SystematicResampling, DrawsEachParticleFloorOrCeilingOfItsShare) {
  RandomStream random(1);
  for (const int draws : {1, 7, 100, 1000}) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      const Eigen::VectorXd weights = random_weights(100, random);
      Eigen::VectorXi ancestors(draws);
      ASSERT_TRUE(systematic_resampling(weights, random.uniform(), ancestors));
      const Eigen::VectorXd counts = counts_of(ancestors, 100);
      const Eigen::VectorXd shares = weights * (draws / weights.sum());
      // 1e-9: the rounding of the cumulated weights.
      ASSERT_LT((counts - shares).cwiseAbs().maxCoeff(), 1.0 + 1e-9);
      ASSERT_TRUE(std::is_sorted(ancestors.begin(), ancestors.end()));
      for (const int ancestor : ancestors) ASSERT_GT(weights[ancestor], 0.0);
    }
  }
}

TEST(SystematicResampling, DrawsEachParticleByItsShareOnAverage) {
  RandomStream random(2);
  const Eigen::VectorXd weights = random_weights(10, random);
  Eigen::VectorXi ancestors(7);
  Eigen::VectorXd counts = Eigen::VectorXd::Zero(10);
  constexpr int kCombs = 10'000;
  for (int i = 0; i < kCombs; ++i) {
    ASSERT_TRUE(systematic_resampling(weights, (i + 0.5) / kCombs, ancestors));
    counts += counts_of(ancestors, 10) / kCombs;
  }
  // An even grid of combs: each count changes at most twice, by one grid step each.
  EXPECT_LT((counts - weights * (7.0 / weights.sum())).cwiseAbs().maxCoeff(), 2.0 / kCombs);
}

TEST(SystematicResampling, KeepsEqualWeightsAsTheyAre) {
  Eigen::VectorXi ancestors(1000);
  ASSERT_TRUE(systematic_resampling(Eigen::VectorXd::Constant(1000, 0.001), 0.5, ancestors));
  EXPECT_EQ(ancestors, Eigen::VectorXi::LinSpaced(1000, 0, 999));
}

TEST(SystematicResampling, FollowsTheOnlyWeightWhereverItIs) {
  for (const double uniform : {0.0, 0.5, std::nextafter(1.0, 0.0)}) {
    for (const int heavy : {0, 4, 9}) {
      Eigen::VectorXd weights = Eigen::VectorXd::Zero(10);
      weights[heavy] = 1e-300;
      Eigen::VectorXi ancestors(33);
      ASSERT_TRUE(systematic_resampling(weights, uniform, ancestors));
      EXPECT_EQ(ancestors, Eigen::VectorXi::Constant(33, heavy));
    }
  }
}

TEST(SystematicResampling, RefusesWeightsWithoutMeaning) {
  const Eigen::VectorXi before = Eigen::VectorXi::Constant(3, -1);
  Eigen::VectorXi ancestors = before;
  EXPECT_FALSE(systematic_resampling(Eigen::VectorXd::Zero(3), 0.5, ancestors));
  EXPECT_FALSE(systematic_resampling(Eigen::VectorXd(), 0.5, ancestors));
  for (const double bad :
       {-0.1, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(systematic_resampling(Eigen::Vector3d(0.5, bad, 0.5), 0.5, ancestors));
  }
  EXPECT_EQ(ancestors, before);
}

}  // namespace
}  // namespace ovf
