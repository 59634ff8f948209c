#include <gtest/gtest.h>
#include <malloc.h>

#include "estimator/planar_case.hpp"

namespace ovf {
namespace {

TEST(EstimatorMemorySlow, StaysFlatHoweverManyMessagesCome) {
  Estimator estimator(test::planar_config());
  std::size_t early = 0;
  const std::vector<Message> lap = test::circle_messages(500.0);
  for (int round = 0; round < 10; ++round) {
    // The same messages once more, later.
    for (Message message : lap) {
      std::visit([&](auto& m) { m.stamp += test::at_seconds(500.0 * round); }, message);
      estimator.process(message);
    }
    const std::size_t now = mallinfo2().uordblks;
    if (round == 1) early = now;
    if (round < 2) continue;
    // What is kept for late messages takes a little more while sensors contradict each other.
    EXPECT_LE(now, early + 32768) << "after " << static_cast<std::size_t>(round + 1) * lap.size();
  }
  // At the end of each lap the robot is elsewhere at once, which its sensors contradict.
  const Counters& counters = estimator.counters();
  EXPECT_EQ(
      counters.of(Outcome::kUsed) + counters.of(Outcome::kPredicted) + counters.of(Outcome::kGated),
      static_cast<long>(10 * lap.size()));
  EXPECT_LT(counters.of(Outcome::kGated), static_cast<long>(lap.size() / 5));
}

}  // namespace
}  // namespace ovf
