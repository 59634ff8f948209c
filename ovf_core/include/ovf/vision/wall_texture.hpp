#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ovf {

/// Red, green, blue, each from 0 to 255.
using Colour = Eigen::Vector3f;

/// Hue in turns, saturation and value from 0 to 1.
Colour colour_of(double hue, double saturation, double value);

/// What is painted on a wall.
enum class WallPattern : std::uint8_t {
  kPlain,
  kPanel,  ///< with a frame
  kBricks,
  kStripes,  ///< upright
  kBands,    ///< level, with an upright seam
  kChecks,
  kDiagonals,
  kDisc,
  kDoor,
  kWindow
};

struct WallStyle {
  WallPattern pattern = WallPattern::kPlain;
  Colour ground = Colour::Constant(160.0F);
  Colour paint = Colour::Constant(90.0F);
};

/// The picture of one square metre of wall, and smaller copies of it for walls that are far away.
class WallTexture {
 public:
  /// Points along each side.
  static constexpr int kSide = 64;

  explicit WallTexture(const WallStyle& style);

  /// 0: the full picture; each further copy has half the points along a side.
  static constexpr int kLevels = 7;
  /// Which of them to look at if this many points of the full picture are seen as one.
  static int level_for(double points);

  /// `right` and `up` from 0 to 1, from the lower left corner.
  const Colour& at(float right, float up, int level) const;

 private:
  struct Level {
    int side = 0;
    std::vector<Colour> points;  ///< row by row from below

    const Colour& at(int x, int y) const {
      return points[static_cast<std::size_t>(y) * static_cast<std::size_t>(side) +
                    static_cast<std::size_t>(x)];
    }
  };
  std::vector<Level> levels_;
};

}  // namespace ovf
