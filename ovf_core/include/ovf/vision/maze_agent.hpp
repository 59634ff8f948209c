#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "ovf/estimator/robot_log.hpp"
#include "ovf/math/random.hpp"
#include "ovf/vision/maze.hpp"

namespace ovf {

struct MazeAgentConfig {
  std::uint64_t seed = 1;
  /// Steps per second, from 5 to 100.
  double rate = 10.0;
};

/// A visitor of a maze who walks to where it has been least, looks around now and then, and does
/// not touch walls. Speed and turn rate are held through a step and change smoothly from one to
/// the next.
class MazeAgent {
 public:
  static constexpr double kRadius = 0.3;        ///< walls stay farther away, m
  static constexpr double kSpeed = 1.0;         ///< highest, m/s
  static constexpr double kTurnRate = 1.8;      ///< highest, rad/s
  static constexpr double kAcceleration = 2.0;  ///< highest, m/s^2, but for a stop before a wall
  static constexpr double kTurnAcceleration = 8.0;  ///< highest, rad/s^2

  /// Starts in a free cell that is drawn. Throws std::invalid_argument if there is none, or on a
  /// rate out of its limits.
  MazeAgent(Maze maze, const MazeAgentConfig& config);

  /// Forward speed and turn rate of the step that is made.
  Eigen::Vector2d step();
  /// Its stamp is 0 at the start.
  const TruePose& pose() const { return pose_; }

 private:
  Eigen::Vector2d place() const { return {pose_.x, pose_.y}; }
  void choose_goal();
  bool is_clear(const Eigen::Vector2d& to) const;
  Eigen::Vector2d aim();
  Eigen::Vector2d wish();
  double safe_speed(double speed, double turn_rate) const;

  Maze maze_;
  MazeAgentConfig config_;
  double dt_;
  RandomStream random_;
  std::vector<Cell> cells_;
  std::vector<int> visits_;  ///< of each of these cells
  TruePose pose_;
  std::int64_t steps_ = 0;
  Eigen::Vector2d control_ = Eigen::Vector2d::Zero();
  Cell here_ = {};
  Cell goal_ = {};
  std::vector<Cell> way_;  ///< from the cell it is in to the goal
  double cruise_ = kSpeed;
  double sway_ = 0.0;  ///< a slow wish to turn, rad/s
  bool is_looking_ = false;
  double look_yaw_ = 0.0;
};

/// A pose anywhere in the free cells, at least MazeAgent::kRadius from all walls. There must be a
/// free cell.
TruePose random_pose(const Maze& maze, RandomStream& random);

}  // namespace ovf
