#pragma once

#include <vector>

#include "ovf/estimator/robot_log.hpp"
#include "ovf/vision/image.hpp"
#include "ovf/vision/maze_scene.hpp"

namespace ovf {

struct MazeCameraConfig {
  ImageSize size = {32, 32};
  /// From the left edge of the picture to the right one, in radians.
  double field_of_view = 1.4;
  /// Above the floor, in metres; the walls are one metre high.
  double height = 0.5;
};

/// A pinhole camera without lens errors, looking straight ahead in a maze under an open sky. The
/// same scene and pose give the same picture.
class MazeCamera {
 public:
  static constexpr double kWallHeight = 1.0;

  /// Throws std::invalid_argument on a size beyond 1 to 4096, a field of view beyond 0.1 to 3
  /// radians, or a height that is not above the floor and below the top of the walls.
  explicit MazeCamera(MazeScene scene, const MazeCameraConfig& config = {});

  /// Throws std::invalid_argument on a place that is not inside the maze.
  Image render(const TruePose& pose) const;

  const MazeScene& scene() const { return scene_; }
  const MazeCameraConfig& config() const { return config_; }
  /// In pixels.
  double focal_length() const { return focal_length_; }

 private:
  /// What is seen along one ray in the plane.
  struct Column;
  Column look(const TruePose& pose, double right) const;
  Colour wall(const Column& column, float slope) const;
  Colour floor(const Column& column, float slope) const;
  Colour sky(const Column& column, float slope) const;

  MazeScene scene_;
  MazeCameraConfig config_;
  double focal_length_ = 1.0;
  std::vector<WallTexture> textures_;
};

}  // namespace ovf
