// What is done to a robot's messages is announced within seconds, or stays within 3.5 stated
// deviations (three, and what chance adds for a moment); and ten seconds after its end everything
// is as before.
#include <gtest/gtest.h>

#include <ostream>

#include "estimator/attacked_robot.hpp"

namespace ovf::test {

void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.name; }

namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;

Tamper added(const std::string& sensor, const VectorXd& error) {
  return of(sensor, [=](const VectorXd& y, double) -> VectorXd { return y + error; });
}

Tamper first_control(Vector2d control) {
  return of_control([=](Vector2d u, double t) { return t < 60.15 ? control : u; });
}

std::vector<Attack> attacks() {
  std::vector<Attack> all;
  for (const double distance : {5.0, 10.0, 30.0, 100.0, 1000.0}) {
    const Vector2d jump(0.6 * distance, 0.8 * distance);
    const std::string metres = std::to_string(static_cast<int>(distance)) + "_m";
    all.push_back({"gps_jumps_for_30_s_by_" + metres, added("gps", jump)});
    all.push_back({"gps_jumps_for_3_s_by_" + metres, added("gps", jump), 60.0, 63.0});
  }
  for (const double distance : {5.0, 130.0, 1e4}) {
    all.push_back({"gps_has_another_publisher_" + std::to_string(static_cast<int>(distance)) + "_m",
                   stray("gps", 2, Vector2d(distance, 0.0))});
  }
  all.push_back({"gps_is_frozen", frozen("gps")});
  all.push_back({"gps_says_zero", of("gps", [](const VectorXd&, double) -> VectorXd {
                   return Vector2d(0.0, 0.0);
                 })});
  all.push_back({"gps_has_its_axes_swapped", of("gps", [](const VectorXd& y, double) -> VectorXd {
                   return Vector2d(y[1], y[0]);
                 })});
  all.push_back(
      {"everything_is_silent_for_10_s", silence({"gps", "odometry", "compass"}), 60.0, 70.0});
  all.push_back(
      {"everything_is_silent_for_50_s", silence({"gps", "odometry", "compass"}), 60.0, 110.0});
  all.push_back({"odometry_is_silent", silence({"odometry"})});
  for (const double value : {5.0, 15.0, 100.0, 1e4}) {
    const std::string number = std::to_string(static_cast<int>(value));
    all.push_back(
        {"one_control_of_" + number + "_m_per_s", first_control({value, 0.1}), 60.0, 60.2});
    all.push_back(
        {"one_control_of_" + number + "_rad_per_s", first_control({1.0, value}), 60.0, 60.2});
  }
  all.push_back({"odometry_turns_the_other_way",
                 of_control([](Vector2d u, double) { return Vector2d(u[0], -u[1]); })});
  all.push_back({"odometry_says_half",
                 of_control([](Vector2d u, double) { return Vector2d(0.5 * u[0], u[1]); })});
  all.push_back({"odometry_drives_on_at_30_m_per_s",
                 of_control([](Vector2d u, double) { return Vector2d(30.0, u[1]); })});
  for (const double angle : {0.5, 1.0, 3.0}) {
    all.push_back({"compass_jumps_by_" + std::to_string(static_cast<int>(10.0 * angle)) + "_tenths",
                   added("compass", VectorXd::Constant(1, angle))});
  }
  all.push_back({"compass_has_another_publisher", stray("compass", 2, VectorXd::Constant(1, 1.5))});
  all.push_back({"compass_is_frozen", frozen("compass")});
  for (const double ahead : {3.0, 18.0, 3600.0}) {
    all.push_back(
        {"gps_is_stamped_" + std::to_string(static_cast<int>(ahead)) + "_s_ahead",
         stamps_of("gps", [=](Stamp stamp, double) { return stamp + at_seconds(ahead); })});
  }
  all.push_back({"gps_is_stamped_zero", stamps_of("gps", [](Stamp, double) { return Stamp(0); })});
  all.push_back({"nothing", {}});
  return all;
}

class Attacks : public testing::TestWithParam<Attack> {};

TEST_P(Attacks, AreAnnouncedAndLeaveNothingBehind) {
  EstimatorConfig config = planar_config();
  config.initial.rule = InitialRule::kCourse;
  AttackedRobot robot(config, GetParam(), 1);
  const AttackOutcome outcome = robot.run();
  EXPECT_LE(outcome.longest_silence, 2.0) << outcome.worst_silent << " deviations off";
  EXPECT_TRUE(outcome.is_back) << outcome.error_at_end << " m off at the end";
  EXPECT_EQ(outcome.told_before, 0);
  if (GetParam().name == "nothing") {
    EXPECT_EQ(outcome.told, 0);
    EXPECT_LT(outcome.worst_error, 0.6);
  }
}

INSTANTIATE_TEST_SUITE_P(Robot, Attacks, testing::ValuesIn(attacks()),
                         [](const auto& each) { return each.param.name; });

// The heading that it is told at its start is wrong: the way that it drives shows that.
TEST(AttackedRobot, FindsItsHeadingFromAWrongStart) {
  EstimatorConfig config = planar_config();
  config.sensors.resize(1);
  config.initial.rule = InitialRule::kCall;
  for (const double off : {0.5, 1.5, 3.1}) {
    AttackedRobot robot(config, {"", {}, 0.0, 20.0}, 1);
    VectorXd mean = VectorXd::Zero(5);
    mean[2] = 0.4 + off;
    const VectorXd deviations = (VectorXd(5) << 0.5, 0.5, 0.1, 0.5, 0.2).finished();
    robot.estimator.initialise(0, mean, Eigen::MatrixXd(deviations.cwiseAbs2().asDiagonal()));
    const AttackOutcome outcome = robot.run();
    EXPECT_TRUE(outcome.is_back) << off;
    EXPECT_LE(outcome.longest_silence, 3.0) << off;
  }
}

TEST(AttackedRobot, SaysSoWhenTwoPublishersAreThereFromTheStart) {
  EstimatorConfig config = planar_config();
  config.sensors.resize(1);
  config.initial.rule = InitialRule::kCourse;
  AttackedRobot robot(config, {"", stray("gps", 2, Vector2d(130.0, 0.0)), 0.0, 60.0}, 1);
  const AttackOutcome outcome = robot.run();
  EXPECT_GT(outcome.told, 5);
  EXPECT_LE(outcome.longest_silence, 2.5);
  EXPECT_TRUE(outcome.is_back);
}

}  // namespace
}  // namespace ovf::test
