// What speaks against the model is in the diagnostics, and errors that last are in the log.
#include <algorithm>
#include <cmath>

#include "estimator_flow.hpp"
#include "rcl_interfaces/msg/log.hpp"

namespace ovf_ros::test {
namespace {

using diagnostic_msgs::msg::DiagnosticStatus;
using rcl_interfaces::msg::Log;

class Findings : public EstimatorFlow {
 protected:
  /// A robot that stands still. The error of its positions, in metres, is `amplitude` at most and
  /// lasts for some seconds.
  void stand(double amplitude) {
    for (int k = 0; k < 300; ++k) {
      const double t = 1000.0 + 0.1 * k;
      ASSERT_TRUE(send(*node_, odometries_, odometry(t, 0.0)));
      ASSERT_TRUE(send(*node_, fixes_, fix(t + 0.05, amplitude * std::sin(0.6 * (t - 1000.0)))));
    }
  }
  long errors_last_events() const { return estimator().counters().of(ovf::EventKind::kErrorsLast); }
};

TEST_F(Findings, AreAWarningOfTheModelOnceThereAreAny) {
  start({{"gps.gate", 0.999}, {"gps.gate_patience", 100}});
  listen_to_diagnostics();
  drive(1000.0, 1002.0);
  EXPECT_TRUE(diagnosed("model", DiagnosticStatus::OK, "nothing speaks against it"));
  for (const double t : {1002.0, 1002.5, 1003.0}) {
    ASSERT_TRUE(send(*node_, fixes_, fix(t, 1000.0)));
  }
  EXPECT_TRUE(diagnosed("model", DiagnosticStatus::WARN,
                        "3 of 7 measurements were outside their gates: the gates"));
  node_->deactivate();
  node_->cleanup();
  node_->configure();
  EXPECT_TRUE(diagnosed("model", DiagnosticStatus::OK, "nothing speaks against it"));
}

TEST_F(Findings, AreAllInTheMessage) {
  start({{"gps.gate", 0.999}, {"gps.gate_patience", 1000}});
  listen_to_diagnostics();
  stand(2.0);
  ASSERT_EQ(errors_last_events(), 1);
  EXPECT_TRUE(diagnosed("model", DiagnosticStatus::WARN,
                        "gps: the errors of neighbouring messages are correlated"));
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(send(*node_, fixes_, fix(1031.0 + 0.1 * k, 1000.0)));
  // The wave alone may have done so, too.
  const long times = estimator().contradiction(0).count;
  ASSERT_GT(times, 0);
  EXPECT_TRUE(diagnosed("model", DiagnosticStatus::WARN,
                        "gps contradicted the motion " + std::to_string(times) + " time"));
  EXPECT_TRUE(diagnosed("model", DiagnosticStatus::WARN, "; more than a fifth of the last"));
}

TEST_F(Findings, ThatErrorsLastAreLoggedWithTheSensorAndWhatIsDoneAboutIt) {
  start();
  const auto log = listen<Log>("/rosout");
  stand(2.0);
  ASSERT_EQ(errors_last_events(), 1);
  const auto is_told = [&] {
    return std::any_of(log->begin(), log->end(), [&](const Log& line) {
      return line.name == namespace_.substr(1) + ".ovf" && line.level == Log::WARN &&
             line.msg.starts_with("gps: errors last") &&
             line.msg.find("at most 3 s (gps.error_time)") != std::string::npos &&
             line.msg.find("below 1/3 of gps.noise") != std::string::npos;
    });
  };
  EXPECT_TRUE(spin_until(is_told));
}

}  // namespace
}  // namespace ovf_ros::test
