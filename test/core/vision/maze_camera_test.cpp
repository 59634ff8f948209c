#include "ovf/vision/maze_camera.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <stdexcept>

#include "ovf/math/random.hpp"
#include "ovf/vision/maze_agent.hpp"
#include "ovf/vision/ray_cast.hpp"

namespace ovf::test {
namespace {

constexpr double kPi = std::numbers::pi;

/// A room of 5 x 3 cells with plain red walls.
MazeScene red_room() {
  return {.maze = Maze({"#######", "#.....#", "#.....#", "#.....#", "#######"}),
          .styles = {{.pattern = WallPattern::kPlain, .ground = {200.0F, 20.0F, 20.0F}}}};
}

bool is_red(const std::uint8_t* pixel) { return pixel[0] > pixel[1] + 40; }

TEST(RayCast, FindsDistanceSideAndPlaceOnTheWall) {
  const Maze maze = red_room().maze;
  const Eigen::Vector2d from(2.25, 2.75);
  // East, north, west, south.
  const std::array<double, 4> distances{3.75, 1.25, 1.25, 1.75};
  const std::array<double, 4> rights{0.25, 0.25, 0.75, 0.75};
  const std::array<Side, 4> sides{Side::kWest, Side::kSouth, Side::kEast, Side::kNorth};
  const std::array<Cell, 4> cells{{{6, 2}, {2, 4}, {0, 2}, {2, 0}}};
  const std::array<Eigen::Vector2d, 4> directions{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  for (std::size_t k = 0; k < 4; ++k) {
    const WallHit hit = cast_ray(maze, from, directions[k]);
    EXPECT_DOUBLE_EQ(hit.distance, distances[k]);
    EXPECT_DOUBLE_EQ(hit.right, rights[k]);
    EXPECT_EQ(hit.side, sides[k]);
    EXPECT_EQ(hit.cell, cells[k]);
  }
  // In lengths of the direction.
  EXPECT_DOUBLE_EQ(cast_ray(maze, from, {2, 0}).distance, 0.5 * 3.75);
}

TEST(RayCast, MeetsTheFirstWallInEveryDirection) {
  const Maze maze = make_maze({.seed = 2});
  RandomStream random(1);
  for (int k = 0; k < 2000; ++k) {
    const TruePose pose = random_pose(maze, random);
    const Eigen::Vector2d from(pose.x, pose.y);
    const Eigen::Vector2d direction(std::cos(pose.yaw), std::sin(pose.yaw));
    const double distance = cast_ray(maze, from, direction).distance;
    EXPECT_TRUE(maze.is_wall(cell_at(from + (distance + 1e-6) * direction)));
    for (double part = 0.0; part < 1.0; part += 0.01) {
      EXPECT_FALSE(maze.is_wall(cell_at(from + part * (distance - 1e-6) * direction)));
    }
  }
}

TEST(MazeCamera, SeesAWallOfKnownDistanceAtTheRightHeight) {
  constexpr int kSide = 128;
  const MazeCamera camera(red_room(), {.size = {kSide, kSide}, .height = 0.4});
  for (const double distance : {0.8, 1.0, 1.5, 2.5, 4.0}) {
    const Image image = camera.render({.x = 6.0 - distance, .y = 2.5, .yaw = 0.0});
    int first = kSide;
    int last = -1;
    for (int y = 0; y < kSide; ++y) {
      if (!is_red(image.at(kSide / 2, y))) continue;
      first = std::min(first, y);
      last = std::max(last, y);
    }
    const double f = camera.focal_length();
    EXPECT_NEAR(first, std::max(0.0, 0.5 * kSide - f * 0.6 / distance), 1.0) << distance;
    EXPECT_NEAR(last + 1, std::min<double>(kSide, 0.5 * kSide + f * 0.4 / distance), 1.5)
        << distance;
  }
}

TEST(MazeCamera, StraightOnViewOfASymmetricSceneIsSymmetric) {
  MazeScene scene = red_room();
  for (const double yaw : {0.0, kPi}) {
    scene.sun = yaw;
    // In the middle of a tile of the floor, so near the wall that nothing else is seen.
    const double x = yaw == 0.0 ? 5.2 : 1.8;
    const Image image =
        MazeCamera(scene, {.size = {32, 24}}).render({.x = x, .y = 2.25, .yaw = yaw});
    for (int row = 0; row < 24; ++row) {
      for (int column = 0; column < 16; ++column) {
        for (int c = 0; c < 3; ++c) {
          EXPECT_NEAR(image.at(column, row)[c], image.at(31 - column, row)[c], 1);
        }
      }
    }
  }
}

TEST(MazeCamera, WallsAtBothSidesAreOfTheSameShape) {
  const MazeCamera camera(red_room(), {.size = {32, 24}});
  const Image image = camera.render({.x = 2.0, .y = 2.5, .yaw = 0.0});
  for (int row = 0; row < 24; ++row) {
    for (int column = 0; column < 16; ++column) {
      EXPECT_EQ(is_red(image.at(column, row)), is_red(image.at(31 - column, row)));
    }
  }
}

TEST(MazeCamera, ALeftTurnMovesThingsToTheRight) {
  MazeScene scene = red_room();
  scene.styles.push_back({.pattern = WallPattern::kPlain, .ground = {20.0F, 20.0F, 200.0F}});
  scene.maze.set_style({6, 2}, Side::kWest, 1);  // a blue square straight ahead
  const MazeCamera camera(scene, {.size = {64, 64}});
  const auto middle_of_blue = [&](double yaw) {
    const Image image = camera.render({.x = 3.5, .y = 2.5, .yaw = yaw});
    double sum = 0.0;
    int count = 0;
    for (int x = 0; x < 64; ++x) {
      if (image.at(x, 32)[2] <= image.at(x, 32)[0] + 40) continue;
      sum += x + 0.5;
      ++count;
    }
    return sum / count;
  };
  EXPECT_NEAR(middle_of_blue(0.0), 32.0, 0.6);
  EXPECT_NEAR(middle_of_blue(0.3), 32.0 + camera.focal_length() * std::tan(0.3), 1.5);
}

TEST(MazeCamera, TheSamePoseGivesTheSameBytesAndPlacesDiffer) {
  const MazeCamera camera(make_scene({.seed = 3}));
  const MazeCamera same(make_scene({.seed = 3}));
  const MazeCamera other(make_scene({.seed = 4}));
  RandomStream random(1);
  std::set<std::vector<std::uint8_t>> pictures;
  for (int k = 0; k < 100; ++k) {
    const TruePose pose = random_pose(camera.scene().maze, random);
    const Image image = camera.render(pose);
    EXPECT_EQ(image, same.render(pose));
    EXPECT_NE(image, other.render(pose));
    pictures.insert(image.rgb);
  }
  EXPECT_EQ(pictures.size(), 100U);
}

TEST(MazeCamera, RefusesWhatItCannotRender) {
  using Config = MazeCameraConfig;
  EXPECT_THROW(MazeCamera(red_room(), Config{.size = {0, 4}}), std::invalid_argument);
  EXPECT_THROW(MazeCamera(red_room(), Config{.size = {4, 5000}}), std::invalid_argument);
  EXPECT_THROW(MazeCamera(red_room(), Config{.field_of_view = 3.5}), std::invalid_argument);
  EXPECT_THROW(MazeCamera(red_room(), Config{.height = 1.0}), std::invalid_argument);
  const MazeCamera camera(red_room());
  EXPECT_THROW(camera.render({.x = -1.0, .y = 2.0}), std::invalid_argument);
  EXPECT_THROW(camera.render({.x = NAN, .y = 2.0}), std::invalid_argument);
  EXPECT_THROW(camera.render({.x = 2.0, .y = 2.0, .yaw = INFINITY}), std::invalid_argument);
  // In a wall, and where a wall begins: a picture, whatever it shows.
  EXPECT_EQ(camera.render({.x = 0.5, .y = 0.5}).size(), camera.config().size);
  EXPECT_EQ(camera.render({.x = 6.0, .y = 2.0}).size(), camera.config().size);
}

}  // namespace
}  // namespace ovf::test
