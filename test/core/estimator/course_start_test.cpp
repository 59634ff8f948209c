#include "ovf/estimator/course_start.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "estimator/planar_case.hpp"
#include "ovf/estimator/estimator.hpp"

namespace ovf {
namespace {

using test::at_seconds;

// Round a circle of 5 m from (3, -2), looking along `yaw` at first.
Eigen::Vector3d on_circle(double t, double yaw) {
  const double turned = 0.2 * t;
  const Eigen::Vector2d way(5.0 * std::sin(turned), 5.0 * (1.0 - std::cos(turned)));
  const Eigen::Vector2d place = Eigen::Vector2d(3.0, -2.0) + Eigen::Rotation2Dd(yaw) * way;
  return {place.x(), place.y(), yaw + turned};
}

class CourseStartOnACircle : public testing::TestWithParam<double> {};

TEST_P(CourseStartOnACircle, FindsWhereTheRobotLooks) {
  const double yaw = GetParam();
  CourseStart start(4.0);
  std::optional<CourseStart::Course> found;
  double t = 0.0;
  for (int k = 0; !found && k < 1000; ++k) {
    t = 0.1 * k;
    start.drive({at_seconds(t), Eigen::Vector2d(1.0, 0.2)});
    if (k % 5 == 0) found = start.see(at_seconds(t), on_circle(t, yaw).head<2>());
  }
  ASSERT_TRUE(found);
  EXPECT_GT(t, 4.0);
  EXPECT_LT(t, 6.0);
  const Eigen::Vector3d truth = on_circle(t, yaw);
  EXPECT_NEAR((found->pose.head<2>() - truth.head<2>()).norm(), 0.0, 1e-2);
  EXPECT_NEAR(std::remainder(found->pose.z() - truth.z(), 2.0 * M_PI), 0.0, 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Yaws, CourseStartOnACircle, testing::Values(0.0, 1.0, 2.5, -3.1, -1.5));

TEST(CourseStart, WaitsWhileTheRobotStands) {
  CourseStart start(2.0);
  for (int k = 0; k < 100; ++k) {
    start.drive({at_seconds(0.1 * k), Eigen::Vector2d::Zero()});
    EXPECT_FALSE(start.see(at_seconds(0.1 * k), Eigen::Vector2d(0.1 * (k % 3), 0.0)));
  }
}

TEST(CourseStart, BeginsAgainWhenTheClockIsSetBack) {
  CourseStart start(2.0);
  start.drive({at_seconds(100.0), Eigen::Vector2d(1.0, 0.0)});
  EXPECT_FALSE(start.see(at_seconds(101.0), Eigen::Vector2d(50.0, 50.0)));
  std::optional<CourseStart::Course> found;
  for (int k = 0; !found && k < 50; ++k) {
    start.drive({at_seconds(0.1 * k), Eigen::Vector2d(1.0, 0.0)});
    found = start.see(at_seconds(0.1 * k), Eigen::Vector2d(0.0, 0.1 * k));
  }
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->pose.z(), 0.5 * M_PI, 1e-9);
}

TEST(CourseStart, LetsAnEstimatorStartInAnyDirection) {
  EstimatorConfig config = test::planar_config();
  config.sensors.resize(1);
  config.initial.rule = InitialRule::kCourse;
  config.initial.course_distance = 4.0;
  config.initial.deviations = {0.5, 0.5, 0.3, 0.5, 0.2};
  Estimator estimator(config);
  for (int k = 0; k < 400; ++k) {
    const double t = 0.1 * k;
    const Eigen::Vector3d truth = on_circle(t, -2.5);
    estimator.process(Control{at_seconds(t), Eigen::Vector2d(1.0, 0.2)});
    if (k % 5 == 0) estimator.process(test::gps(t, truth.x(), truth.y()));
  }
  ASSERT_TRUE(estimator.initialised());
  EXPECT_GT(estimator.counters().of(Outcome::kNotInitialised), 40);
  const Eigen::Vector3d truth = on_circle(39.9, -2.5);
  EXPECT_NEAR((estimator.belief().mean.head<2>() - truth.head<2>()).norm(), 0.0, 0.1);
  EXPECT_NEAR(std::remainder(estimator.belief().mean[2] - truth.z(), 2.0 * M_PI), 0.0, 0.05);
}

}  // namespace
}  // namespace ovf
