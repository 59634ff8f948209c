#pragma once

#include <Eigen/Core>
#include <vector>

#include "ovf/estimator/planar_simulator_config.hpp"
#include "ovf/estimator/robot_log.hpp"
#include "ovf/math/random.hpp"

namespace ovf {

/// The robot of a simulation without its sensors: how it is driven, and how it really moves. Which
/// way it goes depends on the seed, the driving and the slip alone.
class SimulatedRobot {
 public:
  /// Commands and velocities change at multiples of this only; between two of them the body moves
  /// on an exact arc.
  static constexpr Stamp kStep = 5'000'000;

  /// The configuration has to be valid.
  explicit SimulatedRobot(const PlanarSimulatorConfig& config);

  /// Forward in time only.
  void advance_to(Stamp stamp);

  /// For a driver that dead-reckons and learns better: from now on the robot is elsewhere.
  void shift(const Eigen::Vector2d& by, double turn);

  TruePose pose() const;
  /// Forward and sideways velocity, yaw rate of the body.
  const Eigen::Vector3d& velocity() const { return velocity_; }
  /// Forward velocity and yaw rate that are asked for from now on.
  const Eigen::Vector2d& command() const { return command_; }
  /// Since the start: how far the wheels rolled and turned, backwards counted negative.
  Eigen::Vector2d wheel_travel() const;
  /// Since the start: how far the body went, backwards counted too.
  double distance() const;

  /// Time between two commands.
  Stamp command_period() const { return kStep * steps_per_command_; }

 private:
  void step();
  void choose_command();
  void choose_target();
  Eigen::Vector2d towards(const Eigen::Vector2d& place) const;
  double seconds_into_step() const { return seconds_between(pose_.stamp, now_); }

  SimulatedDriving driving_;
  SimulatedSlip slip_;
  RandomStream driving_random_;
  RandomStream disturbance_random_;
  Eigen::Vector2d inner_;  ///< half the size of the part of the arena that it may drive freely
  std::vector<Eigen::Vector2d> waypoints_;
  int steps_per_command_ = 1;

  Stamp now_ = 0;
  TruePose pose_;  ///< at the last multiple of kStep, as is all below
  std::int64_t steps_ = 0;
  Eigen::Vector2d command_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d wheels_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d wheel_travel_ = Eigen::Vector2d::Zero();
  Eigen::Vector2d disturbance_ = Eigen::Vector2d::Zero();
  Eigen::Vector3d velocity_ = Eigen::Vector3d::Zero();
  double distance_ = 0.0;

  Eigen::Vector2d target_ = Eigen::Vector2d::Zero();  ///< velocities that a random drive heads for
  Stamp target_until_ = 0;
  bool returning_ = false;
  std::size_t next_waypoint_ = 0;
};

}  // namespace ovf
