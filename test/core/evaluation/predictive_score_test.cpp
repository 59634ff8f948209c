#include "ovf/evaluation/predictive_score.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ovf {
namespace {

UpdateSample update_of(const char* sensor, const char* outcome, double increment) {
  return {.sensor = sensor, .outcome = outcome, .elbo_increment = increment};
}

TEST(PredictiveScore, IsTheMeanOverUsedMeasurements) {
  const auto score =
      predictive_score({update_of("gnss", "used", -1.0), update_of("compass", "used", 2.0),
                        update_of("gnss", "used", -4.0), update_of("gnss", "gated", -100.0),
                        update_of("", "predicted", -7.0), update_of("camera", "too old", 0.0),
                        update_of("compass", "used", std::numeric_limits<double>::quiet_NaN())});
  ASSERT_EQ(score.sensors.size(), 3U);
  EXPECT_EQ(score.sensors[0].sensor, "camera");
  EXPECT_EQ(score.sensors[0].count, 0);
  EXPECT_TRUE(std::isnan(score.sensors[0].mean));
  EXPECT_EQ(score.sensors[1].mean, 2.0);
  EXPECT_EQ(score.sensors[2].count, 2);
  EXPECT_EQ(score.sensors[2].mean, -2.5);
  EXPECT_EQ(score.overall.count, 3);
  EXPECT_EQ(score.overall.sum, -3.0);
  EXPECT_EQ(score.overall.mean, -1.0);
}

TEST(PredictiveScore, OfNothingIsNan) {
  const auto score = predictive_score({});
  EXPECT_TRUE(score.sensors.empty());
  EXPECT_TRUE(std::isnan(score.overall.mean));
}

}  // namespace
}  // namespace ovf
