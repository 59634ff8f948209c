#include "ovf/estimator/control_volatility.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "estimator/planar_case.hpp"
#include "ovf/math/random.hpp"

namespace ovf {
namespace {

using test::at_seconds;

TEST(ControlVolatility, FindsHowMuchAWalkChanges) {
  ControlVolatility volatility;
  EXPECT_EQ(volatility.deviations().size(), 0);
  RandomStream random(4);
  Eigen::Vector2d u(1.0, 0.0);
  for (int k = 0; k < 20000; ++k) {
    u += std::sqrt(0.05) * Eigen::Vector2d(0.4 * random.normal(), 0.1 * random.normal());
    // The noise of encoders is no change of the control.
    const Eigen::Vector2d read = u + Eigen::Vector2d::Constant(0.005 * random.normal());
    volatility.see({at_seconds(0.05 * k), read});
  }
  // 240 changes of half a second count: a deviation to about 5 %.
  EXPECT_NEAR(volatility.deviations()[0], 0.4, 0.08);
  EXPECT_NEAR(volatility.deviations()[1], 0.1, 0.02);
}

TEST(ControlVolatility, TakesNoSilenceAndNoLoopForAChange) {
  ControlVolatility volatility;
  volatility.see({at_seconds(0.0), Eigen::Vector2d::Zero()});
  volatility.see({at_seconds(100.0), Eigen::Vector2d::Ones()});
  volatility.see({at_seconds(50.0), Eigen::Vector2d::Zero()});
  EXPECT_EQ(volatility.deviations().size(), 0);
  volatility.see({at_seconds(51.0), Eigen::Vector2d::Ones()});
  EXPECT_EQ(volatility.deviations(), Eigen::Vector2d::Ones());
}

TEST(Estimator, LeavesOpenInARolloutWhatControlsMayDo) {
  Estimator estimator(test::planar_config());
  for (int k = 0; k < 400; ++k) {
    const double v = (k / 40) % 2 == 0 ? 0.5 : 1.5;  // every four seconds it goes slower or faster
    estimator.process(Control{at_seconds(0.1 * k), Eigen::Vector2d(v, 0.0)});
    if (k % 5 == 0) estimator.process(test::gps(0.1 * k, 0.1 * k, 0.0));
  }
  const auto deviation = [&](ControlPlan plan) {
    return std::sqrt(estimator.rollout({.plan = plan}).covariances.back()(0, 0));
  };
  EXPECT_GT(deviation(ControlPlan::kUnknown), 2.0 * deviation(ControlPlan::kHeld));
  EXPECT_LT(deviation(ControlPlan::kUnknown), 3.0);
}

}  // namespace
}  // namespace ovf
