#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "ovf/estimator/planar_simulator.hpp"

namespace ovf {

std::vector<std::pair<std::string, double>> PlanarSimulator::true_parameters() const {
  if (config_.well_specified) return estimator_truth();
  const auto& [seed, well_specified, control, driving, slip, motion, odometry, uwb, camera, gnss,
               imu] = config_;
  std::vector<std::pair<std::string, double>> values = {{"slip.forward_gain", slip.forward_gain},
                                                        {"slip.turn_gain", slip.turn_gain},
                                                        {"slip.slip", slip.slip},
                                                        {"slip.drag", slip.drag},
                                                        {"slip.turn_loss", slip.turn_loss},
                                                        {"slip.response_time", slip.response_time}};
  if (control == ControlSource::kOdometry) {
    values.insert(values.end(), {{"odometry.scale", odometry.scale},
                                 {"odometry.turn_scale", odometry.turn_scale},
                                 {"odometry.yaw_rate_bias", odometry.yaw_rate_bias}});
  }
  if (uwb.timing.rate > 0.0) {
    values.insert(values.end(),
                  {{"uwb.scale", uwb.scale}, {"uwb.noise", uwb.noise}, {"uwb.nu", uwb.tails.nu}});
    for (std::size_t i = 0; i < range_biases_.size(); ++i) {
      values.emplace_back(fmt::format("uwb.bias[{}]", landmarks_[i].id), range_biases_[i]);
    }
  }
  if (camera.timing.rate > 0.0) {
    values.insert(values.end(), {{"camera.range_scale", camera.range_scale},
                                 {"camera.range_bias", camera.range_bias},
                                 {"camera.bearing_bias", camera.bearing_bias},
                                 {"camera.range_noise", camera.range_noise},
                                 {"camera.bearing_noise", camera.bearing_noise},
                                 {"camera.nu", camera.tails.nu}});
  }
  if (gnss.timing.rate > 0.0) {
    values.insert(values.end(), {{"gnss.noise", gnss.noise}, {"gnss.nu", gnss.tails.nu}});
  }
  if (imu.timing.rate > 0.0) {
    values.insert(values.end(), {{"imu.bias", imu_bias_}, {"imu.noise", imu.noise}});
  }
  return values;
}

std::vector<std::pair<std::string, double>> PlanarSimulator::estimator_truth() const {
  const auto& [seed, well_specified, control, driving, slip, motion, odometry, uwb, camera, gnss,
               imu] = config_;
  std::vector<std::pair<std::string, double>> values;
  const auto add = [&values](const char* name, double value) { values.emplace_back(name, value); };
  // Where the noise is white and of the estimator's kind, its parameters have true values.
  const auto add_noise = [&](const char* name, double value) {
    if (config_.well_specified) add(name, value);
  };
  const auto add_nu = [&](const char* name, double nu) {
    if (nu > 0.0) add_noise(name, nu);
  };
  if (well_specified) {
    add("motion.scale", motion.scale);
    add("motion.turn_scale", motion.turn_scale);
    add("motion.yaw_rate_bias", body_->yaw_rate_bias());
    add("motion.slip", motion.slip);
    add("motion.turn_drag", motion.turn_drag);
    add("motion.noise.position", motion.position_noise);
    add("motion.noise.angle", motion.angle_noise);
    add("motion.noise.velocity", motion.velocity_noise);
    add("motion.noise.rate", motion.rate_noise);
  } else if (control == ControlSource::kOdometry) {
    // Drag leaves no single motion.scale.
    const double turn_scale = slip.turn_gain / odometry.turn_scale;
    add("motion.turn_scale", turn_scale);
    add("motion.yaw_rate_bias", -turn_scale * odometry.yaw_rate_bias);
    add("motion.slip", slip.slip);
  }
  if (uwb.timing.rate > 0.0) {
    add("uwb.scale", uwb.scale);
    for (std::size_t i = 0; i < range_biases_.size(); ++i) {
      values.emplace_back(fmt::format("uwb.bias[{}]", landmarks_[i].id), range_biases_[i]);
    }
    add_noise("uwb.noise", uwb.noise);
    add_nu("uwb.nu", uwb.tails.nu);
  }
  if (camera.timing.rate > 0.0) {
    // A camera that is turned to the left sees landmarks farther to the right.
    add("camera.yaw", -camera.bearing_bias);
    add("camera.bias", camera.range_bias);
    add_noise("camera.noise[0]", camera.range_noise);
    add_noise("camera.noise[1]", camera.bearing_noise);
    add_nu("camera.nu", camera.tails.nu);
  }
  if (gnss.timing.rate > 0.0) {
    const double noise = std::hypot(gnss.noise, gnss.noise_floor);
    add_noise("gnss.noise[0]", noise);
    add_noise("gnss.noise[1]", noise);
    add_nu("gnss.nu", gnss.tails.nu);
  }
  if (imu.timing.rate > 0.0) {
    add("imu.bias", imu_bias_);
    add_noise("imu.noise", imu.noise);
  }
  return values;
}

RobotLog record(PlanarSimulator& simulator, double seconds) {
  // The lowest time beyond reach of a stamp; also refuses what is not a number.
  if (!(seconds >= 0.0 && seconds < 4e9)) {
    throw std::invalid_argument(
        fmt::format("{} seconds of simulation; expected 0 to 4e9", seconds));
  }
  const Stamp end = std::llround(seconds / kSecondsPerNanosecond);
  RobotLog log;
  log.landmarks = simulator.landmarks();
  while (simulator.next_stamp() <= end) {
    if (log.messages.size() == kMostSimulatedMessages) {
      throw std::invalid_argument(fmt::format(
          "{} seconds of simulation are more than {} messages; expected a shorter time, or lower "
          "rates",
          seconds, kMostSimulatedMessages));
    }
    SimulatedMessage next = simulator.next();
    if (log.truth.empty() || log.truth.back().stamp < next.pose.stamp) {
      log.truth.push_back(next.pose);
    }
    log.messages.push_back(std::move(next.message));
    log.noise_free.push_back(std::move(next.noise_free));
  }
  return log;
}

RobotLog simulate(const PlanarSimulatorConfig& config, double seconds) {
  PlanarSimulator simulator(config);
  return record(simulator, seconds);
}

}  // namespace ovf
