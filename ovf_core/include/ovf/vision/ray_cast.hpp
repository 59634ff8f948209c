#pragma once

#include <Eigen/Core>

#include "ovf/vision/maze.hpp"

namespace ovf {

/// Where a ray first meets a wall.
struct WallHit {
  double distance = 0.0;  ///< in lengths of the direction
  Cell cell = {};
  Side side = Side::kEast;
  double right = 0.0;  ///< along the wall, from 0 at the viewer's left to 1
};

/// The direction must not be zero.
WallHit cast_ray(const Maze& maze, const Eigen::Vector2d& from, const Eigen::Vector2d& direction);

}  // namespace ovf
