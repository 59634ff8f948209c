#pragma once

#include <cstdint>

#include "ovf/vision/maze.hpp"

namespace ovf {

/// What kind of maze to draw.
struct MazeConfig {
  std::uint64_t seed = 1;
  /// Cells from wall to wall, the outer walls included; odd, from 5 to 99.
  int width = 13;
  int height = 13;
  int rooms = 2;
  /// Part of the walls between two corridors that are opened, so that ways lead around.
  double loops = 0.15;
  /// Parts of the maze with colours of their own.
  int districts = 6;
};

/// Styles of walls in each district: its usual wall, a second one, and a rare one.
inline constexpr int kStylesPerDistrict = 3;

/// Throws std::invalid_argument naming what is out of its limits.
void validate(const MazeConfig& config);

/// Corridors and rooms, drawn from the seed: every free cell can be reached from every other.
/// Style s of district d is number kStylesPerDistrict * d + s. Throws as validate does.
Maze make_maze(const MazeConfig& config);

}  // namespace ovf
