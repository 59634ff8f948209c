#pragma once

#include "ovf/math/random.hpp"
#include "ovf/vision/camera_frame.hpp"
#include "ovf/vision/maze_agent.hpp"
#include "ovf/vision/maze_camera.hpp"

namespace ovf {

struct MazeRunConfig {
  MazeConfig maze = {};
  MazeAgentConfig agent = {};
  MazeCameraConfig camera = {};
  /// Pictures from places that have nothing to do with each other, instead of a walk.
  bool is_unordered = false;
};

/// What a visitor of a maze sees, picture by picture. The same configuration gives the same
/// frames; the way depends neither on the camera nor on what was rendered.
class MazeRun {
 public:
  /// Throws std::invalid_argument as its parts do.
  explicit MazeRun(const MazeRunConfig& config);

  CameraFrame next();

  const Maze& maze() const { return camera_.scene().maze; }
  const MazeCamera& camera() const { return camera_; }

 private:
  MazeRunConfig config_;
  MazeCamera camera_;
  MazeAgent agent_;
  RandomStream places_;
  std::int64_t frames_ = 0;
};

}  // namespace ovf
