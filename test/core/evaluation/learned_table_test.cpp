#include "ovf/evaluation/learned_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "ovf/evaluation/localisation.hpp"
#include "ovf/evaluation/uncertain_text.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

using testing::ElementsAre;

std::string text_of(double value, double deviation) {
  const UncertainText text = uncertain_text(value, deviation);
  return text.value + " ± " + text.deviation;
}

TEST(UncertainText, RoundsTheValueToTheSecondDigitOfTheDeviation) {
  EXPECT_EQ(text_of(0.144231, 0.0113), "0.144 ± 0.011");
  EXPECT_EQ(text_of(1.0213, 0.000996), "1.0213 ± 0.0010");
  EXPECT_EQ(text_of(-0.0088, 0.5), "-0.01 ± 0.50");
  EXPECT_EQ(text_of(12.345, 9.96), "12 ± 10");
  EXPECT_EQ(text_of(1234.5, 123.0), "1234 ± 123");
  EXPECT_EQ(text_of(0.002016, 5.9e-9), "0.002016 ± 5.9e-09");
}

TEST(UncertainText, NeverShowsADeviationAsZero) {
  for (double deviation = 1e-15; deviation < 1e6; deviation *= 3.7) {
    EXPECT_GT(std::stod(uncertain_text(0.1, deviation).deviation), 0.0) << deviation;
  }
  EXPECT_EQ(uncertain_text(0.5, 0.0).deviation, "0");
}

TEST(LearnedTable, HoldsWhatWasLearnedAgainstItsReference) {
  ParameterSample learned;
  learned.names = {"motion.slip", "uwb.noise", "uwb.nu", "gnss.noise[0]", "unknown"};
  learned.values = {0.144, 0.2, 4.0, 0.01, 1.0};
  learned.deviations = {0.012, 0.02, 1.5, 0.005, 0.1};
  learned.status = {ParameterStatus::kIdentified, ParameterStatus::kIdentified,
                    ParameterStatus::kNotIdentified, ParameterStatus::kAtFloor,
                    ParameterStatus::kIdentified};
  const Table table = learned_table(learned, {{"uwb.noise", 0.1, "batch", true},
                                              {"motion.slip", 0.15, "truth", false},
                                              {"uwb.nu", 4.4, "batch", true},
                                              {"gnss.noise[0]", 0.012, "batch", true}});
  EXPECT_THAT(table.header,
              ElementsAre("parameter", "reference", "reference is", "learned", "±1σ", "z"));
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_THAT(table.rows[0], ElementsAre("motion.slip", "0.15", "truth", "0.144", "0.012", "-0.5"));
  // log(0.2 / 0.1) in units of 0.02 / 0.2.
  EXPECT_THAT(table.rows[1], ElementsAre("uwb.noise", "0.1", "batch", "0.200", "0.020", "6.9"));
  EXPECT_THAT(table.rows[2], ElementsAre("uwb.nu", "4.4", "batch", "4", "not identified", "–"));
  EXPECT_THAT(table.rows[3],
              ElementsAre("gnss.noise[0]", "0.012", "batch", "0.01", "at its floor", "–"));
}

TEST(ParameterReferences, AreTrueValuesWhereThereAreAnyAndOtherwiseMaximumLikelihood) {
  PlanarSimulatorConfig simulation;
  for (const bool well_specified : {false, true}) {
    simulation.well_specified = well_specified;
    PlanarSimulator simulator(simulation);
    const RobotLog log = record(simulator, 60.0);
    auto config = load_estimator_config(test::config_folder() / "planar_all_sensors.yaml");
    take_landmarks(log, config);
    std::map<std::string, ParameterReference> found;
    for (const auto& reference : parameter_references(simulator, log, config)) {
      EXPECT_TRUE(found.emplace(reference.name, reference).second) << reference.name;
    }
    for (const char* name : {"motion.turn_scale", "motion.slip", "uwb.scale", "uwb.bias[3]",
                             "camera.yaw", "camera.bias", "imu.bias"}) {
      EXPECT_EQ(found.at(name).source, "true value") << name;
      EXPECT_FALSE(found.at(name).positive) << name;
    }
    for (const char* name : {"uwb.noise", "uwb.nu", "camera.noise[1]", "gnss.nu", "imu.noise"}) {
      EXPECT_EQ(found.at(name).source, well_specified ? "true value" : "batch ML on true residuals")
          << name;
      EXPECT_TRUE(found.at(name).positive) << name;
    }
    EXPECT_EQ(found.contains("motion.scale"), well_specified);
  }
}

}  // namespace
}  // namespace ovf
