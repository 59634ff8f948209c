#include "ovf/evaluation/localisation.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "ovf/estimator/planar_simulator.hpp"
#include "ovf/evaluation/mrclam_log.hpp"
#include "ovf/evaluation/plaza_log.hpp"
#include "ovf/evaluation/rollout_study.hpp"
#include "source_folder.hpp"

namespace ovf {
namespace {

using test::config_folder;

std::filesystem::path data_folder(const char* name) {
  const char* root = std::getenv("OVF_DATA_DIR");
  return root == nullptr ? std::filesystem::path() : std::filesystem::path(root) / name;
}

std::map<std::string, double> values_of(const RobotLog& log, const std::string& config_file,
                                        LocalisationOptions options = {}) {
  std::ostringstream silent;
  const auto config = load_estimator_config(config_folder() / config_file);
  return localisation(log, config, options, silent).values;
}

TEST(LocalisationSlow, LearnsTheFaultsOfASimulatedRobotAmongBeacons) {
  PlanarSimulatorConfig robot;
  robot.camera.timing.rate = 0.0;
  robot.gnss.timing.rate = 0.0;
  robot.imu.timing.rate = 0.0;
  RobotLog log = simulate(robot, 300.0);
  std::erase_if(log.landmarks, [](const Landmark& landmark) {
    return landmark.id >= PlanarSimulator::kFirstLandmark;
  });
  const auto values = values_of(log, "planar_beacons.yaml", {.compare = true});
  EXPECT_LT(values.at("position_rmse"), 0.35);
  // Both estimate biases and scales: the noise alone makes the difference.
  EXPECT_LT(values.at("position_rmse"), values.at("off.position_rmse"));
  EXPECT_GT(values.at("nees"), 0.5);
  EXPECT_LT(values.at("nees"), 5.0);
}

TEST(LocalisationSlow, MowerWithRadioBeacons) {
  const auto folder = data_folder("plaza");
  if (folder.empty()) GTEST_SKIP() << "OVF_DATA_DIR is not set: it has the folder plaza";
  const auto values = values_of(read_plaza_log(folder), "planar_beacons.yaml");
  EXPECT_LT(values.at("position_rmse"), 0.6);
  EXPECT_GT(values.at("nees"), 1.0);
  EXPECT_LT(values.at("nees"), 4.0);
}

TEST(LocalisationSlow, RobotsThatSeeLandmarks) {
  const auto folder = data_folder("mrclam");
  if (folder.empty()) GTEST_SKIP() << "OVF_DATA_DIR is not set: it has the folder mrclam";
  for (const int robot : {1, 3}) {
    const auto values = values_of(read_mrclam_log(folder, robot), "range_bearing_landmarks.yaml");
    EXPECT_LT(values.at("position_rmse"), 0.2) << robot;
    EXPECT_GT(values.at("nees"), 1.0) << robot;
    EXPECT_LT(values.at("nees"), 4.0) << robot;
  }
}

TEST(RolloutStudySlow, LearnedDynamicsSeeFurther) {
  std::ostringstream silent;
  const Report report =
      rollout_study(load_simulator_config(config_folder() / "simulation_commands.yaml"),
                    load_estimator_config(config_folder() / "planar_commands.yaml"), {}, silent);
  EXPECT_LT(report.values.at("ratio"), 1.0 / 3.0);
  EXPECT_GT(report.values.at("coverage90"), 0.85);
  EXPECT_LT(report.values.at("coverage90"), 0.95);
}

}  // namespace
}  // namespace ovf
