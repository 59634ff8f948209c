#include "ovf/evaluation/worst_second.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/test_tracks.hpp"

namespace ovf {
namespace {

std::vector<ErrorPoint> errors_at(const std::vector<std::pair<double, double>>& values) {
  std::vector<ErrorPoint> errors;
  for (const auto& [seconds, error] : values) {
    errors.push_back({.stamp = stamp_at(seconds), .position = error});
  }
  return errors;
}

TEST(WorstSecond, IsTheLargestMeanOverASecond) {
  // One outlier of 10 among ten errors of 1 in its second.
  std::vector<std::pair<double, double>> values;
  for (int i = 0; i < 50; ++i) values.emplace_back(0.1 * i, i == 30 ? 10.0 : 1.0);
  EXPECT_NEAR(worst_second(errors_at(values)), 1.9, 1e-9);
}

TEST(WorstSecond, DoesNotTakeTheBeginningForASecond) {
  EXPECT_NEAR(worst_second(errors_at({{0.0, 9.0}, {0.5, 1.0}, {1.0, 2.0}, {1.5, 2.0}})), 2.0, 1e-9);
}

TEST(WorstSecond, OfLessThanASecondIsTheMeanOfAll) {
  EXPECT_NEAR(worst_second(errors_at({{0.0, 1.0}, {0.5, 3.0}})), 2.0, 1e-9);
  EXPECT_NEAR(worst_second(errors_at({{0.0, 4.0}})), 4.0, 1e-9);
  EXPECT_TRUE(std::isnan(worst_second({})));
}

TEST(WorstSecond, SeesASingleErrorAfterAGap) {
  EXPECT_NEAR(worst_second(errors_at({{0.0, 1.0}, {0.9, 1.0}, {7.0, 5.0}, {7.5, 7.0}})), 6.0, 1e-9);
}

}  // namespace
}  // namespace ovf
