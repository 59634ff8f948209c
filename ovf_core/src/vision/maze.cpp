#include "ovf/vision/maze.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace ovf {
namespace {

constexpr char kWall = '#';
constexpr char kFree = '.';

// Steps to a free cell from every cell, row by row; -1: no way.
std::vector<int> flood(const Maze& maze, Cell start) {
  std::vector<int> steps(maze.index({0, maze.height()}), -1);
  if (maze.is_wall(start)) return steps;
  std::vector<Cell> queue{start};
  steps[maze.index(start)] = 0;
  for (std::size_t k = 0; k < queue.size(); ++k) {
    const Cell cell = queue[k];
    for (int s = 0; s < kSides; ++s) {
      const Cell next = neighbour(cell, static_cast<Side>(s));
      if (maze.is_wall(next) || steps[maze.index(next)] >= 0) continue;
      steps[maze.index(next)] = steps[maze.index(cell)] + 1;
      queue.push_back(next);
    }
  }
  return steps;
}

}  // namespace

Cell cell_at(const Eigen::Vector2d& place) {
  return {static_cast<int>(std::floor(place.x())), static_cast<int>(std::floor(place.y()))};
}

Cell neighbour(Cell cell, Side side) {
  constexpr std::array<Cell, kSides> kSteps{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  const Cell& step = kSteps[static_cast<std::size_t>(side)];
  return {cell.x + step.x, cell.y + step.y};
}

Maze::Maze(const std::vector<std::string>& rows) {
  if (rows.empty() || rows.front().empty()) throw std::invalid_argument("a maze without cells");
  width_ = static_cast<int>(rows.front().size());
  height_ = static_cast<int>(rows.size());
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (row->size() != rows.front().size()) {
      throw std::invalid_argument(
          fmt::format("a maze with rows of {} and {} cells", rows.front().size(), row->size()));
    }
    for (const char c : *row) is_wall_.push_back(c == kWall ? 1 : 0);
  }
  district_.resize(is_wall_.size());
  styles_.resize(is_wall_.size() * kSides);
}

bool Maze::is_inside(Cell cell) const {
  return cell.x >= 0 && cell.y >= 0 && cell.x < width_ && cell.y < height_;
}

std::vector<Cell> Maze::free_cells() const {
  std::vector<Cell> cells;
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      if (!is_wall({x, y})) cells.push_back({x, y});
    }
  }
  return cells;
}

double Maze::clearance(const Eigen::Vector2d& place) const {
  const Cell here = cell_at(place);
  double nearest = 1.0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const Cell cell{here.x + dx, here.y + dy};
      if (!is_wall(cell)) continue;
      const Eigen::Vector2d outside = (place - cell.centre()).cwiseAbs().array() - 0.5;
      nearest = std::min(nearest, outside.cwiseMax(0.0).norm());
    }
  }
  return nearest;
}

std::string Maze::text() const {
  std::string text;
  for (int y = height_ - 1; y >= 0; --y) {
    for (int x = 0; x < width_; ++x) text += is_wall({x, y}) ? kWall : kFree;
    text += '\n';
  }
  return text;
}

std::vector<int> steps_from(const Maze& maze, Cell start) {
  const std::vector<int> all = flood(maze, start);
  std::vector<int> steps;
  for (const Cell cell : maze.free_cells()) {
    steps.push_back(all[maze.index(cell)]);
  }
  return steps;
}

std::vector<Cell> shortest_way(const Maze& maze, Cell from, Cell to) {
  const std::vector<int> left = flood(maze, to);
  const auto steps_left = [&](Cell cell) {
    return maze.is_wall(cell) ? -1 : left[maze.index(cell)];
  };
  if (steps_left(from) < 0) return {};
  std::vector<Cell> way{from};
  while (way.back() != to) {
    for (int s = 0; s < kSides; ++s) {
      const Cell next = neighbour(way.back(), static_cast<Side>(s));
      if (steps_left(next) == steps_left(way.back()) - 1) {
        way.push_back(next);
        break;
      }
    }
  }
  return way;
}

}  // namespace ovf
