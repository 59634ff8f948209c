#include "ovf/vision/maze_scene.hpp"

#include <array>
#include <numbers>
#include <utility>

#include "ovf/math/random.hpp"

namespace ovf {
namespace {

constexpr std::uint64_t kColourStream = 303;
// Multiples of the golden section are never near each other.
constexpr double kGolden = 0.618033988749895;

/// Draws the patterns of one kind of wall so that none comes twice before all have come once.
class PatternDeck {
 public:
  PatternDeck(std::vector<WallPattern> patterns, RandomStream& random)
      : patterns_(std::move(patterns)), random_(random) {}

  WallPattern draw() {
    if (left_.empty()) left_ = patterns_;
    const auto k = random_.uniform_index(static_cast<int>(left_.size()));
    const WallPattern drawn = left_[static_cast<std::size_t>(k)];
    left_.erase(left_.begin() + k);
    return drawn;
  }

 private:
  std::vector<WallPattern> patterns_;
  std::vector<WallPattern> left_;
  RandomStream& random_;
};

}  // namespace

MazeScene make_scene(const MazeConfig& config) {
  MazeScene scene{.maze = make_maze(config), .styles = {}, .floors = {}};
  RandomStream random(config.seed, kColourStream);
  using enum WallPattern;
  PatternDeck usual({kBricks, kPanel, kBands}, random);
  PatternDeck second({kStripes, kDiagonals, kChecks}, random);
  PatternDeck rare({kDisc, kDoor, kWindow}, random);
  const auto between = [&](double low, double high) {
    return low + (high - low) * random.uniform();
  };
  const double first_hue = random.uniform();
  for (int district = 0; district < config.districts; ++district) {
    const double hue = first_hue + kGolden * district;
    const Colour wall = colour_of(hue, between(0.45, 0.75), between(0.65, 0.9));
    const Colour dark = 0.55F * wall;
    const Colour light = 0.5F * wall + Colour::Constant(120.0F);
    const Colour other = colour_of(hue + between(0.35, 0.65), 0.8, between(0.75, 1.0));
    scene.styles.push_back({usual.draw(), wall, dark});
    scene.styles.push_back({second.draw(), wall, light});
    scene.styles.push_back({rare.draw(), light, other});
    scene.floors.push_back(colour_of(hue + between(-0.08, 0.08), between(0.1, 0.35), 0.5));
  }
  scene.sun = between(-std::numbers::pi, std::numbers::pi);
  return scene;
}

}  // namespace ovf
