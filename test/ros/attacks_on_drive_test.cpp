// What somebody who writes to a live node's topics, or stops it for a while, can do to its belief:
// below three stated deviations at all times, or the diagnostics name the cause within two seconds;
// and ten seconds of good messages bring it back.
#include <filesystem>

#include "attacked_drive.hpp"

namespace ovf_ros::test {
namespace {

constexpr double kStart = 10.0;  // seconds of good messages before an attack

using AttackedStamps = AttackedDrive;

TEST_F(AttackedStamps, ThatAreSecondsAheadAreOfTheSensorThatSentThem) {
  start();
  drive(kStart);
  expect_to_be_named("sensor gps");
  drive(15.0, [](Sent& sent) {
    for (Fix& each : sent.fixes) each.header.stamp = time_of(sent.time + 3.0);
  });
  EXPECT_TRUE(diagnosed("sensor gps", DiagnosticStatus::ERROR, "its stamps are 3 s ahead"));
  EXPECT_TRUE(diagnosed("control", DiagnosticStatus::OK, "Hz"));
  EXPECT_TRUE(diagnosed("sensor compass", DiagnosticStatus::OK, "Hz"));
  expect_recovery();
}

// The place comes from a GNSS that never is on time: that is why there is no belief.
TEST_F(AttackedStamps, FromTheStartAreWhyThereIsNoBelief) {
  start({{"initial.rule", "measurement"}});
  drive(3.0, [](Sent& sent) {
    for (Fix& each : sent.fixes) each.header.stamp = time_of(sent.time + 18.0);
  });
  EXPECT_FALSE(estimator().initialised());
  EXPECT_TRUE(diagnosed("sensor gps", DiagnosticStatus::ERROR, "its stamps are 18 s ahead"));
  expect_recovery();
}

TEST_F(AttackedStamps, OfAnHourAheadBelongToNoTransform) {
  start();
  drive(kStart);
  drive(5.0, [](Sent& sent) {
    sent.odometries.push_back(odometry_at(sent.time + 3600.0, 1.0));
    sent.headings.push_back(heading_at(sent.time + 3e7, 0.0));
    sent.fixes.push_back(fix_at(sent.time + 3600.0, {1e4, 0.0}));
  });
  EXPECT_EQ(count(ovf::Outcome::kAheadOfTime), 300);
  EXPECT_LE(1e-9 * static_cast<double>(estimator().stamp()), time_ + 0.5);
  expect_recovery();
}

// A message without a stamp is taken for one of now.
TEST_F(AttackedStamps, OfZeroAndOfThePastResetNothing) {
  start();
  drive(kStart);
  expect_to_be_named("gps");
  drive(5.0, [](Sent& sent) {
    for (const double stamp : {0.0, 1.0, sent.time - 100.0}) {
      sent.odometries.push_back(odometry_at(stamp, 1e6));
      sent.fixes.push_back(fix_at(stamp, {1.3e6, 1.3e6}));
    }
  });
  EXPECT_EQ(count(ovf::EventKind::kClockSetBack), 0);
  EXPECT_EQ(count(ovf::EventKind::kInitialised), 1);
  expect_recovery();
}

// The process is stopped for 8 s; then it has all messages of that time, or the last ones.
TEST_F(AttackedStamps, AfterAStallAreNoClockThatWasSetBack) {
  for (const std::size_t kept : {1000U, 10U}) {
    start();
    drive(kStart);
    std::vector<Sent> waiting = missed(8.0);
    if (waiting.size() > kept) waiting.erase(waiting.begin(), waiting.end() - kept);
    set_clock(time_);
    for (const Sent& sent : waiting) deliver(sent);
    EXPECT_EQ(count(ovf::EventKind::kClockSetBack), 0);
    EXPECT_EQ(count(ovf::EventKind::kInitialised), 1);
    EXPECT_LT(deviations_off(), kHonest);
    expect_recovery();
    destroy(node_);
    truth_.setZero();
  }
}

using AttackedByGaps = AttackedDrive;

// Everything stops for 10 s, in which the robot stands, goes on, or drives faster.
TEST_F(AttackedByGaps, KnowsNothingOfWhatNobodyMeasured) {
  start();
  for (const double speed : {0.0, 1.0, 2.0}) {
    drive(kStart);
    speed_ = speed;
    missed(10.0);
    speed_ = 1.0;
    drive(1.0, [](Sent& sent) { sent.fixes.clear(); });
    EXPECT_LT(deviations_off(), kHonest) << speed;
    EXPECT_GT(deviations().maxCoeff(), 1.0) << speed;
    expect_recovery();
  }
}

TEST_F(AttackedByGaps, KnowsNothingOfTheTimeBeforeItWasRestored) {
  const auto file =
      std::filesystem::temp_directory_path() / ("ovf_gap_" + std::to_string(getpid()) + ".ovf");
  const Parameters kept = {{"checkpoint", file.string()}};
  start(kept);
  drive(kStart);
  node_->deactivate();
  destroy(node_);
  speed_ = 0.006;
  missed(413.0);  // 2.5 m
  speed_ = 1.0;
  start(kept);
  ASSERT_TRUE(estimator().initialised());
  drive(1.0, [](Sent& sent) { sent.fixes.clear(); });
  EXPECT_LT(deviations_off(), kHonest);
  EXPECT_GT(deviations().maxCoeff(), 2.0);
  expect_recovery();
  std::filesystem::remove(file);
}

using AttackedControls = AttackedDrive;

TEST_F(AttackedControls, OneOfThemMovesNothingUnnoticed) {
  start();
  drive(kStart);
  for (const double speed : {5.0, 15.0, -15.0, 100.0, 1e4, 1e12}) {
    const double time = time_ + 0.5;
    drive(5.0, [&](Sent& sent) {
      if (std::abs(sent.time - time) < 0.01) sent.odometries = {odometry_at(time, speed)};
    });
    expect_honest();
    EXPECT_LT(most_off_, kHonest) << speed;
  }
  EXPECT_EQ(count(ovf::Outcome::kGated), 6);  // each jumps, and the next one does not confirm it
  expect_recovery();
}

// Half of all messages, for 25 s.
TEST_F(AttackedControls, AndAllElseMayBeHugeForSeconds) {
  for (const double huge : {15.0, 100.0, 1e4, 1e9, 1e300}) {
    start();
    drive(kStart);
    expect_to_be_named("sensors contradict each other");
    drive(25.0, [&](Sent& sent) {
      const auto half = [&](int every) { return std::lround(sent.time * kRate) / every % 2 == 0; };
      if (half(1)) sent.odometries = {odometry_at(sent.time, huge)};
      if (!sent.headings.empty() && half(kCompassEvery)) {
        sent.headings = {heading_at(sent.time, 2.0)};
      }
      if (!sent.fixes.empty() && half(kFixEvery)) sent.fixes = {fix_at(sent.time, {-huge, huge})};
    });
    expect_recovery();
    destroy(node_);
    truth_.setZero();
  }
}

using AttackedStarts = AttackedDrive;

// GNSS is all there is, and a second receiver 65 m away publishes on its topic.
TEST_F(AttackedStarts, WithTwoPublishersOfOneTopicAreTold) {
  begin(with(gnss_alone(), {{"initial.rule", "measurement"}}));
  speed_ = 0.0;
  expect_to_be_named("sensors contradict each other: gps");
  drive(60.0, [](Sent& sent) {
    if (!sent.fixes.empty()) sent.fixes.push_back(fix_at(sent.time + 0.02, {65.0, 0.0}));
  });
  expect_recovery();
}

TEST_F(AttackedStarts, FromAWrongPoseAreToldAndLeft) {
  for (const double distance : {20.0, 2000.0}) {
    start({{"initial.rule", "call"}});
    const auto poses = publisher<Fix>("initialpose");
    set_clock(time_ + 0.05);
    Fix pose = fix_at(time_, {0.0, distance});
    pose.header.frame_id = "map";
    pose.pose.covariance[0] = pose.pose.covariance[7] = 0.25;
    pose.pose.covariance[35] = 0.01;
    poses->publish(pose);
    ASSERT_TRUE(spin_until([&] { return estimator().initialised(); }));
    expect_to_be_named("sensors contradict each other: gps");
    drive(5.0);
    expect_recovery();
    destroy(node_);
    truth_.setZero();
  }
}

using AttackedCovariances = AttackedDrive;

// What a message says of its own error is not taken for more than any sensor reaches.
TEST_F(AttackedCovariances, OfNothingAreNotBelievedSilently) {
  start({{"gps.noise_source", "message"}});
  const auto claim = [](double variance) {
    return [variance](Sent& sent) {
      for (Fix& each : sent.fixes) {
        for (const int i : {0, 7, 14}) each.pose.covariance[static_cast<std::size_t>(i)] = variance;
      }
    };
  };
  drive(kStart, claim(kFixNoise * kFixNoise));
  expect_to_be_named("gps");
  drive(20.0, claim(1e-12));
  expect_honest();
  drive(10.0, claim(kFixNoise * kFixNoise));
  expect_recovery();
}

}  // namespace
}  // namespace ovf_ros::test
