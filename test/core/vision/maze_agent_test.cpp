#include "ovf/vision/maze_agent.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "ovf/math/angle.hpp"
#include "ovf/vision/maze_builder.hpp"

namespace ovf::test {
namespace {

/// Part of the free cells that were entered.
double coverage(const Maze& maze, MazeAgent& agent, int steps) {
  std::set<std::pair<int, int>> seen;
  for (int k = 0; k < steps; ++k) {
    agent.step();
    const Cell cell = cell_at({agent.pose().x, agent.pose().y});
    seen.emplace(cell.x, cell.y);
  }
  return static_cast<double>(seen.size()) / static_cast<double>(maze.free_cells().size());
}

TEST(MazeAgent, NeverTouchesAWall) {
  for (const double rate : {5.0, 10.0, 30.0}) {
    const Maze maze = make_maze({.seed = 7});
    MazeAgent agent(maze, {.seed = 7, .rate = rate});
    for (int k = 0; k < 10'000; ++k) {
      agent.step();
      ASSERT_GE(maze.clearance({agent.pose().x, agent.pose().y}), MazeAgent::kRadius) << k;
    }
  }
}

TEST(MazeAgent, SeesMostOfTheMazeAndDoesNotGetStuck) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Maze maze = make_maze({.seed = seed});
    MazeAgent agent(maze, {.seed = seed});
    EXPECT_GT(coverage(maze, agent, 4000), 0.95) << seed;
    // And again, as often as one likes.
    EXPECT_GT(coverage(maze, agent, 4000), 0.9) << seed;
  }
}

TEST(MazeAgent, MovesSmoothlyAsItsControlsSay) {
  const Maze maze = make_maze({.seed = 1});
  MazeAgent agent(maze, {.seed = 2});
  constexpr double kDt = 0.1;
  TruePose before = agent.pose();
  Eigen::Vector2d last = Eigen::Vector2d::Zero();
  double distance = 0.0;
  for (int k = 0; k < 3000; ++k) {
    const Eigen::Vector2d control = agent.step();
    const TruePose& now = agent.pose();
    EXPECT_EQ(now.stamp, 100'000'000LL * (k + 1));
    EXPECT_GE(control[0], -1e-9);
    EXPECT_LE(control[0], MazeAgent::kSpeed);
    EXPECT_LE(std::abs(control[1]), MazeAgent::kTurnRate);
    EXPECT_LE(control[0] - last[0], MazeAgent::kAcceleration * kDt + 1e-9);
    EXPECT_LE(std::abs(control[1] - last[1]), MazeAgent::kTurnAcceleration * kDt + 1e-9);
    // An arc: many small straight pieces.
    TruePose arc = before;
    constexpr int kPieces = 1000;
    for (int i = 0; i < kPieces; ++i) {
      const double yaw = before.yaw + control[1] * kDt * (i + 0.5) / kPieces;
      arc.x += control[0] * kDt / kPieces * std::cos(yaw);
      arc.y += control[0] * kDt / kPieces * std::sin(yaw);
    }
    EXPECT_NEAR(now.x, arc.x, 1e-6);
    EXPECT_NEAR(now.y, arc.y, 1e-6);
    EXPECT_NEAR(wrapped(now.yaw - before.yaw - control[1] * kDt), 0.0, 1e-9);
    distance += control[0] * kDt;
    last = control;
    before = now;
  }
  EXPECT_GT(distance, 0.4 * MazeAgent::kSpeed * 300.0);
}

TEST(MazeAgent, TheSameSeedWalksTheSameWay) {
  const Maze maze = make_maze({.seed = 1});
  MazeAgent first(maze, {.seed = 5});
  MazeAgent second(maze, {.seed = 5});
  MazeAgent other(maze, {.seed = 6});
  for (int k = 0; k < 500; ++k) {
    EXPECT_EQ(first.step(), second.step());
    other.step();
  }
  EXPECT_EQ(first.pose().x, second.pose().x);
  EXPECT_NE(first.pose().x, other.pose().x);
}

TEST(MazeAgent, RefusesWhatItCannotWalkIn) {
  EXPECT_THROW(MazeAgent(Maze({"###"}), {}), std::invalid_argument);
  EXPECT_THROW(MazeAgent(Maze({"###", "#.#", "###"}), {.rate = 1.0}), std::invalid_argument);
  EXPECT_THROW(MazeAgent(Maze({"###", "#.#", "###"}), {.rate = NAN}), std::invalid_argument);
  // A cell without a way out is no reason to stop.
  MazeAgent prisoner(Maze({"###", "#.#", "###"}), {});
  for (int k = 0; k < 1000; ++k) prisoner.step();
  EXPECT_EQ(cell_at({prisoner.pose().x, prisoner.pose().y}), (Cell{1, 1}));
}

TEST(RandomPose, IsFreeAndEverywhere) {
  const Maze maze = make_maze({.seed = 3});
  RandomStream random(1);
  std::set<std::pair<int, int>> seen;
  for (int k = 0; k < 5000; ++k) {
    const TruePose pose = random_pose(maze, random);
    EXPECT_GE(maze.clearance({pose.x, pose.y}), MazeAgent::kRadius);
    const Cell cell = cell_at({pose.x, pose.y});
    seen.emplace(cell.x, cell.y);
  }
  EXPECT_EQ(seen.size(), maze.free_cells().size());
}

}  // namespace
}  // namespace ovf::test
