#include "ovf/estimator/input_clocks.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "estimator/planar_case.hpp"
#include "ovf/estimator/findings.hpp"

namespace ovf {
namespace {

using test::at_seconds;
using test::planar_config;

constexpr double kYear = 365.25 * 86400.0;

/// A robot that drives along x at 1 m/s: odometry at 10 Hz, a compass and a GNSS at 5 Hz, each with
/// an error of its clock. It begins at a time as clocks have it.
class Stamped {
 public:
  static constexpr double kBegin = 1.6e9;

  explicit Stamped(const EstimatorConfig& config, bool receipt = true)
      : estimator(config), receipt_(receipt) {}

  void to(double end) {
    for (; k_ <= std::lround(10.0 * end); ++k_) {
      now = kBegin + 0.1 * static_cast<double>(k_);
      send(Control{stamp(odometry_error), Eigen::Vector2d(1.0, 0.0)});
      if (k_ % 2 == 0) {
        send(Measurement{.stamp = stamp(gps_error), .sensor = "gps", .y = place()});
      } else {
        send(Measurement{
            .stamp = stamp(compass_error), .sensor = "compass", .y = Eigen::VectorXd::Zero(1)});
      }
    }
  }
  Eigen::Vector2d place() const { return {now - kBegin, 0.0}; }
  Stamp stamp(double error) const { return at_seconds(now + error) - 20'000'000; }
  const EstimatorResult& send(const Message& message, double delay = 0.0) {
    const Stamp received = at_seconds(now + receiver_error + delay);
    const EstimatorResult& result =
        estimator.process(message, receipt_ ? std::optional(received) : std::nullopt);
    for (const Event& event : result.events)
      last_events[static_cast<std::size_t>(event.kind)] = event;
    return result;
  }
  long count(EventKind kind) const { return estimator.counters().of(kind); }
  long count(Outcome outcome) const { return estimator.counters().of(outcome); }
  double error() const { return (estimator.belief().mean.head<2>() - place()).norm(); }
  bool finds(const std::string& text) const {
    for (const std::string& finding : findings(estimator)) {
      if (finding.find(text) != std::string::npos) return true;
    }
    return false;
  }

  Estimator estimator;
  double now = kBegin;
  double odometry_error = 0.0;
  double compass_error = 0.0;
  double gps_error = 0.0;
  double receiver_error = 0.0;
  std::array<Event, kEvents> last_events{};

 private:
  bool receipt_;
  long k_ = 1;
};

TEST(InputClocks, AStampOfTheFutureIsRefusedWhateverItsInput) {
  for (const bool receipt : {true, false}) {
    Stamped robot(planar_config(), receipt);
    robot.to(10.0);
    for (const double ahead : {3600.0, kYear}) {
      const auto& control = robot.send(Control{robot.stamp(ahead), Eigen::Vector2d(1.0, 0.0)});
      EXPECT_EQ(control.outcome, Outcome::kAheadOfTime);
      EXPECT_NE(control.reason.find("ahead of the other inputs"), std::string::npos);
      robot.to(robot.now - Stamped::kBegin + 0.1);
      const auto& fix =
          robot.send(Measurement{.stamp = robot.stamp(ahead), .sensor = "gps", .y = robot.place()});
      EXPECT_EQ(fix.outcome, Outcome::kAheadOfTime);
      robot.to(robot.now - Stamped::kBegin + 0.1);
    }
    robot.to(20.0);
    EXPECT_EQ(robot.count(EventKind::kClockSetBack), 0);
    EXPECT_EQ(robot.count(EventKind::kInitialised), 1);
    EXPECT_EQ(robot.count(Outcome::kAheadOfTime), 4);
    EXPECT_EQ(robot.count(Outcome::kTooOld), 0);
    EXPECT_LT(robot.error(), 0.5);
  }
}

TEST(InputClocks, AStampOfTheFutureOfEachInputMovesNothing) {
  Stamped robot(planar_config());
  robot.to(10.0);
  for (int i = 0; i < 20; ++i) {
    robot.to(robot.now - Stamped::kBegin + 0.1);
    for (int k = 0; k < 2; ++k) {
      robot.send(Control{robot.stamp(3600.0 + k), Eigen::Vector2d(1.0, 0.0)});
      robot.send(Measurement{
          .stamp = robot.stamp(3600.0 + k), .sensor = "gps", .y = Eigen::Vector2d(1e4, 0.0)});
      robot.send(Measurement{
          .stamp = robot.stamp(3600.0 + k), .sensor = "compass", .y = Eigen::VectorXd::Zero(1)});
    }
  }
  EXPECT_EQ(robot.count(Outcome::kAheadOfTime), 120);
  EXPECT_LT(robot.error(), 0.5);
}

TEST(InputClocks, AClockThatIsAheadIsNamedWithItsOffset) {
  for (const double ahead : {3.0, 18.0}) {
    Stamped robot(planar_config());
    robot.gps_error = ahead;
    robot.to(30.0);
    EXPECT_EQ(robot.count(EventKind::kClockOffset), 1);
    const Event& event = robot.last_events[static_cast<std::size_t>(EventKind::kClockOffset)];
    EXPECT_EQ(event.sensor, 0);
    EXPECT_NEAR(event.value, ahead, 0.1);
    EXPECT_EQ(robot.count(Outcome::kAheadOfTime), 150);
    // The others go on.
    EXPECT_EQ(robot.count(Outcome::kPredicted), 300);
    EXPECT_EQ(robot.count(Outcome::kUsed), 150);
    EXPECT_TRUE(robot.finds("gps: its stamps are"));
  }
}

TEST(InputClocks, AConstantOffsetIsCorrectedIfAskedFor) {
  EstimatorConfig config = planar_config();
  config.stream.correct_clock_offsets = true;
  for (const double error : {18.0, -18.0}) {
    Stamped robot(config);
    robot.gps_error = error;
    robot.to(30.0);
    EXPECT_EQ(robot.count(EventKind::kClockOffset), 1);
    EXPECT_GT(robot.count(Outcome::kUsed), 285) << error;
    EXPECT_LT(robot.error(), 0.3) << error;
    EXPECT_EQ(robot.count(EventKind::kClockSetBack), 0);
  }
}

TEST(InputClocks, AClockThatIsBehindIsNamed) {
  Stamped robot(planar_config());
  robot.gps_error = -18.0;
  robot.to(30.0);
  EXPECT_EQ(robot.count(EventKind::kClockOffset), 1);
  EXPECT_EQ(robot.count(EventKind::kClockSetBack), 0);
  EXPECT_TRUE(robot.finds("behind those of the other inputs"));
}

// The receiver is the odd one out: a computer whose clock was never set.
TEST(InputClocks, InputsThatAgreeAreTheReference) {
  for (const double error : {-1000.0, -18.0, 18.0}) {
    Stamped robot(planar_config());
    robot.receiver_error = error;
    robot.to(30.0);
    EXPECT_GT(robot.count(Outcome::kUsed), 280) << error;
    EXPECT_EQ(robot.count(EventKind::kClockOffset), 0) << error;
    EXPECT_LT(robot.error(), 0.3) << error;
  }
}

TEST(InputClocks, OneInputOfThePastResetsNothing) {
  for (const bool receipt : {true, false}) {
    Stamped robot(planar_config(), receipt);
    robot.to(20.0);
    for (int k = 0; k < 30; ++k) {
      const auto& result =
          robot.send(Measurement{.stamp = 1, .sensor = "gps", .y = Eigen::Vector2d(1e6, 1e6)});
      EXPECT_EQ(result.outcome, Outcome::kTooOld);
    }
    EXPECT_EQ(robot.count(EventKind::kClockSetBack), 0);
    EXPECT_LT(robot.error(), 0.3);
  }
}

// Garbage of all inputs.
TEST(InputClocks, ZeroStampsResetNothingWhereReceiptIsKnown) {
  Stamped robot(planar_config());
  robot.to(20.0);
  for (int k = 0; k < 30; ++k) {
    robot.send(Measurement{.stamp = 1, .sensor = "gps", .y = Eigen::Vector2d(1e6, 1e6)});
    robot.send(Measurement{.stamp = 1, .sensor = "compass", .y = Eigen::VectorXd::Ones(1)});
    robot.send(Control{1, Eigen::Vector2d(1.0, 1.0)});
    robot.to(robot.now - Stamped::kBegin + 0.1);
  }
  EXPECT_EQ(robot.count(EventKind::kClockSetBack), 0);
  EXPECT_LT(robot.error(), 0.3);
}

// The process stood still: what waited comes at once, one topic after the other.
TEST(InputClocks, AStallIsNoClockSetBack) {
  Stamped robot(planar_config());
  robot.to(20.0);
  const double stalled = robot.now;
  robot.now += 8.0;
  for (int k = 1; k <= 80; ++k) {
    const double t = stalled + 0.1 * k;
    robot.send(Control{at_seconds(t), Eigen::Vector2d(1.0, 0.0)});
  }
  for (int k = 1; k <= 40; ++k) {
    const double t = stalled + 0.2 * k;
    robot.send(Measurement{
        .stamp = at_seconds(t), .sensor = "gps", .y = Eigen::Vector2d(t - Stamped::kBegin, 0.0)});
  }
  EXPECT_EQ(robot.count(EventKind::kClockSetBack), 0);
  EXPECT_EQ(robot.count(EventKind::kInitialised), 1);
  EXPECT_LT(robot.error(), 0.5);
}

TEST(InputClocks, ARecordingThatStartsAgainResets) {
  for (const bool receipt : {true, false}) {
    Stamped robot(planar_config(), receipt);
    robot.to(20.0);
    // With its own clock, as with use_sim_time.
    robot.estimator.process(Control{at_seconds(Stamped::kBegin), Eigen::Vector2d(1.0, 0.0)},
                            receipt ? std::optional(at_seconds(Stamped::kBegin)) : std::nullopt);
    robot.estimator.process(
        Measurement{.stamp = at_seconds(Stamped::kBegin) + 1,
                    .sensor = "gps",
                    .y = Eigen::Vector2d::Zero()},
        receipt ? std::optional(at_seconds(Stamped::kBegin) + 2) : std::nullopt);
    EXPECT_EQ(robot.count(EventKind::kClockSetBack), 1);
    EXPECT_NEAR(seconds_between(at_seconds(Stamped::kBegin), robot.estimator.stamp()), 0.0, 0.1);
  }
}

// While the receiver's clock goes on.
TEST(InputClocks, ARecordingThatStartsAgainUnderARunningClockResets) {
  Stamped robot(planar_config());
  robot.odometry_error = robot.compass_error = robot.gps_error = -5000.0;
  robot.to(20.0);
  robot.odometry_error = robot.compass_error = robot.gps_error = -5020.0;
  robot.to(25.0);
  EXPECT_EQ(robot.count(EventKind::kClockSetBack), 1);
}

TEST(InputClocks, ABeliefOfTheFutureIsLeftAtOnce) {
  Stamped robot(planar_config());
  robot.to(5.0);
  const Eigen::VectorXd mean = Eigen::VectorXd::Zero(5);
  robot.estimator.initialise(at_seconds(robot.now + 3600.0), mean, Eigen::MatrixXd::Identity(5, 5));
  robot.to(15.0);
  EXPECT_EQ(robot.count(EventKind::kClockSetBack), 1);
  EXPECT_LT(robot.error(), 0.5);
}

TEST(InputClocks, AnOnlyInputIsItsOwnReference) {
  EstimatorConfig config = planar_config();
  config.motion.control = ControlKind::kNone;
  config.sensors.pop_back();
  Estimator estimator(config);
  for (int k = 1; k <= 50; ++k) {
    const double t = Stamped::kBegin + 0.2 * k;
    estimator.process(
        Measurement{.stamp = at_seconds(t + 18.0), .sensor = "gps", .y = Eigen::Vector2d::Zero()},
        at_seconds(t));
  }
  EXPECT_EQ(estimator.counters().of(Outcome::kUsed), 50);
  EXPECT_EQ(estimator
                .process(Measurement{.stamp = at_seconds(Stamped::kBegin + 9000.0),
                                     .sensor = "gps",
                                     .y = Eigen::Vector2d::Zero()},
                         at_seconds(Stamped::kBegin + 10.2))
                .outcome,
            Outcome::kAheadOfTime);
}

}  // namespace
}  // namespace ovf
