#include "ovf/vision/wall_texture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ovf {
namespace {

double fraction(double value) { return value - std::floor(value); }
bool is_odd(double value) { return std::fmod(std::floor(value), 2.0) != 0.0; }

// Whether a point has the colour of the paint; u to the right, v upwards, both from 0 to 1.
bool is_painted(WallPattern pattern, double u, double v) {
  switch (pattern) {
    case WallPattern::kPlain:
      return false;
    case WallPattern::kPanel:
      return std::max(std::abs(u - 0.5), std::abs(v - 0.5)) > 0.42;
    case WallPattern::kBricks: {
      const double shift = is_odd(4.0 * v) ? 0.5 : 0.0;
      return fraction(4.0 * v) < 0.2 || fraction(2.0 * u + shift) < 0.1;
    }
    case WallPattern::kStripes:
      return is_odd(4.0 * u);
    case WallPattern::kBands:
      return is_odd(4.0 * v) || u < 0.06;
    case WallPattern::kChecks:
      return is_odd(3.0 * u) != is_odd(3.0 * v);
    case WallPattern::kDiagonals:
      return fraction(2.0 * (u + v)) < 0.5;
    case WallPattern::kDisc:
      return std::hypot(u - 0.5, v - 0.5) < 0.33;
    case WallPattern::kDoor:
      return std::abs(u - 0.5) < 0.28 && v < 0.8;
    case WallPattern::kWindow:
      return std::abs(u - 0.5) < 0.32 && std::abs(v - 0.55) < 0.27 && std::abs(u - 0.5) > 0.04 &&
             std::abs(v - 0.55) > 0.04;
  }
  return false;
}

}  // namespace

Colour colour_of(double hue, double saturation, double value) {
  const auto channel = [&](double shift) {
    const double away = std::abs(fraction(hue + shift) * 6.0 - 3.0) - 1.0;
    const double pure = std::clamp(away, 0.0, 1.0);
    return static_cast<float>(255.0 * value * (1.0 - saturation * (1.0 - pure)));
  };
  return {channel(0.0), channel(2.0 / 3.0), channel(1.0 / 3.0)};
}

WallTexture::WallTexture(const WallStyle& style) {
  Level full{.side = kSide, .points = {}};
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const bool painted = is_painted(style.pattern, (x + 0.5) / kSide, (y + 0.5) / kSide);
      full.points.push_back(painted ? style.paint : style.ground);
    }
  }
  levels_.push_back(std::move(full));
  while (levels_.size() < kLevels) {
    const Level& from = levels_.back();
    Level half{.side = from.side / 2, .points = {}};
    for (int y = 0; y < from.side; y += 2) {
      for (int x = 0; x < from.side; x += 2) {
        half.points.emplace_back(0.25F * (from.at(x, y) + from.at(x + 1, y) + from.at(x, y + 1) +
                                          from.at(x + 1, y + 1)));
      }
    }
    levels_.push_back(std::move(half));
  }
}

int WallTexture::level_for(double points) {
  return std::clamp(static_cast<int>(std::lround(std::log2(std::max(points, 1.0)))), 0,
                    kLevels - 1);
}

const Colour& WallTexture::at(float right, float up, int level) const {
  const Level& seen = levels_[static_cast<std::size_t>(level)];
  const auto place = [&](float part) {
    return std::clamp(static_cast<int>(part * static_cast<float>(seen.side)), 0, seen.side - 1);
  };
  return seen.at(place(right), place(up));
}

}  // namespace ovf
