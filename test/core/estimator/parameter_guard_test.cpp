#include "ovf/estimator/parameter_guard.hpp"

#include <gtest/gtest.h>

namespace ovf {
namespace {

const Eigen::VectorXd kGood = Eigen::VectorXd::Constant(1, 1.0);
const Eigen::VectorXd kBad = Eigen::VectorXd::Constant(1, 9.0);

ParameterGuard settled_guard() {
  ParameterGuard guard({.collapse = 10.0, .window = 50, .change = 1.5}, 1,
                       Eigen::VectorXd::Constant(1, 0.0));
  for (int k = 0; k < 1000; ++k) {
    const auto verdict = guard.watch({.log_likelihood = -1.0, .nis = 2.0, .dim = 2}, kGood);
    EXPECT_FALSE(verdict.collapsed || verdict.changed);
  }
  return guard;
}

TEST(ParameterGuard, KeepsTheParametersWithWhichAllWasWell) {
  EXPECT_EQ(settled_guard().last_good(), kGood);
}

TEST(ParameterGuard, SeesACollapseAndKeepsTheGoodParameters) {
  ParameterGuard guard = settled_guard();
  int messages = 0;
  while (messages < 100 &&
         !guard.watch({.log_likelihood = -40.0, .nis = 2.0, .dim = 2}, kBad).collapsed)
    ++messages;
  EXPECT_LT(messages, 30);
  EXPECT_EQ(guard.last_good(), kGood);
  // It then waits before it judges again.
  EXPECT_FALSE(guard.watch({.log_likelihood = -40.0, .nis = 2.0, .dim = 2}, kBad).collapsed);
}

TEST(ParameterGuard, SeesAChangeInTheInnovations) {
  ParameterGuard guard = settled_guard();
  int messages = 0;
  while (messages < 100 &&
         !guard.watch({.log_likelihood = -3.0, .nis = 14.0, .dim = 2}, kBad).changed)
    ++messages;
  EXPECT_LT(messages, 15);
}

TEST(ParameterGuard, OneOutlierIsNoChange) {
  ParameterGuard guard = settled_guard();
  const auto verdict = guard.watch({.log_likelihood = -1e9, .nis = 1e9, .dim = 2}, kGood);
  EXPECT_FALSE(verdict.collapsed || verdict.changed);
}

TEST(ParameterGuard, MessagesOfAFastSensorCountLess) {
  // A quarter of a second of large innovations is a disturbance, not a change.
  ParameterGuard guard = settled_guard();
  for (int k = 0; k < 50; ++k) {
    EXPECT_FALSE(
        guard.watch({.log_likelihood = -3.0, .nis = 14.0, .dim = 2, .seconds = 0.005}, kBad)
            .changed);
  }
}

TEST(ParameterGuard, CanBeSwitchedOff) {
  ParameterGuard guard({.collapse = 0.0, .window = 10, .change = 0.0}, 1, kGood);
  for (int k = 0; k < 300; ++k) {
    const auto verdict =
        guard.watch({.log_likelihood = k < 100 ? 0.0 : -1000.0, .nis = 1000.0, .dim = 1}, kBad);
    EXPECT_FALSE(verdict.collapsed || verdict.changed);
  }
}

}  // namespace
}  // namespace ovf
