// What a live node does with stamps of the future and sensors that contradict each other. In real
// time, because its clock is a part of it.
#include <algorithm>

#include "estimator_flow.hpp"
#include "tf2_msgs/msg/tf_message.hpp"

namespace ovf_ros::test {
namespace {

using diagnostic_msgs::msg::DiagnosticStatus;

class Attacks : public EstimatorFlow {
 protected:
  double now() const { return tester_->now().seconds(); }
  /// A robot that stands still for so many seconds, with fixes that are so far ahead in time and so
  /// far to the north.
  void stand(double seconds, double ahead = 0.0, double north = 0.0) {
    const double end = now() + seconds;
    while (now() < end) {
      ASSERT_TRUE(send(*node_, odometries_, odometry(now(), 0.0)));
      ASSERT_TRUE(send(*node_, fixes_, fix(now() + ahead, north)));
      spin_for(std::chrono::milliseconds(60));
    }
  }
  long count(ovf::Outcome outcome) const { return estimator().counters().of(outcome); }
  long count(ovf::EventKind kind) const { return estimator().counters().of(kind); }
};

TEST_F(Attacks, AStampOfTheFutureMovesNeitherTheBeliefNorTransforms) {
  start({{"output.world_frame", "world_" + namespace_.substr(1)}});
  const auto transforms = listen<tf2_msgs::msg::TFMessage>("/tf");
  stand(2.0);
  ASSERT_TRUE(send(*node_, odometries_, odometry(now() + 3600.0, 0.0)));
  ASSERT_TRUE(send(*node_, fixes_, fix(now() + 3600.0)));
  stand(1.0);
  EXPECT_EQ(count(ovf::Outcome::kAheadOfTime), 2);
  EXPECT_EQ(count(ovf::EventKind::kClockSetBack), 0);
  EXPECT_EQ(count(ovf::EventKind::kInitialised), 1);
  ASSERT_GT(transforms->size(), 10U);
  for (const auto& message : *transforms) {
    EXPECT_LT(rclcpp::Time(message.transforms[0].header.stamp).seconds(), now() + 0.5);
  }
}

TEST_F(Attacks, AClockThatIsAheadIsNamedWithItsOffset) {
  start({{"initial.rule", "given"}});
  listen_to_diagnostics();
  stand(3.0, 18.0);
  EXPECT_EQ(count(ovf::Outcome::kUsed), 0);
  EXPECT_GT(count(ovf::Outcome::kPredicted), 20);
  EXPECT_TRUE(diagnosed("sensor gps", DiagnosticStatus::ERROR, "its stamps are 18 s ahead"));
  EXPECT_TRUE(diagnosed("control", DiagnosticStatus::OK, "Hz"));
}

TEST_F(Attacks, AClockThatIsAheadIsCorrectedIfAskedFor) {
  start({{"initial.rule", "given"}, {"stream.correct_clock_offsets", true}});
  stand(3.0, 18.0);
  EXPECT_GT(count(ovf::Outcome::kUsed), 10);
  EXPECT_EQ(count(ovf::EventKind::kClockOffset), 1);
}

TEST_F(Attacks, AJumpOfASensorIsAWarningAndNotBelieved) {
  start();
  listen_to_diagnostics();
  stand(3.0);
  stand(2.0, 0.0, 1000.0);
  EXPECT_TRUE(diagnosed("estimator", DiagnosticStatus::WARN, "sensors contradict each other: gps"));
  EXPECT_LT(estimator().belief().mean.head<2>().norm(), 100.0);
  EXPECT_GT(estimator().belief().factor.standard_deviations().head<2>().maxCoeff(), 300.0);
  stand(8.0);
  EXPECT_LT(estimator().belief().mean.head<2>().norm(), 3.0);
}

}  // namespace
}  // namespace ovf_ros::test
