#include "ovf/vision/pixel_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "ovf/vision/image_file.hpp"

namespace ovf {
namespace {

constexpr double kWhite = 255.0;

int number_count(ImageSize size) { return Image::kChannels * size.width * size.height; }

void require_size(const Image& image, ImageSize size) {
  if (image.size() == size) return;
  throw ImageError(fmt::format("a picture of {} x {} pixels; expected {} x {}", image.width,
                               image.height, size.width, size.height));
}

/// visit(number, value) for each number of a picture, in the order of networks.
template <typename Visit>
void for_each_number(ImageSize size, const Visit& visit) {
  int number = 0;
  for (int channel = 0; channel < Image::kChannels; ++channel) {
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) visit(number++, x, y, channel);
    }
  }
}

}  // namespace

PixelScale::PixelScale(ImageSize size, Eigen::VectorXf mean, Eigen::VectorXf deviation)
    : size_(size), mean_(std::move(mean)), deviation_(std::move(deviation)) {
  const int expected = number_count(size);
  if (size.width < 1 || size.height < 1 || mean_.size() != expected ||
      deviation_.size() != expected) {
    throw std::invalid_argument(
        fmt::format("pixel scale: {} means and {} deviations for {} x {} pixels; expected {} each",
                    mean_.size(), deviation_.size(), size.width, size.height, expected));
  }
  if (!mean_.allFinite() || !deviation_.allFinite() || !(deviation_.minCoeff() > 0.0F)) {
    throw std::invalid_argument(
        "pixel scale: expected finite means and positive, finite deviations");
  }
}

void PixelScale::standardise(const Image& image, Eigen::Ref<Eigen::VectorXd> pixels) const {
  require_size(image, size_);
  for_each_number(size_, [&](int number, int x, int y, int channel) {
    const double mean = mean_[number];
    const double deviation = deviation_[number];
    pixels[number] = (image.at(x, y)[channel] / kWhite - mean) / deviation;
  });
}

Image PixelScale::to_image(const Eigen::Ref<const Eigen::VectorXd>& pixels) const {
  if (pixels.size() != dim()) {
    throw std::invalid_argument(
        fmt::format("pixel scale: {} pixels; expected {}", pixels.size(), dim()));
  }
  Image image(size_.width, size_.height);
  for_each_number(size_, [&](int number, int x, int y, int channel) {
    const double mean = mean_[number];
    const double deviation = deviation_[number];
    const double value = kWhite * (mean + deviation * pixels[number]);
    // Not a number becomes black.
    const double shown = value > 0.0 ? std::min(value, kWhite) : 0.0;
    image.at(x, y)[channel] = static_cast<std::uint8_t>(std::lround(shown));
  });
  return image;
}

PixelStatistics::PixelStatistics(ImageSize size)
    : size_(size),
      mean_(Eigen::VectorXd::Zero(number_count(size))),
      squares_(Eigen::VectorXd::Zero(number_count(size))) {}

void PixelStatistics::add(const Image& image) {
  require_size(image, size_);
  ++count_;
  for_each_number(size_, [&](int number, int x, int y, int channel) {
    const double value = image.at(x, y)[channel] / kWhite;
    const double difference = value - mean_[number];
    mean_[number] += difference / static_cast<double>(count_);
    squares_[number] += difference * (value - mean_[number]);
  });
}

PixelScale PixelStatistics::scale(double least) const {
  if (count_ == 0) throw std::invalid_argument("pixel statistics: no picture was added");
  const Eigen::VectorXd deviation =
      (squares_ / static_cast<double>(count_)).cwiseSqrt().cwiseMax(least);
  return {size_, mean_.cast<float>(), deviation.cast<float>()};
}

}  // namespace ovf
