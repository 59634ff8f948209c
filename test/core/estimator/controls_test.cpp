// Controls that no robot can follow, and time that no control speaks of.
#include <gtest/gtest.h>

#include <cmath>

#include "estimator/planar_case.hpp"

namespace ovf {
namespace {

using test::at_seconds;
using test::planar_config;

double position_deviation(const Estimator& estimator) {
  return std::sqrt(estimator.belief().covariance().topLeftCorner<2, 2>().trace());
}

// Straight on at 1 m/s, from 0 to 20 s, with a position and a heading at each tenth of a second.
Estimator& drive(Estimator& estimator) {
  for (int k = 0; k <= 200; ++k) {
    const double t = 0.1 * k;
    estimator.process(Control{at_seconds(t), Eigen::Vector2d(1.0, 0.0)});
    estimator.process(test::gps(t, t, 0.0));
    estimator.process(
        Measurement{.stamp = at_seconds(t), .sensor = "compass", .y = Eigen::VectorXd::Zero(1)});
  }
  return estimator;
}

TEST(Controls, BeyondPhysicalLimitsAreRefusedWithTheirNumbers) {
  Estimator estimator(planar_config());
  drive(estimator);
  const Eigen::VectorXd before = estimator.belief().mean;
  for (const Eigen::Vector2d& u :
       {Eigen::Vector2d(1e12, 0.0), Eigen::Vector2d(1.0, -1e4), Eigen::Vector2d(90.0, 0.0)}) {
    const EstimatorResult& result = estimator.process(Control{at_seconds(20.1), u});
    EXPECT_EQ(result.outcome, Outcome::kGated);
    EXPECT_NE(result.reason.find("motion.limits."), std::string::npos) << result.reason;
  }
  EXPECT_EQ(estimator.belief().mean, before);
  EXPECT_TRUE(estimator.process(Control{at_seconds(20.2), Eigen::Vector2d(1.2, 0.0)}).outcome ==
              Outcome::kPredicted);
}

TEST(Controls, MayChangeAsMuchAsTheTimeBetweenThemAllows) {
  EstimatorConfig config = planar_config();
  config.motion.limits.acceleration = 10.0;
  Estimator estimator(config);
  drive(estimator);
  // 3 m/s more within 0.1 s are too many, within half a second they are not.
  EXPECT_EQ(estimator.process(Control{at_seconds(20.1), Eigen::Vector2d(4.0, 0.0)}).outcome,
            Outcome::kGated);
  EXPECT_EQ(estimator.process(Control{at_seconds(20.5), Eigen::Vector2d(4.0, 0.0)}).outcome,
            Outcome::kPredicted);
}

TEST(Controls, EveryOtherOneBeingGarbageChangesLittle) {
  Estimator estimator(planar_config());
  drive(estimator);
  for (int k = 201; k <= 450; ++k) {
    const double t = 0.1 * k;
    const double v = k % 2 == 0 ? 1e9 : 1.0;
    estimator.process(Control{at_seconds(t), Eigen::Vector2d(v, 0.0)});
  }
  EXPECT_NEAR(estimator.belief().mean[0], 45.0, 3.0 * position_deviation(estimator) + 0.1);
  EXPECT_LT(position_deviation(estimator), 2.0);
  EXPECT_EQ(estimator.counters().of(Outcome::kNumericalFailure), 0);
}

// Everything stops for ten seconds, in which the robot might have stood or gone on.
TEST(Controls, SayNothingOfALongGapBeforeThem) {
  Estimator estimator(planar_config());
  drive(estimator);
  const double before = position_deviation(estimator);
  estimator.process(Control{at_seconds(30.0), Eigen::Vector2d(1.0, 0.0)});
  EXPECT_GT(position_deviation(estimator), 2.0);
  EXPECT_LT(before, 0.2);
  const double off_if_it_stood = estimator.belief().mean[0] - 20.0;
  EXPECT_LT(off_if_it_stood, 3.0 * position_deviation(estimator));
}

// However fast it was and however long the gap, it may have stopped at its beginning.
TEST(Controls, LeaveOpenWhetherTheRobotStoppedInAGap) {
  for (const double speed : {0.5, 3.0, 10.0}) {
    for (const double gap : {1.5, 3.0, 20.0}) {
      Estimator estimator(planar_config());
      for (int k = 0; k <= 200; ++k) {
        const double t = 0.1 * k;
        estimator.process(Control{at_seconds(t), Eigen::Vector2d(speed, 0.0)});
        estimator.process(test::gps(t, speed * t, 0.0));
        estimator.process(Measurement{
            .stamp = at_seconds(t), .sensor = "compass", .y = Eigen::VectorXd::Zero(1)});
      }
      estimator.process(Control{at_seconds(20.0 + gap), Eigen::Vector2d(0.0, 0.0)});
      const double off = std::abs(estimator.belief().mean[0] - 20.0 * speed);
      EXPECT_LT(off, 3.0 * std::sqrt(estimator.belief().covariance()(0, 0)))
          << speed << " m/s, " << gap << " s";
    }
  }
}

// Such a change is within the limits, but not what robots do: one alone is not used.
TEST(Controls, ThatJumpNeedASecondOne) {
  for (const double speed : {5.0, 15.0, 20.0, -15.0}) {
    Estimator estimator(planar_config());
    drive(estimator);
    double most = 0.0;
    for (int k = 201; k <= 230; ++k) {
      const double t = 0.1 * k;
      const EstimatorResult& result =
          estimator.process(Control{at_seconds(t), Eigen::Vector2d(k == 205 ? speed : 1.0, 0.0)});
      EXPECT_EQ(result.outcome, k == 205 ? Outcome::kGated : Outcome::kPredicted) << speed;
      most =
          std::max(most, std::abs(estimator.belief().mean[0] - t) / position_deviation(estimator));
    }
    EXPECT_LT(most, 3.0) << speed;
    EXPECT_NEAR(estimator.belief().mean[0], 23.0, 0.2) << speed;
  }
}

TEST(Controls, ThatJumpAreUsedOnceTheNextOneConfirmsThem) {
  Estimator estimator(planar_config());
  drive(estimator);
  for (int k = 201; k <= 210; ++k) {
    estimator.process(Control{at_seconds(0.1 * k), Eigen::Vector2d(5.0, 0.0)});
  }
  EXPECT_NEAR(estimator.belief().mean[0], 25.0, 0.6);
  EXPECT_LT(25.0 - estimator.belief().mean[0], 3.0 * position_deviation(estimator));
}

TEST(Controls, ThatAlternateWithGarbageWithinTheLimitsLeaveAnHonestBelief) {
  Estimator estimator(planar_config());
  drive(estimator);
  double most = 0.0;
  for (int k = 201; k <= 450; ++k) {
    const double t = 0.1 * k;
    estimator.process(Control{at_seconds(t), Eigen::Vector2d(k % 2 == 0 ? 15.0 : 1.0, 0.0)});
    if (k % 5 == 0) estimator.process(test::gps(t, t, 0.0));
    most = std::max(most, std::abs(estimator.belief().mean[0] - t) / position_deviation(estimator));
  }
  EXPECT_LT(most, 4.0);
  EXPECT_EQ(estimator.counters().of(Outcome::kNumericalFailure), 0);
  for (int k = 451; k <= 550; ++k) {
    const double t = 0.1 * k;
    estimator.process(Control{at_seconds(t), Eigen::Vector2d(1.0, 0.0)});
    estimator.process(test::gps(t, t, 0.0));
  }
  EXPECT_NEAR(estimator.belief().mean[0], 55.0, 0.5);
}

TEST(Controls, ADriveThatAcceleratesAsRobotsDoIsNotDoubted) {
  Estimator usual(planar_config());
  drive(usual);
  Estimator braking(planar_config());
  drive(braking);
  for (int k = 201; k <= 210; ++k) {
    usual.process(Control{at_seconds(0.1 * k), Eigen::Vector2d(1.0, 0.0)});
    braking.process(Control{at_seconds(0.1 * k), Eigen::Vector2d(k > 205 ? 0.2 : 1.0, 0.0)});
  }
  EXPECT_NEAR(position_deviation(braking), position_deviation(usual), 0.02);
}

TEST(Controls, AreKnownBetweenTwoThatAreNear) {
  Estimator estimator(planar_config());
  drive(estimator);
  estimator.process(Control{at_seconds(20.9), Eigen::Vector2d(1.0, 0.0)});
  EXPECT_LT(position_deviation(estimator), 0.25);
}

}  // namespace
}  // namespace ovf
