#include "ovf/model/state_layout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

using test::all_close;
using test::contains;
using test::message_of;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

StateLayout layout() {
  StateLayout out;
  out.add({.name = "x", .start = 1.0, .deviation = 2.0, .noise = 0.1, .noise_learned_as = "walk"});
  out.add({.name = "y", .start = -1.0, .deviation = 3.0, .noise = 0.1, .noise_learned_as = "walk"});
  return out;
}

TEST(StateLayout, FindsItsEntriesByName) {
  const StateLayout states = layout();
  EXPECT_EQ(states.dim(), 2);
  EXPECT_EQ(states.find("y"), 1);
  EXPECT_EQ(states.find("z"), -1);
  EXPECT_FALSE(states.entry(0).parameter);
}

TEST(StateLayout, MakesALearnedQuantityAPartOfTheState) {
  StateLayout states = layout();
  const Quantity bias =
      states.add("bias", {.value = 0.5, .deviation = 0.2, .drift = 0.01}, "bias.drift");
  EXPECT_EQ(bias.index, 2);
  EXPECT_EQ(states.dim(), 3);
  EXPECT_TRUE(states.entry(2).parameter);
  EXPECT_EQ(states.entry(2).noise_learned_as, "bias.drift");
  const double x[] = {0.0, 0.0, 0.7};
  EXPECT_EQ(bias.of(x), 0.7);
}

TEST(StateLayout, LeavesAKnownQuantityOutOfTheState) {
  StateLayout states = layout();
  const Quantity known = states.add("bias", {.value = 0.5});
  EXPECT_EQ(states.dim(), 2);
  const double x[] = {0.0, 0.0};
  EXPECT_EQ(known.of(x), 0.5);
}

TEST(StateLayout, LetsAConstantDriftALittleButDoesNotLearnHowMuch) {
  StateLayout states = layout();
  states.add("bias", {.value = 0.5, .deviation = 0.2}, "bias.drift");
  EXPECT_GT(states.entry(2).noise, 0.0);
  // Over an hour it loses less than a thousandth of what it knows.
  EXPECT_LT(states.entry(2).noise * std::sqrt(3600.0), 1e-3 * 0.2);
  EXPECT_EQ(states.entry(2).noise_learned_as, "");
}

TEST(StateLayout, GivesThePriorAndTheNoiseOfTheWholeState) {
  StateLayout states = layout();
  states.add("bias", {.value = 0.5, .deviation = 0.2, .drift = 0.01});
  const Gaussian prior = states.prior();
  EXPECT_TRUE(all_close(prior.mean, Eigen::Vector3d(1.0, -1.0, 0.5), 0.0));
  EXPECT_TRUE(all_close(prior.covariance(),
                        Eigen::MatrixXd(Eigen::Vector3d(4.0, 9.0, 0.04).asDiagonal()), 1e-15));
  const ProcessNoise noise = states.process_noise();
  EXPECT_TRUE(all_close(noise.deviations, Eigen::Vector3d(0.1, 0.1, 0.01), 0.0));
  EXPECT_EQ(noise.learned_as, (std::vector<std::string>{"walk", "walk", ""}));
}

TEST(StateLayout, RefusesWhatMakesNoDensity) {
  StateLayout states = layout();
  const auto entry = [&](const std::string& name, double start, double deviation, double noise) {
    return message_of([&] {
      StateEntry bad;
      bad.name = name;
      bad.start = start;
      bad.deviation = deviation;
      bad.noise = noise;
      states.add(bad);
    });
  };
  EXPECT_TRUE(contains(entry("x", 0.0, 1.0, 1.0), "x is there twice"));
  EXPECT_TRUE(contains(entry("z", 0.0, 0.0, 1.0), "deviation is 0"));
  EXPECT_TRUE(contains(entry("z", 0.0, 1.0, 0.0), "noise is 0"));
  EXPECT_TRUE(contains(entry("z", 0.0, 1.0, kNan), "noise is nan"));
  EXPECT_TRUE(contains(entry("z", kNan, 1.0, 1.0), "value is nan"));
  const auto quantity = [&](LearnedQuantity bad) {
    return message_of([&] { states.add("bias", bad); });
  };
  EXPECT_TRUE(contains(quantity({.value = kNan}), "value is nan"));
  EXPECT_TRUE(contains(quantity({.deviation = -1.0}), "deviation is -1"));
  EXPECT_TRUE(contains(quantity({.deviation = 1.0, .drift = -0.1}), "drift is -0.1"));
  EXPECT_EQ(states.dim(), 2);
}

}  // namespace
}  // namespace ovf
