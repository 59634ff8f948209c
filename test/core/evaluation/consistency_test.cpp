#include "ovf/evaluation/consistency.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "evaluation/test_tracks.hpp"
#include "ovf/math/chi_square.hpp"
#include "ovf/math/random.hpp"
#include "ovf/math/rotation.hpp"

namespace ovf {
namespace {

using Matrix6 = Eigen::Matrix<double, 6, 6>;

// Full, and small enough for turns to be small.
Matrix6 some_covariance() {
  Matrix6 L = Matrix6::Zero();
  L.diagonal() << 0.5, 0.3, 0.2, 0.02, 0.03, 0.04;
  L(1, 0) = 0.2;
  L(2, 1) = -0.1;
  L(5, 0) = 0.02;
  L(4, 3) = 0.01;
  return L * L.transpose();
}

// Errors that have `factor` times the deviations they are said to have.
TrajectoryMatch drawn_match(const std::vector<PoseSample>& truth, double factor,
                            const PoseTrackOptions& options) {
  RandomStream random(5);
  const Matrix6 L = some_covariance().llt().matrixL();
  std::vector<PoseSample> estimates = truth;
  for (PoseSample& pose : estimates) {
    Eigen::Matrix<double, 6, 1> error;
    for (double& value : error) value = factor * random.normal();
    error = (L * error).eval();
    if (options.planar) error.segment<3>(2).setZero();
    pose.position -= error.head<3>();
    const Eigen::Vector3d turn = -error.tail<3>();
    pose.orientation = rotation_quaternion(turn) * pose.orientation;
    pose.covariance = some_covariance();
    pose.has_covariance = true;
  }
  return match_trajectories(estimates, truth, options);
}

// Coverages are shares of n draws: five standard errors.
void expect_share(double share, double expected, long count) {
  EXPECT_NEAR(share, expected,
              5.0 * std::sqrt(expected * (1.0 - expected) / static_cast<double>(count)));
}

TEST(MeanBand, AgreesWithTheQuantiles) {
  const Band band = mean_band(50.0, 2.0);
  EXPECT_NEAR(band.low, 0.74221927, 1e-7);  // chi-square of 100 degrees
  EXPECT_NEAR(band.high, 1.29561198, 1e-7);
  EXPECT_TRUE(band.contains(1.0));
  EXPECT_FALSE(band.contains(1.3));
  // Beyond 1000 degrees an approximation takes over.
  const Band many = mean_band(1100.0, 1.0);
  EXPECT_NEAR(many.low, chi_square_quantile(0.025, 1100.0) / 1100.0, 2e-6);
  EXPECT_NEAR(many.high, chi_square_quantile(0.975, 1100.0) / 1100.0, 2e-6);
  EXPECT_TRUE(std::isnan(mean_band(0.0, 2.0).low));
  EXPECT_FALSE(mean_band(0.0, 2.0).contains(1.0));
}

TEST(Nees, OfASmallExample) {
  PoseSample estimate = pose_of(0.0, 1.0, 2.0, 0.0, 0.1);
  estimate.has_covariance = true;
  estimate.covariance.diagonal() << 4.0, 1.0, 1.0, 1.0, 1.0, 0.01;
  const auto match =
      match_trajectories({estimate}, {pose_of(0.0, 3.0, 2.5, 0.0, 0.3)}, {.planar = true});
  EXPECT_NEAR(nees(match, NeesKind::kPlanarPosition).anees, (1.0 + 0.25) / 2.0, 1e-9);
  EXPECT_NEAR(nees(match, NeesKind::kPlanarPose).anees, (1.0 + 0.25 + 4.0) / 3.0, 1e-9);
}

TEST(Nees, OfAnAttitudeIsAboutTheAxesOfTheWorld) {
  // Turned about the world's x axis by 0.2, which is known to 0.1; the body looks another way.
  PoseSample estimate = pose_of(0.0, 0.0, 0.0, 0.0, 1.5);
  estimate.has_covariance = true;
  estimate.covariance.diagonal() << 1.0, 1.0, 1.0, 0.01, 1.0, 1.0;
  PoseSample truth = estimate;
  truth.orientation = Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitX()) * estimate.orientation;
  const auto match = match_trajectories({estimate}, {truth});
  EXPECT_NEAR(nees(match, NeesKind::kAttitude).anees, 4.0 / 3.0, 1e-9);
  EXPECT_NEAR(nees(match, NeesKind::kPose).anees, 4.0 / 6.0, 1e-9);
  EXPECT_EQ(nees(match, NeesKind::kPosition).anees, 0.0);
}

TEST(Nees, OfAPointInSpaceHasNoAttitude) {
  const auto match = drawn_match(space_track(10), 1.0, {.has_orientation = false});
  EXPECT_EQ(nees_kinds(match),
            (std::vector<NeesKind>{NeesKind::kPosition, NeesKind::kPlanarPosition}));
  EXPECT_EQ(nees(match, NeesKind::kAttitude).left_out, 10);
}

TEST(Nees, OfRightUncertaintyIsInItsBand) {
  for (const bool planar : {true, false}) {
    const auto truth = planar ? circle_track(20000) : space_track(20000);
    const auto match = drawn_match(truth, 1.0, {.planar = planar});
    const auto kinds = nees_kinds(match);
    ASSERT_EQ(kinds.size(), planar ? 2U : 4U);
    for (const NeesKind kind : kinds) {
      const Nees result = nees(match, kind);
      EXPECT_EQ(result.count, 20000);
      EXPECT_EQ(result.left_out, 0);
      // Both bands hold in 95 of 100 cases; these draws are fixed.
      EXPECT_TRUE(result.band.contains(result.anees)) << to_string(kind) << " " << result.anees;
      EXPECT_TRUE(result.effective_band.contains(result.anees));
      EXPECT_GT(result.effective_count, 15000.0);
      expect_share(result.coverage50, 0.5, result.count);
      expect_share(result.coverage90, 0.9, result.count);
      expect_share(result.coverage95, 0.95, result.count);
      EXPECT_EQ(result.series.size(), 20000U);
    }
  }
}

TEST(Nees, TellsTheOverconfidentFromTheCareful) {
  const auto truth = circle_track(2000);
  const Nees sure = nees(drawn_match(truth, 2.0, {.planar = true}), NeesKind::kPlanarPose);
  // 4 with a standard error of 4 sqrt(2 / (3 * 2000)) = 0.07.
  EXPECT_NEAR(sure.anees, 4.0, 0.35);
  EXPECT_GT(sure.anees, sure.effective_band.high);
  EXPECT_LT(sure.coverage90, 0.6);
  const Nees careful = nees(drawn_match(truth, 0.5, {.planar = true}), NeesKind::kPlanarPose);
  EXPECT_LT(careful.anees, careful.effective_band.low);
  EXPECT_GT(careful.coverage90, 0.99);
}

TEST(Nees, OfCorrelatedErrorsHasTheWiderBand) {
  const double a = 0.99;
  RandomStream random(9);
  const auto truth = circle_track(20000);
  auto estimates = truth;
  Eigen::Vector2d error(random.normal(), random.normal());
  for (PoseSample& pose : estimates) {
    pose.position.head<2>() += error;
    pose.covariance.setIdentity();
    pose.has_covariance = true;
    error = a * error + std::sqrt(1.0 - a * a) * Eigen::Vector2d(random.normal(), random.normal());
  }
  const Nees result = nees(match_trajectories(estimates, truth), NeesKind::kPlanarPosition);
  // Squares of a first order process are correlated with a^2. About 200 independent samples say how
  // many there are to some 20 %; twice that.
  const double expected = 20000.0 * (1.0 - a * a) / (1.0 + a * a);
  EXPECT_NEAR(result.effective_count / expected, 1.0, 0.4);
  EXPECT_TRUE(result.effective_band.contains(result.anees)) << result.anees;
  EXPECT_GT(result.effective_band.high - result.effective_band.low,
            5.0 * (result.band.high - result.band.low));
}

TEST(Nees, LeavesOutCovariancesThatAreNone) {
  auto estimates = circle_track(5);
  for (PoseSample& pose : estimates) {
    pose.has_covariance = true;
    pose.covariance.setIdentity();
  }
  estimates[0].has_covariance = false;
  estimates[1].covariance.setZero();
  estimates[2].covariance(0, 0) = std::numeric_limits<double>::quiet_NaN();
  estimates[3].covariance(0, 1) = estimates[3].covariance(1, 0) = 2.0;
  const Nees result =
      nees(match_trajectories(estimates, circle_track(5)), NeesKind::kPlanarPosition);
  EXPECT_EQ(result.count, 1);
  EXPECT_EQ(result.left_out, 4);
  EXPECT_EQ(result.anees, 0.0);
}

TEST(Nees, NeedsATrueOrientationForOne) {
  const auto match = drawn_match(circle_track(10), 1.0, {.planar = true, .has_orientation = false});
  EXPECT_EQ(nees_kinds(match), std::vector<NeesKind>{NeesKind::kPlanarPosition});
  const Nees result = nees(match, NeesKind::kPlanarPose);
  EXPECT_EQ(result.count, 0);
  EXPECT_EQ(result.left_out, 10);
  EXPECT_TRUE(std::isnan(result.anees));
  EXPECT_TRUE(std::isnan(result.coverage90));
  EXPECT_TRUE(std::isnan(result.band.low));
}

TEST(Nees, OfNothingIsNan) {
  const Nees result = nees({}, NeesKind::kPose);
  EXPECT_EQ(result.count, 0);
  EXPECT_TRUE(std::isnan(result.anees));
}

}  // namespace
}  // namespace ovf
