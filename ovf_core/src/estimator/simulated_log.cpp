#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "ovf/estimator/planar_simulator.hpp"

namespace ovf {

std::vector<std::pair<std::string, double>> PlanarSimulator::true_parameters() const {
  const auto& [seed, control, driving, slip, odometry, uwb, camera, gnss, imu] = config_;
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
  }
  return log;
}

RobotLog simulate(const PlanarSimulatorConfig& config, double seconds) {
  PlanarSimulator simulator(config);
  return record(simulator, seconds);
}

}  // namespace ovf
