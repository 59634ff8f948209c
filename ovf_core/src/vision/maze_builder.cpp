#include "ovf/vision/maze_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "ovf/math/random.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kPlanStream = 301;
constexpr std::uint64_t kStyleStream = 302;

// How often a wall has the district's second and its rare style.
constexpr double kSecondStyle = 0.3;
constexpr double kRareStyle = 0.15;

/// Corridors run along odd rows and columns; the cells between are walls or openings.
class Plan {
 public:
  Plan(const MazeConfig& config, RandomStream& random)
      : config_(config),
        random_(random),
        rows_(static_cast<std::size_t>(config.height),
              std::string(static_cast<std::size_t>(config.width), '#')) {}

  /// A tree of corridors, by a walk that goes back where it cannot go on.
  void dig_corridors() {
    std::vector<Cell> trail{{1, 1}};
    open({1, 1});
    while (!trail.empty()) {
      const Cell here = trail.back();
      std::vector<Side> ways;
      for (int s = 0; s < kSides; ++s) {
        const auto side = static_cast<Side>(s);
        const Cell next = neighbour(neighbour(here, side), side);
        if (is_inner(next) && is_wall(next)) ways.push_back(side);
      }
      if (ways.empty()) {
        trail.pop_back();
        continue;
      }
      const Side way = ways[static_cast<std::size_t>(draw(static_cast<int>(ways.size())))];
      open(neighbour(here, way));
      open(neighbour(neighbour(here, way), way));
      trail.push_back(neighbour(neighbour(here, way), way));
    }
  }

  void open_loops() {
    for (int y = 1; y < config_.height - 1; ++y) {
      for (int x = 1; x < config_.width - 1; ++x) {
        const bool is_between = (x % 2) != (y % 2);
        if (is_between && is_wall({x, y}) && random_.uniform() < config_.loops) open({x, y});
      }
    }
  }

  /// Three by three cells, or three by five, from corridor to corridor.
  void open_rooms() {
    for (int k = 0; k < config_.rooms; ++k) {
      const int width = std::min(3 + 2 * draw(2), config_.width - 2);
      const int height = std::min(width == 3 ? 3 + 2 * draw(2) : 3, config_.height - 2);
      const int left = 1 + 2 * draw((config_.width - width) / 2);
      const int low = 1 + 2 * draw((config_.height - height) / 2);
      for (int y = low; y < low + height; ++y) {
        for (int x = left; x < left + width; ++x) open({x, y});
      }
    }
  }

  const std::vector<std::string>& rows() const { return rows_; }

 private:
  int draw(int count) { return random_.uniform_index(count); }
  bool is_inner(Cell cell) const {
    return cell.x > 0 && cell.y > 0 && cell.x < config_.width - 1 && cell.y < config_.height - 1;
  }
  char& at(Cell cell) {
    return rows_[static_cast<std::size_t>(cell.y)][static_cast<std::size_t>(cell.x)];
  }
  bool is_wall(Cell cell) { return at(cell) == '#'; }
  void open(Cell cell) { at(cell) = '.'; }

  const MazeConfig& config_;
  RandomStream& random_;
  std::vector<std::string> rows_;
};

/// Each free cell belongs to the nearest of some free cells that are drawn.
void draw_districts(int count, RandomStream& random, Maze& maze) {
  const std::vector<Cell> cells = maze.free_cells();
  std::vector<int> nearest(cells.size(), std::numeric_limits<int>::max());
  for (int district = 0; district < count; ++district) {
    // The farthest of a few draws from the districts before, so that they spread.
    std::size_t middle = 0;
    for (int k = 0; k < 4; ++k) {
      const auto drawn =
          static_cast<std::size_t>(random.uniform_index(static_cast<int>(cells.size())));
      if (k == 0 || nearest[drawn] > nearest[middle]) middle = drawn;
    }
    const std::vector<int> steps = steps_from(maze, cells[middle]);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (steps[i] >= nearest[i]) continue;
      nearest[i] = steps[i];
      maze.set_district(cells[i], district);
    }
  }
}

/// A wall is of the district that it is seen from.
void draw_styles(RandomStream& random, Maze& maze) {
  for (const Cell cell : maze.free_cells()) {
    for (int s = 0; s < kSides; ++s) {
      const Cell wall = neighbour(cell, static_cast<Side>(s));
      if (!maze.is_inside(wall) || !maze.is_wall(wall)) continue;
      const double drawn = random.uniform();
      const int kind = drawn < kRareStyle ? 2 : drawn < kRareStyle + kSecondStyle ? 1 : 0;
      const auto facing = static_cast<Side>((s + 2) % kSides);
      maze.set_style(wall, facing, kStylesPerDistrict * maze.district(cell) + kind);
    }
  }
}

void check(bool is_good, const char* name, double value, const char* expected) {
  if (is_good) return;
  throw std::invalid_argument(
      fmt::format("the maze's {} is {}; expected {}", name, value, expected));
}

}  // namespace

void validate(const MazeConfig& config) {
  const auto is_side = [](int side) { return side >= 5 && side <= 99 && side % 2 == 1; };
  check(is_side(config.width), "width", config.width, "an odd number from 5 to 99");
  check(is_side(config.height), "height", config.height, "an odd number from 5 to 99");
  check(config.rooms >= 0 && config.rooms <= 1000, "number of rooms", config.rooms, "0 to 1000");
  check(config.loops >= 0.0 && config.loops <= 1.0, "part of loops", config.loops, "0 to 1");
  check(config.districts >= 1 && config.districts <= 100, "number of districts", config.districts,
        "1 to 100");
}

Maze make_maze(const MazeConfig& config) {
  validate(config);
  RandomStream random(config.seed, kPlanStream);
  Plan plan(config, random);
  plan.dig_corridors();
  plan.open_loops();
  plan.open_rooms();
  Maze maze(plan.rows());
  RandomStream styles(config.seed, kStyleStream);
  draw_districts(config.districts, styles, maze);
  draw_styles(styles, maze);
  return maze;
}

}  // namespace ovf
