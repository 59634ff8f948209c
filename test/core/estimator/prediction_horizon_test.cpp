#include "ovf/estimator/prediction_horizon.hpp"

#include <gtest/gtest.h>

#include "estimator/planar_case.hpp"

namespace ovf {
namespace {

constexpr double kLongest = 3.0;
constexpr double kStep = 0.1;

// Predictions whose variance grows by `rate` per second, from a large one on; ten messages a
// second.
void predict(PredictionHorizon& horizon, double rate, int runs) {
  double t = 0.0;
  for (int run = 0; run < runs; ++run) {
    horizon.start(test::at_seconds(t));
    for (int k = 1; k <= 100; ++k) {
      const double since = kStep * k;
      horizon.see(0, test::at_seconds(t + since), Eigen::Vector2d(9.0 + rate * since, 0.0));
    }
    t += 10.0;
  }
}

TEST(PredictionHorizon, IsTheTimeUntilAPredictionIsLessExactThanTheSensor) {
  PredictionHorizon horizon(2, 1, kLongest);
  predict(horizon, 1.0, 20);
  // The first message of each prediction is 0.1 s old: 1.1 s later it has grown by more than 1.
  EXPECT_NEAR(horizon.seconds(), 1.2, 1.5 * kStep);
  PredictionHorizon shorter(2, 1, kLongest);
  predict(shorter, 4.0, 20);
  EXPECT_NEAR(shorter.seconds(), 0.4, 1.5 * kStep);
}

TEST(PredictionHorizon, IsNoLongerThanItMayBe) {
  PredictionHorizon horizon(2, 1, kLongest);
  EXPECT_LT(horizon.seconds(), kLongest) << "not yet known";
  predict(horizon, 0.0, 20);
  EXPECT_NEAR(horizon.seconds(), kLongest, 1e-9);
  EXPECT_LE(PredictionHorizon(2, 1, 0.2).seconds(), 0.2);
}

TEST(PredictionHorizon, FollowsAChange) {
  PredictionHorizon horizon(2, 1, kLongest);
  predict(horizon, 0.0, 20);
  predict(horizon, 4.0, 50);
  EXPECT_LT(horizon.seconds(), 0.6);
  horizon.clear();
  EXPECT_EQ(horizon.seconds(), PredictionHorizon(2, 1, kLongest).seconds());
}

TEST(PredictionHorizon, ComparesALandmarkWithItselfAlone) {
  PredictionHorizon horizon(1, 2, kLongest);
  horizon.start(0);
  for (int k = 1; k <= 100; ++k) {
    const Stamp stamp = test::at_seconds(kStep * k);
    horizon.see(0, stamp, Eigen::VectorXd::Constant(1, 0.1));
    horizon.see(1, stamp, Eigen::VectorXd::Constant(1, 50.0));
  }
  horizon.start(test::at_seconds(10.0));
  EXPECT_NEAR(horizon.seconds(), kLongest, 1e-9);
}

TEST(PredictionHorizon, GoesOnFromAnArchive) {
  PredictionHorizon one(2, 1, kLongest);
  predict(one, 1.0, 3);
  one.start(test::at_seconds(30.0));
  one.see(0, test::at_seconds(30.1), Eigen::Vector2d(1.0, 1.0));
  Archive::Bytes bytes;
  Archive writer = Archive::writer(bytes);
  one.archive(writer);
  PredictionHorizon other(2, 1, kLongest);
  Archive reader = Archive::memory_reader(bytes);
  other.archive(reader);
  EXPECT_EQ(one.seconds(), other.seconds());
  for (PredictionHorizon* each : {&one, &other}) {
    each->see(0, test::at_seconds(32.0), Eigen::Vector2d(1.0, 5.0));
  }
  EXPECT_EQ(one.seconds(), other.seconds());
  EXPECT_GT(one.seconds(), 1.2);
}

}  // namespace
}  // namespace ovf
