#include "ovf/vision/maze.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "ovf/vision/maze_builder.hpp"
#include "ovf/vision/maze_scene.hpp"

namespace ovf::test {
namespace {

TEST(Maze, IsWhatItsRowsSay) {
  const Maze maze({"####", "#..#", "##.#", "####"});
  EXPECT_EQ(maze.text(), "####\n#..#\n##.#\n####\n");
  EXPECT_FALSE(maze.is_wall({2, 1}));
  EXPECT_FALSE(maze.is_wall({1, 2}));
  EXPECT_TRUE(maze.is_wall({1, 1}));
  EXPECT_TRUE(maze.is_wall({-1, 100}));
  EXPECT_EQ(maze.free_cells().size(), 3U);
  EXPECT_THROW(Maze({}), std::invalid_argument);
  EXPECT_THROW(Maze({"##", "#"}), std::invalid_argument);
}

TEST(Maze, ClearanceIsTheDistanceToTheNearestWall) {
  const Maze maze({"#####", "#...#", "#...#", "#...#", "#####"});
  EXPECT_DOUBLE_EQ(maze.clearance({1.25, 2.5}), 0.25);
  EXPECT_DOUBLE_EQ(maze.clearance({2.5, 2.5}), 1.0);
  EXPECT_DOUBLE_EQ(maze.clearance({0.5, 2.5}), 0.0);
  const Maze corner({"...", "...", "#.."});
  EXPECT_DOUBLE_EQ(corner.clearance({1.3, 1.4}), 0.5);
}

TEST(Maze, WaysAreShortest) {
  const Maze maze({"#####", "#...#", "#.#.#", "#.###", "#####"});
  const std::vector<Cell> way = shortest_way(maze, {1, 1}, {3, 2});
  EXPECT_EQ(way, (std::vector<Cell>{{1, 1}, {1, 2}, {1, 3}, {2, 3}, {3, 3}, {3, 2}}));
  EXPECT_EQ(steps_from(maze, {1, 1}), (std::vector<int>{0, 1, 5, 2, 3, 4}));
  EXPECT_TRUE(shortest_way(Maze({".#."}), {0, 0}, {2, 0}).empty());
}

TEST(MazeBuilder, EveryFreeCellCanBeReached) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const int width = 5 + 2 * static_cast<int>(seed % 12);
    const MazeConfig config{.seed = seed, .width = width, .height = 34 - width};
    const Maze maze = make_maze(config);
    const std::vector<Cell> cells = maze.free_cells();
    const std::vector<int> steps = steps_from(maze, cells.front());
    EXPECT_EQ(*std::min_element(steps.begin(), steps.end()), 0) << maze.text();
    for (const Cell cell : cells) {
      EXPECT_TRUE(cell.x > 0 && cell.y > 0 && cell.x < maze.width() - 1 &&
                  cell.y < maze.height() - 1)
          << "no outer wall\n"
          << maze.text();
    }
  }
}

TEST(MazeBuilder, TheSameSeedGivesTheSameMazeAndOthersGiveOthers) {
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const MazeConfig config{.seed = seed};
    EXPECT_EQ(make_maze(config).text(), make_maze(config).text());
    texts.insert(make_maze(config).text());
  }
  EXPECT_EQ(texts.size(), 50U);
}

TEST(MazeBuilder, DistrictsAndStylesAreAllUsed) {
  const MazeScene scene = make_scene({.seed = 4});
  std::set<int> districts;
  std::set<int> styles;
  for (const Cell cell : scene.maze.free_cells()) {
    districts.insert(scene.maze.district(cell));
    for (int s = 0; s < kSides; ++s) {
      const Cell wall = neighbour(cell, static_cast<Side>(s));
      if (scene.maze.is_wall(wall)) {
        styles.insert(scene.maze.style(wall, static_cast<Side>((s + 2) % kSides)));
      }
    }
  }
  EXPECT_EQ(districts.size(), 6U);
  EXPECT_GT(styles.size(), 12U);
  EXPECT_LT(*styles.rbegin(), static_cast<int>(scene.styles.size()));
  EXPECT_EQ(scene.floors.size(), 6U);
}

TEST(MazeBuilder, RefusesWhatMakesNoMaze) {
  EXPECT_THROW(make_maze({.width = 12}), std::invalid_argument);
  EXPECT_THROW(make_maze({.height = 3}), std::invalid_argument);
  EXPECT_THROW(make_maze({.loops = -0.1}), std::invalid_argument);
  EXPECT_THROW(make_maze({.districts = 0}), std::invalid_argument);
  EXPECT_THROW(make_maze({.rooms = -1}), std::invalid_argument);
}

}  // namespace
}  // namespace ovf::test
