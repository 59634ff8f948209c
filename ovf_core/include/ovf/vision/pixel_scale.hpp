#pragma once

#include <Eigen/Core>

#include "ovf/vision/image.hpp"

namespace ovf {

/// Pictures as vectors of standardised pixels, (value - mean) / deviation with a mean and a
/// deviation for each number. Their order is that of networks: all of red row by row, then green,
/// then blue; values are 0 to 1.
class PixelScale {
 public:
  /// Throws std::invalid_argument unless there is a finite mean and a positive deviation for each
  /// number of a picture of this size.
  PixelScale(ImageSize size, Eigen::VectorXf mean, Eigen::VectorXf deviation);

  ImageSize size() const { return size_; }
  int dim() const { return static_cast<int>(mean_.size()); }
  const Eigen::VectorXf& mean() const { return mean_; }
  const Eigen::VectorXf& deviation() const { return deviation_; }

  /// Throws ImageError on a picture of another size.
  void standardise(const Image& image, Eigen::Ref<Eigen::VectorXd> pixels) const;
  /// The nearest picture. Throws std::invalid_argument on another number of pixels.
  Image to_image(const Eigen::Ref<const Eigen::VectorXd>& pixels) const;

 private:
  ImageSize size_;
  Eigen::VectorXf mean_;
  Eigen::VectorXf deviation_;
};

/// Collects the mean and deviation of each number over pictures of one size.
class PixelStatistics {
 public:
  explicit PixelStatistics(ImageSize size);

  /// Throws ImageError on a picture of another size.
  void add(const Image& image);
  long count() const { return count_; }
  /// Deviations below `least` are raised to it, so that a pixel that never changed weighs little.
  /// Throws std::invalid_argument without a picture.
  PixelScale scale(double least = 0.02) const;

 private:
  ImageSize size_;
  long count_ = 0;
  Eigen::VectorXd mean_;
  Eigen::VectorXd squares_;  // of the differences from the mean (Welford)
};

}  // namespace ovf
