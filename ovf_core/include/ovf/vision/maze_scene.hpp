#pragma once

#include <vector>

#include "ovf/vision/maze_builder.hpp"
#include "ovf/vision/wall_texture.hpp"

namespace ovf {

/// A maze and what it looks like.
struct MazeScene {
  Maze maze;
  /// By the number of the wall's style; there is at least one, and styles beyond the last are the
  /// last.
  std::vector<WallStyle> styles = {WallStyle{}};
  /// Floor by the number of the district, as the styles.
  std::vector<Colour> floors = {Colour(120.0F, 115.0F, 105.0F)};
  /// Of the brightest part of the sky, in radians.
  double sun = 0.0;
};

/// Districts in colours that differ, drawn from the seed. Throws as validate does.
MazeScene make_scene(const MazeConfig& config);

}  // namespace ovf
