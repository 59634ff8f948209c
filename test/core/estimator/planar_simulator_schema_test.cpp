#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <stdexcept>
#include <string>

#include "ovf/config/parameter_list.hpp"
#include "ovf/estimator/planar_simulator_config.hpp"

namespace ovf {
namespace {

using Config = PlanarSimulatorConfig;

std::string complaint(const Config& config) {
  try {
    validate(config);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PlanarSimulatorSchema, HasEveryKeyOnceWithOneLineOfMeaning) {
  Config config;
  std::set<std::string> keys;
  for (const Parameter& p : list_parameters([&](ConfigVisitor& v) { visit(v, config); })) {
    EXPECT_TRUE(keys.insert(p.key).second) << p.key;
    EXPECT_TRUE(p.doc.ends_with('.')) << p.key;
    EXPECT_EQ(p.doc.find('\n'), std::string::npos) << p.key;
  }
  for (const char* key : {"seed", "control", "driving.pattern", "slip.drag", "uwb.drop_out_every",
                          "camera.outliers", "gnss.wander", "imu.bias_drift", "odometry.nu"}) {
    EXPECT_TRUE(keys.contains(key)) << key;
  }
}

TEST(PlanarSimulatorSchema, IsReadBackBitForBit) {
  Config config;
  config.seed = 77;
  config.control = ControlSource::kCommands;
  config.driving.pattern = Driving::kTour;
  config.uwb.noise = 0.1 + 1e-17 + 1.0 / 3.0;
  const std::string text = write_simulator_config(config);
  const Config copy = read_simulator_config(text, "a.yaml");
  EXPECT_EQ(write_simulator_config(copy), text);
  EXPECT_EQ(copy.uwb.noise, config.uwb.noise);
  EXPECT_EQ(copy.driving.pattern, Driving::kTour);
  EXPECT_EQ(copy.seed, 77U);
}

TEST(PlanarSimulatorSchema, NamesMistakesWithFileLineAndKey) {
  const auto mistakes_in = [](const std::string& text) -> std::string {
    try {
      read_simulator_config(text, "sim.yaml");
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(mistakes_in("uwb: {rate: 20.0}\n"), "accepted");
  EXPECT_EQ(mistakes_in("seed: 1\nuwb:\n  nois: 0.1\n"),
            "sim.yaml:3: unknown key uwb.nois; did you mean uwb.noise?");
  EXPECT_NE(mistakes_in("driving.highest_speed: 3.0").find("sim.yaml: driving.arena_length"),
            std::string::npos)
      << mistakes_in("driving.highest_speed: 3.0");
}

TEST(PlanarSimulatorConfig, IsRefusedOutOfRange) {
  EXPECT_EQ(complaint(Config()), "accepted");
  const auto refuses = [](const std::string& key, void (*spoil)(Config&)) {
    Config config;
    spoil(config);
    EXPECT_NE(complaint(config).find(key), std::string::npos) << complaint(config);
  };
  refuses("uwb.noise", [](Config& c) { c.uwb.noise = -1.0; });
  refuses("uwb.noise", [](Config& c) { c.uwb.noise = std::numeric_limits<double>::quiet_NaN(); });
  refuses("imu.rate", [](Config& c) { c.imu.timing.rate = 1e-9; });
  refuses("gnss.drop_out_every", [](Config& c) { c.gnss.timing.drop_out_every = 1e-9; });
  refuses("uwb.beacons", [](Config& c) { c.uwb.beacons = 0; });
  refuses("camera.outliers", [](Config& c) { c.camera.tails.outliers = 1.5; });
  refuses("driving.lowest_speed", [](Config& c) { c.driving.lowest_speed = 2.0; });
  refuses("driving.lowest_speed", [](Config& c) { c.driving.lowest_speed = -2.0; });
  refuses("driving.arena_length", [](Config& c) { c.driving.arena_width = 2.0; });
  refuses("odometry.rate", [](Config& c) { c.odometry.timing.rate = 0.0; });
}

}  // namespace
}  // namespace ovf
