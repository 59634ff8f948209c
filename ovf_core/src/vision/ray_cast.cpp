#include "ovf/vision/ray_cast.hpp"

#include <cmath>

namespace ovf {
namespace {

double fraction(double value) { return value - std::floor(value); }

}  // namespace

WallHit cast_ray(const Maze& maze, const Eigen::Vector2d& from, const Eigen::Vector2d& direction) {
  Cell cell = cell_at(from);
  const int step_x = direction.x() < 0.0 ? -1 : 1;
  const int step_y = direction.y() < 0.0 ? -1 : 1;
  // How far it is from one line of the grid to the next, and to the first: infinity if never.
  const Eigen::Vector2d between = direction.cwiseAbs().cwiseInverse();
  const auto to_first = [](double place, double along, double gap) {
    if (along == 0.0) return gap;
    return gap * (along < 0.0 ? fraction(place) : 1.0 - fraction(place));
  };
  double to_x = to_first(from.x(), direction.x(), between.x());
  double to_y = to_first(from.y(), direction.y(), between.y());
  WallHit hit;
  do {
    if (to_x < to_y) {
      cell.x += step_x;
      hit.distance = to_x;
      hit.side = step_x > 0 ? Side::kWest : Side::kEast;
      to_x += between.x();
    } else {
      cell.y += step_y;
      hit.distance = to_y;
      hit.side = step_y > 0 ? Side::kSouth : Side::kNorth;
      to_y += between.y();
    }
  } while (!maze.is_wall(cell));
  hit.cell = cell;
  const Eigen::Vector2d place = from + hit.distance * direction;
  switch (hit.side) {
    case Side::kEast:
      hit.right = fraction(place.y());
      break;
    case Side::kNorth:
      hit.right = 1.0 - fraction(place.x());
      break;
    case Side::kWest:
      hit.right = 1.0 - fraction(place.y());
      break;
    case Side::kSouth:
      hit.right = fraction(place.x());
      break;
  }
  return hit;
}

}  // namespace ovf
