#pragma once

#include <Eigen/Core>
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

  /// `right` and `up` from 0 to 1, from the lower left corner; `detail` is how many points of the
  /// full picture are seen as one.
  const Colour& at(float right, float up, float detail) const;

 private:
  struct Level {
    int side = 0;
    std::vector<Colour> points;  ///< row by row from below
  };
  std::vector<Level> levels_;
};

}  // namespace ovf
