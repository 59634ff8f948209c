#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ovf {

/// A square of a maze, one metre wide: from (x, y) to (x + 1, y + 1).
struct Cell {
  int x = 0;
  int y = 0;
  bool operator==(const Cell&) const = default;

  Eigen::Vector2d centre() const { return {x + 0.5, y + 0.5}; }
};

/// The cell that a place lies in.
Cell cell_at(const Eigen::Vector2d& place);

/// The sides of a cell, in quarter turns from east; north is where y grows.
enum class Side : std::uint8_t { kEast, kNorth, kWest, kSouth };
inline constexpr int kSides = 4;

Cell neighbour(Cell cell, Side side);

/// Cells that are wall or free. Free ones belong to a district, which a visitor can tell by its
/// colours; the sides of walls have a style.
class Maze {
 public:
  /// '#' is wall, everything else free; the last row is that of y = 0. Throws
  /// std::invalid_argument if rows differ in length, or there are none.
  explicit Maze(const std::vector<std::string>& rows);

  int width() const { return width_; }
  int height() const { return height_; }
  bool is_inside(Cell cell) const;
  /// Of a cell inside, counted row by row.
  std::size_t index(Cell cell) const {
    return static_cast<std::size_t>(cell.y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(cell.x);
  }
  /// Everything outside is wall.
  bool is_wall(Cell cell) const { return !is_inside(cell) || is_wall_[index(cell)] != 0; }
  /// Row by row.
  std::vector<Cell> free_cells() const;
  /// To the nearest wall, in metres; not more than 1. In a wall 0.
  double clearance(const Eigen::Vector2d& place) const;

  /// Of a cell inside; 0 unless it was set.
  int district(Cell cell) const { return district_[index(cell)]; }
  void set_district(Cell cell, int district) { district_[index(cell)] = district; }
  /// Of the side of a cell inside; 0 unless it was set.
  int style(Cell cell, Side side) const { return styles_[face(cell, side)]; }
  void set_style(Cell cell, Side side, int style) { styles_[face(cell, side)] = style; }

  /// As the constructor reads it, each row with a line's end.
  std::string text() const;

 private:
  std::size_t face(Cell cell, Side side) const {
    return static_cast<std::size_t>(kSides) * index(cell) + static_cast<std::size_t>(side);
  }

  int width_ = 0;
  int height_ = 0;
  std::vector<std::uint8_t> is_wall_;
  std::vector<int> district_;
  std::vector<int> styles_;
};

/// How many steps from cell to cell it takes from one free cell to every other, in the order of
/// free_cells(); -1: there is no way.
std::vector<int> steps_from(const Maze& maze, Cell start);

/// The shortest way from one free cell to another, both included; empty: there is none.
std::vector<Cell> shortest_way(const Maze& maze, Cell from, Cell to);

}  // namespace ovf
