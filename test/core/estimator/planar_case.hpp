#pragma once

#include <cmath>
#include <vector>

#include "ovf/estimator/estimator.hpp"
#include "ovf/math/random.hpp"

namespace ovf::test {

inline Stamp at_seconds(double seconds) { return std::llround(seconds * 1e9); }

/// A planar robot with odometry, a position sensor and a compass, whose errors are independent.
inline EstimatorConfig planar_config() {
  EstimatorConfig config;
  config.motion.scale = {.value = 1.0, .deviation = 0.1};
  config.motion.noise.position = 0.05;
  config.sensors = {
      {.name = "gps", .kind = SensorKind::kPosition, .noise = {0.3}},
      {.name = "compass", .kind = SensorKind::kYaw, .noise = {0.05}},
  };
  for (SensorConfig& sensor : config.sensors) sensor.error_time = 0.0;
  return config;
}

/// What such a robot sends while it drives a circle: odometry that reads too low by `scale`.
inline std::vector<Message> circle_messages(double seconds, double scale = 1.0,
                                            std::uint64_t seed = 1) {
  RandomStream random(seed, 71);
  Eigen::MatrixXd z(3, 1);
  std::vector<Message> messages;
  const double v = 1.0;
  const double rate = 0.2;
  for (int k = 1; k <= static_cast<int>(std::lround(10.0 * seconds)); ++k) {
    const double t = 0.1 * k;
    const double yaw = rate * t;
    const Eigen::Vector2d place(v / rate * std::sin(yaw), v / rate * (1.0 - std::cos(yaw)));
    random.fill_normal(z);
    messages.push_back(Control{at_seconds(t), Eigen::Vector2d(v / scale, rate)});
    if (k % 2 == 0) {
      messages.push_back(Measurement{
          .stamp = at_seconds(t) + 1, .sensor = "gps", .y = place + 0.3 * z.topRows(2)});
    } else {
      messages.push_back(
          Measurement{.stamp = at_seconds(t) + 1,
                      .sensor = "compass",
                      .y = Eigen::VectorXd::Constant(
                          1, std::remainder(yaw + 0.05 * z(2, 0), 6.283185307179586))});
    }
  }
  return messages;
}

inline void process_all(Estimator& estimator, const std::vector<Message>& messages) {
  for (const Message& message : messages) estimator.process(message);
}

inline Measurement gps(double seconds, double x, double y) {
  return {.stamp = at_seconds(seconds), .sensor = "gps", .y = Eigen::Vector2d(x, y)};
}

inline bool has_event(const EstimatorResult& result, EventKind kind) {
  for (const Event& event : result.events) {
    if (event.kind == kind) return true;
  }
  return false;
}

}  // namespace ovf::test
