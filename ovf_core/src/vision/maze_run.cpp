#include "ovf/vision/maze_run.hpp"

#include <cmath>
#include <limits>

namespace ovf {
namespace {

constexpr std::uint64_t kPlaceStream = 305;

}  // namespace

MazeRun::MazeRun(const MazeRunConfig& config)
    : config_(config),
      camera_(make_scene(config.maze), config.camera),
      agent_(camera_.scene().maze, config.agent),
      places_(config.agent.seed, kPlaceStream) {}

CameraFrame MazeRun::next() {
  CameraFrame frame;
  if (config_.is_unordered) {
    frame.pose = random_pose(maze(), places_);
    frame.pose.stamp = std::llround(static_cast<double>(frames_) * 1e9 / config_.agent.rate);
    frame.control.setConstant(std::numeric_limits<double>::quiet_NaN());
  } else {
    if (frames_ > 0) frame.control = agent_.step();
    frame.pose = agent_.pose();
  }
  ++frames_;
  frame.stamp = frame.pose.stamp;
  frame.image = camera_.render(frame.pose);
  return frame;
}

}  // namespace ovf
