#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ovf/estimator/planar_simulator_config.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/estimator/sensor_clock.hpp"
#include "ovf/estimator/simulated_robot.hpp"
#include "ovf/estimator/well_specified_robot.hpp"

namespace ovf {

/// A log of more messages than this is refused.
inline constexpr int kMostSimulatedMessages = 2'000'000;

/// A message, and what is true at its stamp.
struct SimulatedMessage {
  Message message;
  TruePose pose;
  /// Forward and sideways velocity, yaw rate of the body.
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();
  bool outlier = false;
  /// As in RobotLog.
  Eigen::VectorXd noise_free = {};
};

/// A planar robot that drives among beacons and landmarks, and what its sensors say: "uwb" (range),
/// "camera" (range, bearing), "gnss" (x, y) and "imu" (yaw rate), besides its controls (forward
/// velocity, yaw rate). The same configuration gives the same messages, bit for bit; each sensor
/// draws from a stream of its own, so that switching one off changes no other.
///
/// With well_specified the controls follow from the measurements alone, as those of a driver who
/// dead-reckons, corrects his position by "gnss" and his heading by "camera"; and "camera" reports
/// landmarks drawn whatever the pose. So neither tells more of the true state than the estimator's
/// model has.
class PlanarSimulator {
 public:
  /// Numbers of the beacons are 1, 2, ..., of the landmarks 101, 102, ...
  static constexpr int kFirstBeacon = 1;
  static constexpr int kFirstLandmark = 101;

  /// Throws std::invalid_argument as validate does.
  explicit PlanarSimulator(const PlanarSimulatorConfig& config);

  /// In the order of time, from 0 on; controls come before measurements of the same stamp.
  SimulatedMessage next();
  /// Of the message that next() will return.
  Stamp next_stamp();

  const PlanarSimulatorConfig& config() const { return config_; }
  /// First the beacons, then the landmarks.
  const std::vector<Landmark>& landmarks() const { return landmarks_; }
  /// Of each beacon, in their order.
  const std::vector<double>& range_biases() const { return range_biases_; }
  /// Of the yaw rate as the IMU measures it, at the latest of its messages.
  double imu_bias() const { return imu_bias_; }
  /// What is true and what an estimator may learn, with the names of the simulator's configuration;
  /// with well_specified as estimator_truth().
  std::vector<std::pair<std::string, double>> true_parameters() const;
  /// The true values, at the latest message, of what an estimator with
  /// config/planar_all_sensors.yaml learns, under its names. With well_specified all of them;
  /// otherwise without those that have no true value, because the model is wrong: noise levels,
  /// degrees of freedom, and what depends on the unmodelled motion.
  std::vector<std::pair<std::string, double>> estimator_truth() const;

  /// Where a well-specified robot starts but for motion.start_position and start_yaw.
  const TruePose& expected_start() const { return expected_start_; }
  /// How far the robot has gone, in metres.
  double distance() const { return body_ ? body_->distance() : robot_.distance(); }

  /// What each source of messages did so far, "control" first.
  struct Count {
    std::string source;
    std::int64_t messages = 0;
    std::int64_t outliers = 0;
    std::int64_t drop_outs = 0;
    double seconds_out = 0.0;
  };
  std::vector<Count> counts() const;

 private:
  /// Something that speaks at times of its own. The order is that of messages of the same stamp.
  enum SourceIndex : std::uint8_t { kControl, kUwb, kCamera, kGnss, kImu, kSources };
  struct Source {
    SensorClock clock;
    RandomStream random;
    std::int64_t messages = 0;
    std::int64_t outliers = 0;
  };

  Source make_source(SourceIndex index, const SimulatedTiming& timing) const;
  void place_landmarks();
  void fill();
  void speak(SourceIndex index, bool is_out);
  /// Where the robot is at a new message.
  TruePose step_body();
  Eigen::Vector3d velocity() const { return body_ ? body_->velocity() : robot_.velocity(); }
  void send(SourceIndex index, Message message, Eigen::VectorXd noise_free = {},
            bool outlier = false);

  void speak_control(bool is_out);
  void speak_uwb();
  void speak_camera();
  void see_landmark(std::size_t i, const TruePose& pose);
  void speak_gnss(bool is_out);
  void speak_imu(bool is_out);

  PlanarSimulatorConfig config_;
  SimulatedRobot robot_;  ///< of a well-specified robot what its driver thinks of it
  TruePose expected_start_;
  std::optional<WellSpecifiedRobot> body_;
  std::vector<Source> sources_;
  std::vector<Landmark> landmarks_;
  std::vector<double> range_biases_;
  std::deque<std::pair<SourceIndex, SimulatedMessage>> ready_;

  Stamp now_ = 0;
  Stamp last_odometry_ = 0;
  Eigen::Vector2d last_travel_ = Eigen::Vector2d::Zero();
  int next_beacon_ = 0;
  Stamp last_gnss_ = 0;
  Eigen::Vector2d gnss_error_ = Eigen::Vector2d::Zero();
  Stamp last_imu_ = 0;
  double imu_bias_ = 0.0;
};

/// All messages from the next one up to `seconds` after the start, and the truth at their stamps.
/// Throws std::invalid_argument when these are more than kMostSimulatedMessages, or the time is
/// negative.
RobotLog record(PlanarSimulator& simulator, double seconds);
RobotLog simulate(const PlanarSimulatorConfig& config, double seconds);

}  // namespace ovf
