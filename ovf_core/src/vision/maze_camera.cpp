#include "ovf/vision/maze_camera.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ovf/vision/image_file.hpp"
#include "ovf/vision/ray_cast.hpp"

namespace ovf {
namespace {

// Each pixel is the mean of this many rays in both directions.
constexpr int kSamples = 3;

// What is far fades into the colour of the horizon; per metre.
constexpr float kHaze = 0.09F;
// Where a wall meets the floor there is less light.
constexpr float kDarkestCorner = 0.6F;
constexpr float kCornerReach = 0.12F;
// Light on walls by the direction they look in: corners show.
constexpr std::array<float, kSides> kLight{1.0F, 0.86F, 0.74F, 0.92F};
// Tiles of the floor, and how much darker every second one is.
constexpr double kTile = 0.5;
constexpr float kDarkTile = 0.82F;
// Tiles are not told apart from here on, in metres.
constexpr float kTilesEnd = 3.0F;

const Colour kHorizon(196.0F, 206.0F, 214.0F);
const Colour kZenith(72.0F, 118.0F, 190.0F);
const Colour kSunlight(255.0F, 226.0F, 160.0F);

Colour mixed(const Colour& from, const Colour& to, float part) { return from + part * (to - from); }

Colour in_haze(const Colour& colour, float distance) {
  return mixed(kHorizon, colour, std::exp(-kHaze * distance));
}

template <typename T>
const T& at_or_last(const std::vector<T>& list, int number) {
  return list[std::min(static_cast<std::size_t>(std::max(number, 0)), list.size() - 1)];
}

void check(bool is_good, const std::string& what) {
  if (!is_good) throw std::invalid_argument(what);
}

}  // namespace

struct MazeCamera::Column {
  Eigen::Vector2d from;
  Eigen::Vector2d direction;  ///< one metre ahead
  float distance = 0.0F;      ///< ahead
  float bottom = 0.0F;        ///< of the wall, as a slope
  float top = 0.0F;
  float right = 0.0F;  ///< along the wall
  int level = 0;       ///< of its texture
  float light = 0.0F;  ///< on the wall
  float sun = 0.0F;    ///< how near it is, from 0 to 1
  const WallTexture* texture = nullptr;
};

MazeCamera::MazeCamera(MazeScene scene, const MazeCameraConfig& config)
    : scene_(std::move(scene)), config_(config) {
  const auto is_side = [](int side) { return side >= 1 && side <= kLargestImageSide; };
  check(is_side(config.size.width) && is_side(config.size.height),
        fmt::format("a camera of {} x {} pixels; expected 1 to {}", config.size.width,
                    config.size.height, kLargestImageSide));
  check(config.field_of_view >= 0.1 && config.field_of_view <= 3.0,
        fmt::format("a field of view of {} rad; expected 0.1 to 3", config.field_of_view));
  check(config.height > 0.0 && config.height < kWallHeight,
        fmt::format("a camera {} m above the floor; expected more than 0, less than {}",
                    config.height, kWallHeight));
  check(!scene_.styles.empty() && !scene_.floors.empty(), "a scene without colours");
  focal_length_ = 0.5 * config.size.width / std::tan(0.5 * config.field_of_view);
  for (const WallStyle& style : scene_.styles) textures_.emplace_back(style);
}

MazeCamera::Column MazeCamera::look(const TruePose& pose, double right) const {
  Column column;
  const Eigen::Vector2d ahead(std::cos(pose.yaw), std::sin(pose.yaw));
  column.from = {pose.x, pose.y};
  column.direction = ahead + right * Eigen::Vector2d(ahead.y(), -ahead.x());
  const WallHit hit = cast_ray(scene_.maze, column.from, column.direction);
  // A camera in a wall's plane sees the wall, not a division by zero.
  const double distance = std::max(hit.distance, 1e-3);
  column.distance = static_cast<float>(distance);
  column.bottom = static_cast<float>(-config_.height / distance);
  column.top = static_cast<float>((kWallHeight - config_.height) / distance);
  column.right = static_cast<float>(hit.right);
  column.level = WallTexture::level_for(WallTexture::kSide * distance / (kSamples * focal_length_));
  column.light = kLight[static_cast<std::size_t>(hit.side)];
  const int style = scene_.maze.is_inside(hit.cell) ? scene_.maze.style(hit.cell, hit.side) : 0;
  column.texture = &at_or_last(textures_, style);
  const Eigen::Vector2d sun(std::cos(scene_.sun), std::sin(scene_.sun));
  column.sun = static_cast<float>(0.5 + 0.5 * sun.dot(column.direction.normalized()));
  return column;
}

Colour MazeCamera::wall(const Column& column, float slope) const {
  const float up = (slope - column.bottom) / (column.top - column.bottom);
  const float corner = std::min(1.0F, kDarkestCorner + (1.0F - kDarkestCorner) * up / kCornerReach);
  const Colour paint = column.light * corner * column.texture->at(column.right, up, column.level);
  return in_haze(paint, column.distance);
}

Colour MazeCamera::floor(const Column& column, float slope) const {
  const double distance = config_.height / static_cast<double>(-slope);
  const Eigen::Vector2d place = column.from + distance * column.direction;
  const Cell cell = cell_at(place);
  const int district = scene_.maze.is_inside(cell) ? scene_.maze.district(cell) : 0;
  const bool is_dark =
      (std::llround(std::floor(place.x() / kTile) + std::floor(place.y() / kTile)) & 1) != 0;
  const auto far = static_cast<float>(distance);
  const float plain = std::min(1.0F, far / kTilesEnd);
  const float middle = 0.5F * (1.0F + kDarkTile);
  const float shade = is_dark ? kDarkTile : 1.0F;
  return in_haze((shade + plain * (middle - shade)) * at_or_last(scene_.floors, district), far);
}

Colour MazeCamera::sky(const Column& column, float slope) const {
  const float height = slope / (0.5F + slope);
  const Colour blue = mixed(kHorizon, kZenith, height);
  const float glow = column.sun * column.sun * column.sun;
  return mixed(blue, kSunlight, 0.7F * glow * (1.0F - 0.5F * height));
}

Image MazeCamera::render(const TruePose& pose) const {
  check(scene_.maze.width() > pose.x && pose.x > 0.0 && scene_.maze.height() > pose.y &&
            pose.y > 0.0 && std::isfinite(pose.yaw),
        fmt::format("a camera at ({}, {}), yaw {}, outside of the maze", pose.x, pose.y, pose.yaw));
  const auto [width, height] = config_.size;
  std::vector<Colour> sums(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                           Colour::Zero());
  // Middles of the samples, from the middle of the picture, at a distance of 1.
  const auto offset = [&](int sample, int pixels) {
    return ((sample + 0.5) / kSamples - 0.5 * pixels) / focal_length_;
  };
  for (int sx = 0; sx < kSamples * width; ++sx) {
    const Column column = look(pose, offset(sx, width));
    auto k = static_cast<std::size_t>(sx / kSamples);
    for (int sy = 0; sy < kSamples * height; ++sy) {
      const auto slope = static_cast<float>(-offset(sy, height));
      sums[k] += slope > column.top      ? sky(column, slope)
                 : slope < column.bottom ? floor(column, slope)
                                         : wall(column, slope);
      if (sy % kSamples == kSamples - 1) k += static_cast<std::size_t>(width);
    }
  }
  Image image(width, height);
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const Colour mean = sums[k] / static_cast<float>(kSamples * kSamples);
    for (std::size_t c = 0; c < 3; ++c) {
      const float value = std::clamp(mean[static_cast<Eigen::Index>(c)], 0.0F, 255.0F);
      image.rgb[3 * k + c] = static_cast<std::uint8_t>(std::lround(value));
    }
  }
  return image;
}

}  // namespace ovf
