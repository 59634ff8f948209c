#include "ovf/vision/pixel_scale.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "vision/image_cases.hpp"

namespace ovf {
namespace {

using test::image_error;
using test::random_image;

constexpr ImageSize kSize = {4, 3};
constexpr int kNumbers = 36;

PixelScale some_scale() {
  PixelStatistics statistics(kSize);
  for (std::uint64_t k = 1; k <= 20; ++k) statistics.add(random_image(4, 3, k));
  return statistics.scale();
}

TEST(PixelScale, OrdersAllOfRedBeforeGreenBeforeBlueRowByRow) {
  const PixelScale plain(kSize, Eigen::VectorXf::Zero(kNumbers), Eigen::VectorXf::Ones(kNumbers));
  Image image(4, 3);
  image.at(1, 0)[0] = 255;
  image.at(0, 1)[1] = 255;
  image.at(3, 2)[2] = 255;
  Eigen::VectorXd pixels(kNumbers);
  plain.standardise(image, pixels);
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(kNumbers);
  expected[1] = expected[12 + 4] = expected[35] = 1.0;
  EXPECT_EQ(pixels, expected);
}

TEST(PixelScale, ComesBackToTheSamePicture) {
  const PixelScale scale = some_scale();
  const Image image = random_image(4, 3, 77);
  Eigen::VectorXd pixels(scale.dim());
  scale.standardise(image, pixels);
  EXPECT_EQ(scale.to_image(pixels), image);
}

TEST(PixelScale, ShowsWhatIsOutOfRangeAsTheNearestColour) {
  const PixelScale scale = some_scale();
  Eigen::VectorXd pixels = Eigen::VectorXd::Constant(scale.dim(), 100.0);
  pixels[0] = -100.0;
  pixels[1] = std::numeric_limits<double>::quiet_NaN();
  const Image image = scale.to_image(pixels);
  EXPECT_EQ(image.at(0, 0)[0], 0);
  EXPECT_EQ(image.at(1, 0)[0], 0);
  EXPECT_EQ(image.at(2, 0)[0], 255);
}

TEST(PixelScale, RefusesOtherSizesAndBadNumbers) {
  const Eigen::VectorXf ones = Eigen::VectorXf::Ones(kNumbers);
  EXPECT_THROW(PixelScale({3, 3}, ones, ones), std::invalid_argument);
  EXPECT_THROW(PixelScale({0, 0}, {}, {}), std::invalid_argument);
  Eigen::VectorXf bad = ones;
  bad[3] = 0.0F;
  EXPECT_THROW(PixelScale(kSize, ones, bad), std::invalid_argument);
  bad[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(PixelScale(kSize, bad, ones), std::invalid_argument);
  EXPECT_THROW(PixelScale(kSize, ones, bad), std::invalid_argument);

  const PixelScale scale = some_scale();
  Eigen::VectorXd pixels(scale.dim());
  EXPECT_EQ(image_error([&] { scale.standardise(Image(3, 4), pixels); }),
            "a picture of 3 x 4 pixels; expected 4 x 3");
  EXPECT_THROW(scale.to_image(Eigen::VectorXd::Zero(5)), std::invalid_argument);
}

TEST(PixelStatistics, StandardisedPicturesHaveMeanZeroAndVarianceOne) {
  const PixelScale scale = some_scale();
  Eigen::VectorXd sum = Eigen::VectorXd::Zero(scale.dim());
  Eigen::VectorXd squares = sum;
  Eigen::VectorXd pixels = sum;
  for (std::uint64_t k = 1; k <= 20; ++k) {
    scale.standardise(random_image(4, 3, k), pixels);
    sum += pixels / 20.0;
    squares += pixels.cwiseAbs2() / 20.0;
  }
  // Means and deviations are floats.
  EXPECT_LT(sum.cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_LT((squares.array() - 1.0).abs().maxCoeff(), 1e-5);
}

TEST(PixelStatistics, PixelsThatNeverChangeGetTheLeastDeviation) {
  PixelStatistics statistics(kSize);
  for (int k = 0; k < 3; ++k) statistics.add(random_image(4, 3));
  EXPECT_EQ(statistics.count(), 3);
  EXPECT_FLOAT_EQ(statistics.scale(0.25).deviation().maxCoeff(), 0.25F);
  EXPECT_FLOAT_EQ(statistics.scale(0.25).deviation().minCoeff(), 0.25F);
}

TEST(PixelStatistics, RefusesOtherSizesAndNothing) {
  PixelStatistics statistics(kSize);
  EXPECT_THROW(statistics.scale(), std::invalid_argument);
  EXPECT_NE(image_error([&] { statistics.add(Image(4, 4)); }), "");
}

}  // namespace
}  // namespace ovf
