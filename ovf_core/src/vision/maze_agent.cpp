#include "ovf/vision/maze_agent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "ovf/math/angle.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kAgentStream = 304;

// Ways are looked over, and arcs driven, in pieces of about this length, m.
constexpr double kPiece = 0.05;
// A way is chosen with some more room than it needs, m.
constexpr double kMargin = 0.05;
// Cells ahead on the way that may be headed for at once.
constexpr std::size_t kLookAhead = 3;
// A goal is reached from here, m.
constexpr double kNear = 0.25;
// Turn rate per radian of the error in heading, 1/s.
constexpr double kSteering = 3.0;
// One visit of a cell weighs as much as this many cells of way.
constexpr double kVisitCost = 4.0;
// How often it looks around at a goal, and by how much, rad.
constexpr double kLookChance = 0.3;
constexpr double kLeastLook = 0.8;
constexpr double kLargestLook = 2.6;
constexpr double kLookEnd = 0.1;
// Of its sway: rad/s, and seconds.
constexpr double kSway = 0.25;
constexpr double kSwayTime = 0.7;

double between(double low, double high, RandomStream& random) {
  return low + (high - low) * random.uniform();
}

TruePose moved(const TruePose& from, double speed, double turn_rate, double seconds) {
  const double half = 0.5 * turn_rate * seconds;
  const double chord = speed * seconds * (std::abs(half) < 1e-6 ? 1.0 : std::sin(half) / half);
  TruePose to = from;
  to.x += chord * std::cos(from.yaw + half);
  to.y += chord * std::sin(from.yaw + half);
  to.yaw = wrapped(from.yaw + 2.0 * half);
  return to;
}

}  // namespace

MazeAgent::MazeAgent(Maze maze, const MazeAgentConfig& config)
    : maze_(std::move(maze)),
      config_(config),
      dt_(1.0 / config.rate),
      random_(config.seed, kAgentStream),
      cells_(maze_.free_cells()),
      visits_(cells_.size()) {
  if (!(config.rate >= 5.0 && config.rate <= 100.0)) {
    throw std::invalid_argument(
        fmt::format("a rate of {} steps per second; expected 5 to 100", config.rate));
  }
  if (cells_.empty()) throw std::invalid_argument("a maze without a free cell");
  pose_ = random_pose(maze_, random_);
  here_ = cell_at(place());
  choose_goal();
}

void MazeAgent::choose_goal() {
  const std::vector<int> steps = steps_from(maze_, here_);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    if (cells_[k] == here_) ++visits_[k];
    const double cost = steps[k] + kVisitCost * visits_[k] + 2.0 * random_.uniform();
    if (steps[k] < 0 || cost >= least) continue;
    least = cost;
    goal_ = cells_[k];
  }
  way_ = shortest_way(maze_, here_, goal_);
  cruise_ = between(0.6, 1.0, random_) * kSpeed;
}

bool MazeAgent::is_clear(const Eigen::Vector2d& to) const {
  const int pieces = 1 + static_cast<int>((to - place()).norm() / kPiece);
  for (int k = 0; k <= pieces; ++k) {
    const Eigen::Vector2d point = place() + (to - place()) * k / pieces;
    if (maze_.clearance(point) < kRadius + kMargin) return false;
  }
  return true;
}

// The farthest of the next cells that a straight line leads to. From the middle of a cell the next
// one always is, and the middle of its own cell is never away from where walls are near.
Eigen::Vector2d MazeAgent::aim() {
  for (std::size_t k = std::min(kLookAhead, way_.size() - 1); k > 0; --k) {
    if (is_clear(way_[k].centre())) return way_[k].centre();
  }
  return here_.centre();
}

Eigen::Vector2d MazeAgent::wish() {
  if (is_looking_) {
    const double error = wrapped(look_yaw_ - pose_.yaw);
    if (std::abs(error) > kLookEnd) return {0.0, kSteering * error};
    is_looking_ = false;
  }
  const Eigen::Vector2d way = aim() - place();
  const double error = wrapped(std::atan2(way.y(), way.x()) - pose_.yaw);
  const double ahead = std::max(0.0, std::cos(error));
  const double speed = std::min(cruise_, 0.1 + 1.5 * way.norm()) * ahead * ahead * ahead;
  return {speed, kSteering * error + sway_};
}

// As much of the speed as keeps the whole step away from walls. Turning on the spot always does.
double MazeAgent::safe_speed(double speed, double turn_rate) const {
  const int pieces = 1 + static_cast<int>(kSpeed * dt_ / kPiece);
  for (int tries = 0; tries < 4; ++tries) {
    bool is_safe = true;
    for (int k = 1; k <= pieces; ++k) {
      const TruePose next = moved(pose_, speed, turn_rate, dt_ * k / pieces);
      is_safe = is_safe && maze_.clearance({next.x, next.y}) >= kRadius;
    }
    if (is_safe) return speed;
    speed *= 0.5;
  }
  return 0.0;
}

Eigen::Vector2d MazeAgent::step() {
  const double kept = std::exp(-dt_ / kSwayTime);
  sway_ = kept * sway_ + std::sqrt(1.0 - kept * kept) * kSway * random_.normal();

  const Eigen::Vector2d most(kSpeed, kTurnRate);
  const Eigen::Vector2d change(kAcceleration * dt_, kTurnAcceleration * dt_);
  const Eigen::Vector2d wished = wish().cwiseMin(most).cwiseMax(-most);
  control_ += (wished - control_).cwiseMin(change).cwiseMax(-change);
  control_[0] = safe_speed(control_[0], control_[1]);
  pose_ = moved(pose_, control_[0], control_[1], dt_);
  ++steps_;
  pose_.stamp = std::llround(static_cast<double>(steps_) * 1e9 / config_.rate);

  const Cell now = cell_at(place());
  if (now != here_) {
    here_ = now;
    for (std::size_t k = 0; k < cells_.size(); ++k) visits_[k] += cells_[k] == here_ ? 1 : 0;
    way_ = shortest_way(maze_, here_, goal_);
  }
  if (!is_looking_ && here_ == goal_ && (place() - goal_.centre()).norm() < kNear) {
    is_looking_ = random_.uniform() < kLookChance;
    const double turn = between(kLeastLook, kLargestLook, random_);
    look_yaw_ = wrapped(pose_.yaw + (random_.uniform() < 0.5 ? -turn : turn));
    choose_goal();
  }
  return control_;
}

TruePose random_pose(const Maze& maze, RandomStream& random) {
  const std::vector<Cell> cells = maze.free_cells();
  while (true) {
    const auto k = random.uniform_index(static_cast<int>(cells.size()));
    const Cell cell = cells[static_cast<std::size_t>(k)];
    const Eigen::Vector2d place(cell.x + random.uniform(), cell.y + random.uniform());
    const double yaw = between(-std::numbers::pi, std::numbers::pi, random);
    if (maze.clearance(place) >= MazeAgent::kRadius) {
      return {.stamp = 0, .x = place.x(), .y = place.y(), .yaw = yaw};
    }
  }
}

}  // namespace ovf
