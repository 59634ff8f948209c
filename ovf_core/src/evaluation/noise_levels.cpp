#include "evaluation/noise_levels.hpp"

#include <fmt/format.h>

#include <utility>

#include "ovf/estimator/robot_model.hpp"

namespace ovf {
namespace {

std::set<std::string> motion_parameters(EstimatorConfig config) {
  config.motion.noise.learn = true;
  const RobotModel robot = make_robot_model(config);
  const ParameterVector& parameters = robot.state_space.transition().parameters();
  std::set<std::string> names;
  for (int i = 0; i < parameters.size(); ++i) names.insert(parameters.info(i).name);
  return names;
}

}  // namespace

void expand_noise(EstimatorConfig& config) {
  const RobotModel robot = make_robot_model(config);
  for (std::size_t i = 0; i < config.sensors.size(); ++i) {
    std::vector<double>& noise = config.sensors[i].noise;
    const SensorInfo& info = robot.sensors[i];
    const int dim = info.has_quaternion ? info.dim - 1 : info.dim;
    if (noise.size() == 1) noise.resize(static_cast<std::size_t>(dim), noise.front());
  }
}

std::vector<NoiseLevel> noise_levels(EstimatorConfig& config,
                                     const std::set<std::string>& sensors) {
  std::vector<NoiseLevel> levels;
  for (SensorConfig& sensor : config.sensors) {
    if (!sensors.contains(sensor.name)) continue;
    for (std::size_t k = 0; k < sensor.noise.size(); ++k) {
      const std::string number = sensor.noise.size() > 1 ? fmt::format("[{}]", k) : "";
      levels.push_back({sensor.name + ".noise" + number, &sensor.noise[k]});
    }
  }
  const std::set<std::string> used = motion_parameters(config);
  MotionNoiseConfig& noise = config.motion.noise;
  for (const NoiseLevel& level :
       std::vector<NoiseLevel>{{"motion.noise.position", &noise.position},
                               {"motion.noise.angle", &noise.angle},
                               {"motion.noise.velocity", &noise.velocity},
                               {"motion.noise.rate", &noise.rate},
                               {"motion.noise.acceleration", &noise.acceleration}}) {
    if (used.contains(level.name)) levels.push_back(level);
  }
  return levels;
}

}  // namespace ovf
