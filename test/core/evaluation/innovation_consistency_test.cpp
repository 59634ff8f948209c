#include "ovf/evaluation/innovation_consistency.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "evaluation/test_tracks.hpp"
#include "ovf/math/chi_square.hpp"
#include "ovf/math/random.hpp"

namespace ovf {
namespace {

// White innovations of variance 4 that are said to be of variance 4 / ratio.
std::vector<UpdateSample> drawn_updates(const std::string& sensor, int count, int size,
                                        double ratio = 1.0, double gate = 0.0) {
  RandomStream random(11);
  std::vector<UpdateSample> updates;
  for (int i = 0; i < count; ++i) {
    UpdateSample update{.stamp = stamp_at(0.1 * i), .sensor = sensor, .outcome = "used"};
    update.innovation.resize(size);
    for (double& value : update.innovation) value = 2.0 * random.normal();
    update.nis = ratio * update.innovation.squaredNorm() / 4.0;
    update.gate = gate;
    if (gate > 0.0 && update.nis > gate) update.outcome = "gated";
    updates.push_back(update);
  }
  return updates;
}

TEST(InnovationConsistency, OfTheRightFilterIsInItsBand) {
  const auto sensors = innovation_consistency(drawn_updates("gnss", 5000, 2));
  ASSERT_EQ(sensors.size(), 1U);
  const SensorConsistency& gnss = sensors[0];
  EXPECT_EQ(gnss.sensor, "gnss");
  EXPECT_EQ(gnss.used, 5000);
  EXPECT_EQ(gnss.gated_share, 0.0);
  EXPECT_EQ(gnss.nis.degrees, 2.0);
  EXPECT_EQ(gnss.nis.expected, 1.0);
  EXPECT_TRUE(gnss.nis.band.contains(gnss.nis.ratio)) << gnss.nis.ratio;
  EXPECT_TRUE(gnss.nis.effective_band.contains(gnss.nis.ratio));
  // 5 % with a standard error of 0.3 %.
  EXPECT_NEAR(gnss.nis.outside95, 0.05, 0.015);
  ASSERT_EQ(gnss.components.size(), 2U);
  for (const InnovationComponent& component : gnss.components) {
    EXPECT_NEAR(component.deviation, 2.0, 0.1);
    EXPECT_LT(std::abs(component.bias), 3.0);
    EXPECT_GT(component.whiteness.p_value, 0.01);
    EXPECT_EQ(component.whiteness.autocorrelation.size(), 20U);
  }
}

TEST(InnovationConsistency, SeesNoiseThatIsTooSmall) {
  const auto gnss = innovation_consistency(drawn_updates("gnss", 5000, 2, 3.0))[0];
  EXPECT_NEAR(gnss.nis.ratio, 3.0, 0.25);
  EXPECT_GT(gnss.nis.ratio, gnss.nis.effective_band.high);
  // P(chi-square of 2 degrees > 5.99 / 3).
  EXPECT_NEAR(gnss.nis.outside95, std::exp(-5.991465 / 6.0), 0.04);
}

TEST(InnovationConsistency, AllowsForTheGate) {
  const double gate = chi_square_quantile(0.9, 2.0);
  const auto gnss = innovation_consistency(drawn_updates("gnss", 5000, 2, 1.0, gate))[0];
  // 10 % with a standard error of 0.4 %.
  EXPECT_NEAR(gnss.gated_share, 0.1, 0.02);
  EXPECT_EQ(gnss.used + gnss.gated, 5000);
  // Of an exponential variable cut at its 90 % quantile q: 1 - (q / 2) 0.1 / 0.9.
  EXPECT_NEAR(gnss.nis.expected, 1.0 - 0.5 * gate / 9.0, 1e-9);
  EXPECT_TRUE(gnss.nis.band.contains(gnss.nis.ratio)) << gnss.nis.ratio;
  EXPECT_FALSE(gnss.nis.band.contains(1.0));
  // What was gated counts here.
  EXPECT_EQ(gnss.nis.reached, 5000);
  EXPECT_NEAR(gnss.nis.outside95, 0.05, 0.015);
}

TEST(InnovationConsistency, GroupsBySizeAndSensor) {
  auto updates = drawn_updates("b", 300, 1);
  const auto more = drawn_updates("b", 200, 3);
  const auto other = drawn_updates("a", 100, 2);
  updates.insert(updates.end(), more.begin(), more.end());
  updates.insert(updates.end(), other.begin(), other.end());
  updates.push_back({.outcome = "predicted"});
  updates.push_back({.sensor = "c", .outcome = "out of order"});
  const auto sensors = innovation_consistency(updates);
  ASSERT_EQ(sensors.size(), 3U);
  EXPECT_EQ(sensors[0].sensor, "a");
  const SensorConsistency& b = sensors[1];
  ASSERT_EQ(b.nis_by_size.size(), 2U);
  EXPECT_EQ(b.nis_by_size[0].degrees, 1.0);
  EXPECT_EQ(b.nis_by_size[0].count, 300);
  EXPECT_EQ(b.nis_by_size[1].degrees, 3.0);
  EXPECT_EQ(b.nis_by_size[1].count, 200);
  EXPECT_NEAR(b.nis.degrees, 900.0 / 500.0, 1e-12);
  EXPECT_NEAR(b.nis.ratio,
              (300.0 * b.nis_by_size[0].ratio + 600.0 * b.nis_by_size[1].ratio) / 900.0, 1e-12);
  ASSERT_EQ(b.components.size(), 3U);
  EXPECT_EQ(b.components[0].whiteness.count, 500);
  EXPECT_EQ(b.components[2].whiteness.count, 200);
  const SensorConsistency& c = sensors[2];
  EXPECT_EQ(c.messages, 1);
  EXPECT_EQ(c.used, 0);
  EXPECT_TRUE(std::isnan(c.gated_share));
  EXPECT_TRUE(std::isnan(c.nis.ratio));
  EXPECT_TRUE(c.components.empty());
}

TEST(InnovationConsistency, SeesColourAndBias) {
  auto updates = drawn_updates("heading", 2000, 1);
  double last = 0.0;
  for (UpdateSample& update : updates) {
    last = 0.5 * last + update.innovation[0];
    update.innovation[0] = last + 1.0;
    update.nis = update.innovation.squaredNorm() / 4.0;
  }
  const auto component = innovation_consistency(updates)[0].components[0];
  EXPECT_NEAR(component.mean, 1.0, 0.3);
  EXPECT_GT(component.bias, 3.0);
  EXPECT_NEAR(component.whiteness.autocorrelation[0], 0.5, 0.1);
  EXPECT_LT(component.whiteness.p_value, 1e-6);
}

TEST(InnovationConsistency, NormalisesASensorOfOneNumberExactly) {
  // The first innovations are large, and so is their stated deviation.
  auto updates = drawn_updates("range", 500, 1);
  for (std::size_t i = 0; i < 3; ++i) updates[i].innovation *= 1e4;
  std::vector<double> normalised;
  for (const UpdateSample& update : updates) {
    normalised.push_back(std::copysign(std::sqrt(update.nis), update.innovation[0]));
  }
  const auto component = innovation_consistency(updates)[0].components[0];
  EXPECT_EQ(component.whiteness.ljung_box, test_whiteness(normalised).ljung_box);
}

TEST(InnovationConsistency, TakesMessagesInTheOrderOfTime) {
  auto updates = drawn_updates("gnss", 500, 2);
  const auto expected = innovation_consistency(updates)[0];
  std::reverse(updates.begin(), updates.end());
  const auto shuffled = innovation_consistency(updates)[0];
  EXPECT_EQ(shuffled.components[1].whiteness.autocorrelation,
            expected.components[1].whiteness.autocorrelation);
}

TEST(InnovationConsistency, LeavesOutWhatIsNotFinite) {
  auto updates = drawn_updates("gnss", 100, 2);
  updates[3].nis = std::numeric_limits<double>::quiet_NaN();
  updates[4].innovation[0] = std::numeric_limits<double>::infinity();
  updates[5].innovation.resize(0);
  const auto gnss = innovation_consistency(updates)[0];
  EXPECT_EQ(gnss.used, 100);
  EXPECT_EQ(gnss.nis.count, 97);
  EXPECT_TRUE(std::isfinite(gnss.nis.ratio));
  EXPECT_TRUE(innovation_consistency({}).empty());
}

}  // namespace
}  // namespace ovf
