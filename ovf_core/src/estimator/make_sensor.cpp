#include "estimator/make_sensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ovf/model/sensor_mean.hpp"
#include "ovf/model/sigma_point_mean.hpp"

namespace ovf {
namespace {

bool sees(const SensorConfig& config, int id) {
  return config.targets.empty() ||
         std::find(config.targets.begin(), config.targets.end(), id) != config.targets.end();
}

bool is_planar(const MotionConfig& motion) { return motion.kind == MotionKind::kPlanar; }

[[noreturn]] void fail(const SensorConfig& config, const char* key, const std::string& is,
                       const std::string& expected) {
  throw std::invalid_argument(
      fmt::format("{}.{} is {}; expected {}", config.name, key, is, expected));
}

std::vector<int> axes_of(const SensorConfig& config, const MotionConfig& motion) {
  std::vector<int> axes = config.axes;
  if (axes.empty()) {
    const bool planar = is_planar(motion);
    if (config.kind == SensorKind::kTurnRate && planar) {
      axes = {2};
    } else {
      axes.resize(planar ? 2 : 3);
      std::iota(axes.begin(), axes.end(), 0);
    }
  }
  return axes;
}

std::unique_ptr<MeanFunction> linear_mean(const SensorConfig& config, const Motion& motion,
                                          int state_dim) {
  const auto columns = static_cast<std::size_t>(motion.state_dim());
  if (config.matrix.size() % columns != 0) {
    fail(config, "matrix", fmt::format("{} numbers", config.matrix.size()),
         fmt::format("rows of {}, one number for each of the motion's states", columns));
  }
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
      matrix(config.matrix.data(), static_cast<Eigen::Index>(config.matrix.size() / columns),
             motion.state_dim());
  std::vector<int> indices(columns);
  std::iota(indices.begin(), indices.end(), 0);
  return make_linear_sensor_mean(state_dim, indices, matrix);
}

std::array<Quantity, 3> triple(const std::vector<Quantity>& all, std::size_t first) {
  return {all[first], all[first + 1], all[first + 2]};
}

Eigen::VectorXd expanded(const SensorConfig& config, const char* key,
                         const std::vector<double>& values, int dim) {
  if (values.size() == 1) return Eigen::VectorXd::Constant(dim, values.front());
  if (values.size() != static_cast<std::size_t>(dim)) {
    fail(config, key, fmt::format("{} numbers", values.size()), fmt::format("one, or {}", dim));
  }
  return Eigen::Map<const Eigen::VectorXd>(values.data(), dim);
}

struct Equation {
  std::unique_ptr<MeanFunction> mean;
  std::vector<bool> angles;
};

template <typename Function>
Equation equation(Function function, int state_dim) {
  std::vector<bool> angles = function.angles();
  return {make_sensor_mean(std::move(function), state_dim), std::move(angles)};
}

Equation make_equation(const SensorConfig& config, const MotionConfig& motion_config,
                       const std::shared_ptr<const Motion>& motion, const SensorQuantities& q,
                       const Targets& targets, int state_dim) {
  switch (config.kind) {
    case SensorKind::kPose:
      if (is_planar(motion_config)) {
        return equation(PlanarPoseSensor{motion, q.mounting}, state_dim);
      }
      return equation(PoseSensor{motion, q.mounting}, state_dim);
    case SensorKind::kPosition:
      return equation(
          PositionSensor{motion, q.mounting, axes_of(config, motion_config), triple(q.biases, 0)},
          state_dim);
    case SensorKind::kAltitude:
      return equation(AltitudeSensor{motion, q.mounting, q.biases.front()}, state_dim);
    case SensorKind::kVelocity:
      return equation(VelocitySensor{motion, q.mounting, axes_of(config, motion_config), q.scale},
                      state_dim);
    case SensorKind::kYaw:
      return equation(YawSensor{motion, q.mounting}, state_dim);
    case SensorKind::kTurnRate:
      return equation(
          TurnRateSensor{motion, q.mounting, axes_of(config, motion_config), triple(q.biases, 0)},
          state_dim);
    case SensorKind::kImu:
      return equation(ImuSensor{motion, q.mounting, triple(q.biases, 0), triple(q.biases, 3)},
                      state_dim);
    case SensorKind::kRange:
      return equation(RangeSensor{motion, q.mounting, targets, q.biases, q.scale}, state_dim);
    case SensorKind::kRangeBearing:
      return equation(
          RangeBearingSensor{motion, q.mounting, targets, q.biases.front(), q.scale, q.depth},
          state_dim);
    case SensorKind::kJointPositions:
    case SensorKind::kJointVelocities: {
      const auto* joints = dynamic_cast<const JointMotion*>(motion.get());
      if (joints == nullptr) fail(config, "kind", "one of joints", "motion.kind: joints with it");
      const auto reading = config.kind == SensorKind::kJointPositions ? JointReading::kPositions
                                                                      : JointReading::kVelocities;
      return {make_joint_sensor_mean(*joints, state_dim, joints->joints(), reading), {}};
    }
    case SensorKind::kLinear:
      break;
  }
  return {linear_mean(config, *motion, state_dim), {}};
}

}  // namespace

SensorQuantities add_quantities(const SensorConfig& config, const MotionConfig& motion,
                                const std::vector<int>& landmark_ids, StateLayout& layout) {
  const std::string drift = config.learn_drift ? config.name + ".bias.drift" : "";
  const auto add = [&](const char* name, const LearnedQuantity& quantity) {
    return layout.add(config.name + "." + name, quantity);
  };
  SensorQuantities q;
  q.mounting.offset = {add("offset_x", config.offset_x), add("offset_y", config.offset_y),
                       add("offset_z", config.offset_z)};
  q.mounting.roll = add("roll", config.roll);
  q.mounting.pitch = add("pitch", config.pitch);
  q.mounting.yaw = add("yaw", config.yaw);
  q.mounting.latency = add("latency", config.latency);
  q.scale = add("scale", config.scale);
  q.depth = add("depth", config.depth);
  const auto add_bias = [&](const std::string& number, bool used) {
    q.biases.push_back(used ? layout.add(config.name + ".bias" + number, config.bias, drift)
                            : Quantity{.value = config.bias.value});
  };
  if (config.kind == SensorKind::kAltitude || config.kind == SensorKind::kRangeBearing) {
    add_bias("", true);
  }
  if (config.kind == SensorKind::kTurnRate || config.kind == SensorKind::kPosition) {
    const std::vector<int> axes = axes_of(config, motion);
    for (int i = 0; i < 3; ++i) {
      const bool used = std::find(axes.begin(), axes.end(), i) != axes.end();
      add_bias(axes.size() == 1 ? "" : fmt::format("[{}]", i), used);
    }
  }
  for (int i = 0; i < 6 && config.kind == SensorKind::kImu; ++i) {
    add_bias(fmt::format("[{}]", i), true);
  }
  for (const int id : landmark_ids) {
    if (config.kind == SensorKind::kRange) add_bias(fmt::format("[{}]", id), sees(config, id));
  }
  return q;
}

std::unique_ptr<Sensor> make_sensor(const EstimatorConfig& robot, const SensorConfig& config,
                                    const std::shared_ptr<const Motion>& motion,
                                    const SensorQuantities& quantities, const Targets& targets,
                                    int state_dim, SensorInfo& info) {
  info.has_targets = config.kind == SensorKind::kRange || config.kind == SensorKind::kRangeBearing;
  if (info.has_targets && targets.empty()) {
    fail(config, "kind", "one that sees landmarks", "landmarks.ids, x and y with it");
  }
  Equation equation = make_equation(config, robot.motion, motion, quantities, targets, state_dim);
  const int dim = equation.mean->output_dim();
  info.has_quaternion = config.kind == SensorKind::kPose && !is_planar(robot.motion);
  info.dim = info.has_quaternion ? dim + 1 : dim;

  if (robot.sigma_points) {
    equation.mean = std::make_unique<SigmaPointMean>(std::move(equation.mean), equation.angles);
  }

  SensorNoise noise;
  noise.scales = expanded(config, "noise", config.noise, dim);
  if (!config.noise_floor.empty()) {
    noise.floors = expanded(config, "noise_floor", config.noise_floor, dim);
  }
  noise.learn_scales = config.learn_noise && !robot.sigma_points;
  noise.factor = config.noise_factor;
  noise.nu = config.nu;
  noise.learn_nu = config.learn_nu;
  return std::make_unique<Sensor>(
      Sensor::Spec{config.name, std::move(equation.mean), noise, std::move(equation.angles)});
}

}  // namespace ovf
